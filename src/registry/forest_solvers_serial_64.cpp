#include <backend/serial/serial.hpp>
#include <registry/forest_solvers.hpp>

namespace copse::registry {

template drivers::spanned<std::uint64_t> span_row<backend::serial>(std::size_t, std::size_t, const backend::arc_set<std::uint64_t>&,
                                                                   const solve_options&, phase_times&, bool);

}  // namespace copse::registry
