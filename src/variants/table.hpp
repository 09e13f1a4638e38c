// The table: every valid variant of every backend, by problem.
#pragma once
#include <copse/variants.hpp>
#include <loops/serial.hpp>
#include <loops/threads.hpp>
#include <variants/type_list.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace copse::variant {

using backends = type_list<backend::serial, backend::threads>;

/// A variant: what users see, and the numbers of its sampler and finish (sampler_at(), finish_at()).
struct table_entry {
  variant_info info;
  std::size_t sampler, finish;
};

/// All valid variants of a backend for a problem, samplers innermost.
std::vector<table_entry> variants_of(std::string_view backend, bool concurrent, problem_kind problem = problem_kind::components);

/// All variants of all backends for a problem.
const std::vector<table_entry>& table(problem_kind problem = problem_kind::components);

/// nullptr when there is none.
const table_entry* find_entry(std::string_view name, input_kind input, problem_kind problem = problem_kind::components);

}  // namespace copse::variant
