// How to run the rows of spanning forests on the backends that users have. Compiled once each, in forest_solvers_<backend>_<width>.cpp.
#pragma once
#include <registry/forest_solvers.hpp>
#include <registry/table.hpp>

namespace copse::registry {

extern template drivers::spanned<std::uint32_t> span_row<backend::serial>(std::size_t, std::size_t, const backend::arc_set<std::uint32_t>&,
                                                                          const solve_options&, phase_times&, bool);
extern template drivers::spanned<std::uint64_t> span_row<backend::serial>(std::size_t, std::size_t, const backend::arc_set<std::uint64_t>&,
                                                                          const solve_options&, phase_times&, bool);
extern template drivers::spanned<std::uint32_t> span_row<backend::omp>(std::size_t, std::size_t, const backend::arc_set<std::uint32_t>&,
                                                                       const solve_options&, phase_times&, bool);
extern template drivers::spanned<std::uint64_t> span_row<backend::omp>(std::size_t, std::size_t, const backend::arc_set<std::uint64_t>&,
                                                                       const solve_options&, phase_times&, bool);

}  // namespace copse::registry
