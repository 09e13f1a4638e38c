// Makes the rows of one backend from the axes: the description of every valid combination, and its solver for every kind of graph.
#pragma once
#include <drivers/solve.hpp>
#include <registry/axes.hpp>
#include <registry/type_list.hpp>
#include <registry/validity.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <tuple>
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

template <class View>
using solver = buffer<typename View::id_type> (*)(View, const solve_options&);

template <class Views>
struct row;
template <class... Views>
struct row<type_list<Views...>> {
  variant_info info;
  std::tuple<solver<Views>...> solvers;  ///< null where the view is not of info.input
};

namespace detail {

template <class Backend, class Entry, class Sampler, input_kind Input, class... Views>
void add_row(std::vector<row<type_list<Views...>>>& rows) {
  constexpr finish_entry entry = Entry::entry;
  constexpr bool samples = !std::same_as<Sampler, sample::none>;
  if constexpr (refusal_of(entry.traits, Backend::concurrent, samples, Input).empty()) {
    row<type_list<Views...>> made;
    std::string name{Backend::name};
    for (const std::string_view word : {Sampler::name, entry.finish, entry.find, entry.splice}) {
      if (!word.empty()) name.append(".").append(word);
    }
    made.info = {.name = std::move(name),
                 .backend = Backend::name,
                 .sampler = Sampler::name,
                 .finish = entry.finish,
                 .find = entry.find,
                 .splice = entry.splice,
                 .input = Input,
                 .summary = entry.summary,
                 .aux_bytes_per_vertex = entry.traits.aux == aux_array::search_stack ? 4u : 0u};
    const auto fill = [&]<class View>() {
      if constexpr (drivers::is_rows<View> == (Input == input_kind::csr)) {
        std::get<solver<View>>(made.solvers) = drivers::solve<Backend, Sampler, typename Entry::finish_type, View>;
      }
    };
    (fill.template operator()<Views>(), ...);
    rows.push_back(std::move(made));
  }
}

}  // namespace detail

/// All rows of a backend for the given kinds of graph.
template <class Backend, class... Views>
std::vector<row<type_list<Views...>>> make_rows(type_list<Views...>) {
  std::vector<row<type_list<Views...>>> rows;
  for_each_type(finishes{}, [&]<class Entry>() {
    for_each_type(samplers{}, [&]<class Sampler>() {
      detail::add_row<Backend, Entry, Sampler, input_kind::csr>(rows);
      detail::add_row<Backend, Entry, Sampler, input_kind::coo>(rows);
    });
  });
  return rows;
}

/// Solves with a row made by make_rows. Precondition: the row's input is the view's.
template <class View, class Views>
buffer<typename View::id_type> solve_row(const row<Views>& with, View g, const solve_options& options) {
  return std::get<solver<View>>(with.solvers)(g, options);
}

}  // namespace copse::registry
