// The rows of the backends that users have, and how to run one.
#pragma once
#include <backend/omp/omp.hpp>
#include <backend/serial/serial.hpp>
#include <copse/parents/counting.hpp>
#include <copse/registry/variants.hpp>
#include <registry/solvers.hpp>

#include <cstddef>
#include <vector>

namespace copse::registry {

using backends = type_list<backend::serial, backend::omp>;

/// The same backends, counting what they do (32-bit ids only).
using counting_serial = backend::basic_serial<parents::counting>;
using counting_omp = backend::basic_omp<parents::counting>;

// Compiled once each, in solvers_<backend>_<width>.cpp and solvers_counting.cpp.
extern template buffer<std::uint32_t> solve_row<backend::serial>(std::size_t, std::size_t, const backend::arc_set<std::uint32_t>&,
                                                                 const solve_options&, phase_times&, work_counts*);
extern template buffer<std::uint64_t> solve_row<backend::serial>(std::size_t, std::size_t, const backend::arc_set<std::uint64_t>&,
                                                                 const solve_options&, phase_times&, work_counts*);
extern template buffer<std::uint32_t> solve_row<backend::omp>(std::size_t, std::size_t, const backend::arc_set<std::uint32_t>&,
                                                              const solve_options&, phase_times&, work_counts*);
extern template buffer<std::uint64_t> solve_row<backend::omp>(std::size_t, std::size_t, const backend::arc_set<std::uint64_t>&,
                                                              const solve_options&, phase_times&, work_counts*);
extern template buffer<std::uint32_t> solve_row<counting_serial>(std::size_t, std::size_t, const backend::arc_set<std::uint32_t>&,
                                                                 const solve_options&, phase_times&, work_counts*);
extern template buffer<std::uint32_t> solve_row<counting_omp>(std::size_t, std::size_t, const backend::arc_set<std::uint32_t>&,
                                                              const solve_options&, phase_times&, work_counts*);

/// A row: what users see, and the places of its sampler and finish among the entries.
struct row {
  variant_info info;
  std::size_t sampler, finish;
};

/// All valid rows of a backend for a problem, samplers innermost.
std::vector<row> rows_of(std::string_view backend, bool concurrent, problem_kind problem = problem_kind::components);

/// All rows of all backends for a problem.
const std::vector<row>& table(problem_kind problem = problem_kind::components);

/// nullptr when there is none.
const row* find_row(std::string_view name, input_kind input, problem_kind problem = problem_kind::components);

}  // namespace copse::registry
