// Makes the rows of one backend from the axes: the description of every valid combination, and its two phases for every kind of graph.
#pragma once
#include <drivers/solve.hpp>
#include <registry/axes.hpp>
#include <registry/type_list.hpp>
#include <registry/validity.hpp>

#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

namespace copse::registry {

using all_views = type_list<csr_view<std::uint32_t, std::uint32_t>, csr_view<std::uint32_t, std::uint64_t>,
                            csr_view<std::uint64_t, std::uint64_t>, coo_view<std::uint32_t>, coo_view<std::uint64_t>>;

/// How a finish is called in names, and what it declares.
struct finish_entry {
  std::string_view finish, find, splice;
  std::string_view summary;
  rule_traits traits;
};

/// Marks that Unite's find (and splice) are part of its name.
template <class Unite>
struct found {
  using finish_type = finish::unite_finish<Unite>;
  static constexpr finish_entry entry{Unite::name, Unite::find_rule::name, {}, Unite::summary, Unite::traits};
};
template <class Unite>
struct spliced {
  using finish_type = finish::unite_finish<Unite>;
  static constexpr finish_entry entry{Unite::name, Unite::find_rule::name, Unite::splice_rule::name, Unite::summary, Unite::traits};
};
template <class Unite>
struct alone {
  using finish_type = finish::unite_finish<Unite>;
  static constexpr finish_entry entry{Unite::name, {}, {}, Unite::summary, Unite::traits};
};
template <class Finish>
struct search {
  using finish_type = Finish;
  static constexpr finish_entry entry{Finish::name, {}, {}, Finish::summary, Finish::traits};
};

/// Every finish of the table, in its order.
using finishes =
    concat<each<found, unites_with_find>, each<spliced, unites_with_splice>, each<alone, unites_alone>, each<search, searches>>;

template <class Backend, class Views>
struct row;
template <class Backend, class... Views>
struct row<Backend, type_list<Views...>> {
  variant_info info;
  rule_traits traits;
  std::tuple<drivers::phases<Backend, Views>...> phases;  ///< both pointers null where the view is not of info.input
};

namespace detail {

template <class Finish, class Sampler, class Backend, class View>
drivers::phases<Backend, View> phases_for() {
  using parents = typename Backend::template parents<typename View::id_type>;
  using id = typename View::id_type;
  drivers::phases<Backend, View> made;
  made.finish = [](const Backend& backend, View g, parents p, std::optional<id> giant, std::pmr::memory_resource* memory) {
    if constexpr (requires { Finish::run(backend, g, p, giant, memory); }) {
      Finish::run(backend, g, p, giant, memory);
    } else {
      Finish::run(backend, g, p, giant);
    }
  };
  if constexpr (!std::is_void_v<Sampler>) {
    made.sample = [](const Backend& backend, View g, parents p, const solve_options& options) {
      Sampler::template run<typename Finish::rule>(backend, g, p, options.kout_rounds);
    };
  }
  return made;
}

template <class Entry, class Sampler, class Backend, input_kind Input, class... Views>
void add_row(std::vector<row<Backend, type_list<Views...>>>& rows) {
  constexpr bool samples = !std::is_void_v<Sampler>;
  constexpr finish_entry entry = Entry::entry;
  if constexpr (refusal_of(entry.traits, Backend::concurrent, samples, Input).empty()) {
    row<Backend, type_list<Views...>> made;
    std::string_view sampler = "none";
    if constexpr (samples) sampler = Sampler::name;
    std::string name{Backend::name};
    for (const std::string_view word : {sampler, entry.finish, entry.find, entry.splice}) {
      if (!word.empty()) name.append(".").append(word);
    }
    made.info = {.name = std::move(name),
                 .backend = Backend::name,
                 .sampler = sampler,
                 .finish = entry.finish,
                 .find = entry.find,
                 .splice = entry.splice,
                 .input = Input,
                 .summary = entry.summary,
                 .aux_bytes_per_vertex = entry.traits.aux == aux_array::search_stack ? 4u : 0u};
    made.traits = entry.traits;
    const auto fill = [&]<class View>() {
      if constexpr (drivers::is_rows<View> == (Input == input_kind::csr)) {
        std::get<drivers::phases<Backend, View>>(made.phases) = phases_for<typename Entry::finish_type, Sampler, Backend, View>();
      }
    };
    (fill.template operator()<Views>(), ...);
    rows.push_back(std::move(made));
  }
}

}  // namespace detail

/// All rows of a backend for the given kinds of graph.
template <class Backend, class... Views>
std::vector<row<Backend, type_list<Views...>>> make_rows(type_list<Views...>) {
  std::vector<row<Backend, type_list<Views...>>> rows;
  const auto add_finish = [&]<class Entry>() {
    detail::add_row<Entry, void, Backend, input_kind::csr>(rows);
    detail::add_row<Entry, void, Backend, input_kind::coo>(rows);
    const auto add_sampler = [&]<class Sampler>() {
      detail::add_row<Entry, Sampler, Backend, input_kind::csr>(rows);
      detail::add_row<Entry, Sampler, Backend, input_kind::coo>(rows);
    };
    for_each_type(samplers{}, add_sampler);
  };
  for_each_type(finishes{}, add_finish);
  return rows;
}

/// Solves with a row made by make_rows. Precondition: the row's input is the view's.
template <class Backend, class View, class Views>
buffer<typename View::id_type> solve_row(const row<Backend, Views>& with, View g, const solve_options& options) {
  return drivers::solve(g, std::get<drivers::phases<Backend, View>>(with.phases), with.traits, options);
}

}  // namespace copse::registry
