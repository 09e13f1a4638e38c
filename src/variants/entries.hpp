// The names and traits of the axes: the table is built from these, without the code.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <variants/axes.hpp>
#include <variants/type_list.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace copse::variant {

/// The words of a finish in the names of variants, and its traits.
struct finish_entry {
  std::string_view finish, find, splice;
  std::string_view summary;
  rule_traits traits;
  bool unites = false;  ///< a unite: it reports each root that it links
};

struct sampler_entry {
  std::string_view name;
  bool needs_rows, skips_giant, regroups_edges;
};

/// Which parts of Unite its name includes: its find, its find and splice, or none.
template <class Unite>
struct found {
  using finish_type = finish::united<Unite>;
  static constexpr finish_entry entry{Unite::name, Unite::find_rule::name, {}, Unite::summary, Unite::traits, true};
};
template <class Unite>
struct spliced {
  using finish_type = finish::united<Unite>;
  static constexpr finish_entry entry{Unite::name, Unite::find_rule::name, Unite::splice_rule::name, Unite::summary, Unite::traits, true};
};
template <class Unite>
struct alone {
  using finish_type = finish::united<Unite>;
  static constexpr finish_entry entry{Unite::name, {}, {}, Unite::summary, Unite::traits, true};
};
/// A finish that is not a unite. Its rule, if it has one, takes the place of the find in its name.
template <class Finish>
struct other {
  using finish_type = Finish;
  static constexpr std::string_view rule = [] {
    if constexpr (requires { Finish::rule; }) {
      return Finish::rule;
    } else {
      return std::string_view{};
    }
  }();
  static constexpr finish_entry entry{Finish::name, rule, {}, Finish::summary, Finish::traits};
};

using united_entries = concat<each<found, unites_with_find>, each<spliced, unites_with_splice>, each<alone, unites_alone>>;
using other_entries = each<other, finishes_with_rounds>;
/// Every finish, in the order of the table.
using finishes = concat<united_entries, other_entries>;

template <class... Entries>
constexpr std::array<finish_entry, sizeof...(Entries)> entries_of(type_list<Entries...>) {
  return {Entries::entry...};
}
template <class... Samplers>
constexpr std::array<sampler_entry, sizeof...(Samplers)> samplers_of(type_list<Samplers...>) {
  return {sampler_entry{Samplers::name, Samplers::needs_rows, Samplers::skips_giant, Samplers::regroups_edges}...};
}

inline constexpr auto finish_entries = entries_of(finishes{});
inline constexpr std::size_t unite_count = entries_of(united_entries{}).size();
inline constexpr auto sampler_entries = samplers_of(samplers{});

}  // namespace copse::variant
