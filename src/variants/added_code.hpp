// The code of samplers and finishes from outside copse (added.hpp): where the drivers find it, and how a program adds it.
#pragma once
#include <drivers/components.hpp>
#include <loops/solve_context.hpp>
#include <variants/added.hpp>
#include <variants/functions.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace copse::variant {

/// The code of the samplers and finishes that a program has added to those of copse: one function each, in the order of their entries in
/// `added` (variants/added.hpp).
template <class Backend, class Id>
struct added_functions {
  std::span<const drivers::sampling<Backend, Id>> samplers;
  std::span<const backend::finish_function<Backend, Id>> finishes;
};
template <class Backend, class Id>
inline constinit added_functions<Backend, Id> added_code{};

/// Returns the plan by which drivers::solve runs a sampler and a finish. `function` is the code of a finish of copse; for a finish that the
/// program has added it is ignored, and the code is taken from added_code.
template <class Backend, class Id>
drivers::plan<Backend, Id> plan_of(std::size_t sampler, std::size_t finish, backend::finish_function<Backend, Id> function) {
  static constexpr auto samplings = samplings_of<Backend, Id>(samplers{});
  const auto& more = added_code<Backend, Id>;
  return {.sample = with_added<drivers::sampling<Backend, Id>>(samplings, more.samplers, sampler),
          .sampler_skips_giant = sampler_at(sampler).skips_giant,
          .sampler_sees_all = sampler_at(sampler).regroups_edges,
          .finish = finish < finish_entries.size() ? function : more.finishes[finish - finish_entries.size()],
          .traits = finish_at(finish).traits,
          .unites = finish_at(finish).unites};
}

// The rest of this file is used by units that cmake/copse_add_variants.cmake generates.

template <class Unite>
auto own_unite_of() {
  if constexpr (requires { typename Unite::splice_rule; }) {
    return spliced<Unite>{};
  } else if constexpr (requires { typename Unite::find_rule; }) {
    return found<Unite>{};
  } else {
    return alone<Unite>{};
  }
}
/// The type (found, spliced or alone in axes.hpp) with the table entry of an added union-find rule: names of its variants include its find
/// and its splice if it has them.
template <class Unite>
using own_unite = decltype(own_unite_of<Unite>());

constexpr bool is_word(std::string_view word) noexcept {
  return !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}
constexpr bool is_new(const finish_entry& entry) noexcept {
  for (const finish_entry& known : finish_entries) {
    if (known.finish == entry.finish && known.find == entry.find && known.splice == entry.splice) return false;
  }
  return true;
}
constexpr bool is_new(const sampler_entry& entry) noexcept {
  for (const sampler_entry& known : sampler_entries) {
    if (known.name == entry.name) return false;
  }
  return true;
}

/// Adds the entries to the table. May be called at most once in a program.
template <class... Samplers, class... Entries>
bool add_entries(type_list<Samplers...>, type_list<Entries...>, bool on_gpu) {
  static constexpr auto own_samplers = samplers_of(type_list<Samplers...>{});
  static constexpr auto own_finishes = entries_of(type_list<Entries...>{});
  static_assert((is_word(Samplers::name) && ...), "the name of a sampler is of letters, digits and _");
  static_assert((is_word(Entries::entry.finish) && ...), "the name of a finish is of letters, digits and _");
  static_assert((is_new(samplers_of(type_list<Samplers>{})[0]) && ...), "copse has a sampler of this name");
  static_assert((is_new(Entries::entry) && ...), "copse has a finish of this name");
  static_assert((!Entries::entry.traits.fast_path && ...), "the fast path is copse's own");
  added = {own_samplers, own_finishes, on_gpu};
  return true;
}

/// Registers the compiled functions of the added samplers and finishes for one backend and one width of ids.
template <class Backend, class Id, class Samplers, class Entries>
bool add_functions(Samplers, Entries) {
  static constexpr auto samplings = samplings_of<Backend, Id>(Samplers{});
  static constexpr auto functions = finish_functions_of<Backend, Id>(Entries{});
  added_code<Backend, Id> = {samplings, functions};
  return true;
}

}  // namespace copse::variant
