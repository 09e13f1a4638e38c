#include <backend/omp/omp.hpp>
#include <registry/solvers.hpp>

namespace copse::registry {

template buffer<std::uint64_t> solve_row<backend::omp>(std::size_t, std::size_t, const backend::arc_set<std::uint64_t>&,
                                                       const solve_options&, phase_times&, work_counts*);

}  // namespace copse::registry
