// Rules of incremental connectivity on a GPU as GConn prints them, where copse's have other forms: rounds that visit all edges of their
// batch, and parents that are initialised at the first access. Compiled without CUDA's headers.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <drivers/incremental/gpu_rule.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace copse::lab {

struct printed_stream_rule {
  std::string_view name;
  rule_traits traits;
  drivers::gpu_rule rule;
};

std::span<const printed_stream_rule> printed_stream_rules() noexcept;

/// How many edges the rounds of the rules above have inspected since the last call.
std::uint64_t inspected_in_rounds() noexcept;

}  // namespace copse::lab
