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

/// A variant: its public description, and the numbers of its sampler and finish (sampler_at(), finish_at()).
struct table_entry {
  variant_info info;
  std::size_t sampler, finish;
};

/// Returns all valid variants of a backend for a problem, for each finish in the order of samplers.
std::vector<table_entry> variants_of(std::string_view backend, bool concurrent, problem_kind problem = problem_kind::components);

/// All variants of all backends for a problem.
const std::vector<table_entry>& table(problem_kind problem = problem_kind::components);

/// Returns the entry of a variant, or nullptr if there is none.
const table_entry* find_entry(std::string_view name, input_kind input, problem_kind problem = problem_kind::components);

}  // namespace copse::variant
