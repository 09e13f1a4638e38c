// Which combinations of sampler, finish, backend and problem are refused, and why. The reasons are derived from the traits that rules
// declare.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <copse/extend/rules/find/halve.hpp>
#include <copse/variants.hpp>
#include <variants/axes.hpp>

#include <string_view>

namespace copse::variant {

/// Returns why a rule is not valid on a backend, whatever the graph; empty if it is valid.
constexpr std::string_view refusal_of(const rule_traits& traits, bool backend_is_concurrent) noexcept {
  if (!traits.never.empty()) return traits.never;
  if (backend_is_concurrent && !traits.concurrent) return "it is for one thread only: between its load and its store nothing may change";
  if (traits.moves_subtrees && traits.compresses) {
    return "its find stores an old root in a vertex that splice_atomic may meanwhile have moved below that root's tree";
  }
  return {};
}

/// Returns why a variant, which consists of a sampler and a finish with these traits, is not valid for this kind of input; empty if it is
/// valid.
constexpr std::string_view refusal_of(const rule_traits& traits, bool backend_is_concurrent, const sampler_entry& sampler, input_kind input,
                                      bool on_gpu = false) noexcept {
  if (const auto reason = refusal_of(traits, backend_is_concurrent); !reason.empty()) return reason;
  if (sampler.needs_rows && input == input_kind::coo) return "an edge list has no rows to sample arcs from";
  if (sampler.regroups_edges && input == input_kind::csr) return "it regroups an edge list; rows have samplers of their own";
  if (traits.needs_rows && input == input_kind::coo) return "it walks rows, which an edge list does not have";
  if (traits.needs_edge_list && input == input_kind::csr) return "it works on a list of edges, which rows are not";
  if (traits.needs_mutable_coo && input == input_kind::csr) return "it moves the ends of edges, which rows cannot";
  if (traits.fast_path && on_gpu && input == input_kind::coo) return "on a GPU the fast path walks rows, which an edge list does not have";
  if (traits.fast_path && sampler.name != "none" && sampler.name != "hb") return "it is made with hook-based sampling, or with none";
  if (traits.from_scratch && sampler.name != "none") return "it does not start from the sampled forest, so sampling would be wasted";
  return {};
}

/// Returns why a finish on a backend cannot record a spanning forest, whatever the graph; empty if it can. The fast path can on a GPU
/// (`on_gpu`), where every link is made by an edge that is recorded; on the CPU it also links vertices between which there is no edge.
constexpr std::string_view forest_refusal_of(const finish_entry& finish, bool backend_is_concurrent, bool on_gpu = false) noexcept {
  const rule_traits& traits = finish.traits;
  if (const auto reason = refusal_of(traits, backend_is_concurrent); !reason.empty()) return reason;
  if (!traits.root_based) return "a vertex may leave its tree, so no root dies for exactly one edge";
  if (traits.synchronous) return "several edges may hook the same root in one round, so it is not known which of them made the link";
  if (traits.fast_path) return on_gpu ? "" : "the fast path joins vertices that no edge joins";
  if (!finish.unites) return "it makes links outside a union-find rule, and nothing tells each of them once";
  if (backend_is_concurrent && traits.moves_subtrees) {
    return "splice_atomic moves a subtree before its root is joined: one edge can be recorded twice and another lost";
  }
  return {};
}

/// Returns why a finish on a backend cannot insert batches of edges; empty if it can.
constexpr std::string_view incremental_refusal_of(const finish_entry& finish, bool backend_is_concurrent) noexcept {
  const rule_traits& traits = finish.traits;
  if (const auto reason = refusal_of(traits, backend_is_concurrent); !reason.empty()) return reason;
  if (traits.needs_rows || traits.from_scratch) {
    return "it works on the rows of a whole graph, which a batch of edges does not have";
  }
  if (!traits.root_based) return "it is not root-based: a vertex can leave its tree, and an edge of an earlier batch would be lost";
  const bool by_roots = finish.finish == finish::shiloach_vishkin::name || finish.finish == "liu_tarjan";
  if (traits.needs_edge_list || traits.aux == aux_array::edges || (traits.synchronous && !by_roots)) {
    return "its passes go over a whole graph, however small the batch";
  }
  return {};
}

/// Returns why a variant is not valid for a problem; empty if it is valid.
constexpr std::string_view refusal_of(const finish_entry& finish, bool backend_is_concurrent, const sampler_entry& sampler,
                                      input_kind input, problem_kind problem, bool on_gpu) noexcept {
  if (problem == problem_kind::forest) {
    if (const auto reason = forest_refusal_of(finish, backend_is_concurrent, on_gpu); !reason.empty()) return reason;
  } else if (problem == problem_kind::incremental) {
    if (const auto reason = incremental_refusal_of(finish, backend_is_concurrent); !reason.empty()) return reason;
    if (input == input_kind::csr) return "a batch is a list of edges, which rows are not";
    if (sampler.name != "none") return "batches are not sampled: the sampler is none";
    // With on_gpu the call below would refuse the fast path for a list of edges, because on a GPU that solves whole graphs by their rows.
    // But it can insert a batch, which is a list of edges.
    on_gpu = false;
  }
  return refusal_of(finish.traits, backend_is_concurrent, sampler, input, on_gpu);
}

// What a valid variant of incremental connectivity can do besides inserting edges: answer queries at the same time, and tell which edges
// made links.

/// Returns why queries may not run concurrently with the inserts of a valid variant; empty if they may.
constexpr std::string_view concurrent_refusal_of(const rule_traits& traits, bool backend_is_concurrent) noexcept {
  if (traits.synchronous)
    return "queries cannot run during its inserts: an answer in the middle of a round may fit no order of the operations; insert first, "
           "then query";
  if (traits.moves_subtrees && backend_is_concurrent) {
    return "queries cannot run during its inserts: splice_atomic cuts a vertex from its tree for a moment; insert first, then query";
  }
  return {};
}

/// Returns why a valid variant cannot tell which edge made a link; empty if it can.
constexpr std::string_view forest_refusal_of(const rule_traits& traits, bool backend_is_concurrent) noexcept {
  if (traits.synchronous) return "several edges may hook the same root in one round, so it is not known which of them made the link";
  if (traits.moves_subtrees && backend_is_concurrent) {
    return "splice_atomic moves a subtree before the roots join: one edge may be recorded twice and another lost";
  }
  return {};
}

/// The find with which queries are answered: that of the rule, or halving if the rule has none.
template <class Rule>
struct query_find {
  using type = find::halve;
};
template <class Rule>
requires requires { typename Rule::find_rule; }
struct query_find<Rule> {
  using type = typename Rule::find_rule;
};

}  // namespace copse::variant
