// Which variants of cuda can count their work: those whose name has a unite rule and its find rule, without a sampler or after one that
// samples arcs. The others are compiled without counters, to limit the time of a build.
#pragma once
#include <copse/errors.hpp>
#include <variants/axes.hpp>

#include <cstddef>
#include <string>

namespace copse::device {

using counted_samplers =
    variant::type_list<sample::none, sample::kout, sample::kout_random, sample::kout_mixed, sample::kout_maxdeg, sample::hb>;
using counted_finishes =
    variant::concat<variant::each<variant::found, variant::unites_with_find>, variant::each<variant::spliced, variant::unites_with_splice>>;

inline constexpr std::size_t counted_sampler_count = variant::samplers_of(counted_samplers{}).size();
inline constexpr std::size_t counted_finish_count = variant::entries_of(counted_finishes{}).size();
// The lists of all samplers and of all finishes begin with those that can count their work, so an index in the shorter list is also the
// index in the list of all.
static_assert(variant::samplers_of(counted_samplers{}).back().name == variant::sampler_entries[counted_sampler_count - 1].name);
static_assert(variant::entries_of(counted_finishes{}).back().finish == variant::finish_entries[counted_finish_count - 1].finish);

/// True for a cuda variant that can count its work, given by its indices among samplers and finishes.
constexpr bool is_counted(std::size_t sampler, std::size_t finish) noexcept {
  return sampler < counted_sampler_count && finish < counted_finish_count;
}
/// Throws usage_error unless the variant can count its work.
inline void expect_counted(const std::string& name, std::size_t sampler, std::size_t finish) {
  if (is_counted(sampler, finish)) return;
  throw usage_error{"count needs a union-find rule with its find, such as cuda.none.rem_cas.naive.halve_one, alone or after kout or hb; " +
                    name + " cannot be counted on a GPU"};
}

}  // namespace copse::device
