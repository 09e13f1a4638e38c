// Ways to spoil the right labels of a graph: every proof must refuse all of them.
#pragma once
#include <copse/types.hpp>
#include <copse/views.hpp>
#include <support/labels.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace copse::test {

using labels32 = std::vector<std::uint32_t>;
using spoiled = std::optional<labels32>;  // nothing: labels of that graph cannot have such a fault

inline std::vector<std::uint32_t> roots_of(const labels32& labels) {
  const std::set<std::uint32_t> distinct(labels.begin(), labels.end());
  return {distinct.begin(), distinct.end()};
}

/// A vertex that is not its own label, from the end: its component has at least two vertices.
inline std::optional<std::uint32_t> last_member(const labels32& labels) {
  for (std::size_t v = labels.size(); v-- > 0;) {
    if (labels[v] != v) return static_cast<std::uint32_t>(v);
  }
  return std::nullopt;
}

inline labels32 relabel(labels32 labels, std::uint32_t from, std::uint32_t to) {
  std::ranges::replace(labels, from, to);
  return labels;
}

struct named_mutation {
  const char* name;
  std::function<spoiled(labels32)> apply;
};

inline const std::vector<named_mutation>& mutations() {
  static const std::vector<named_mutation> all{
      {"detach vertex 0",
       [](labels32 labels) -> spoiled {
         // The rest of its component gets its smallest vertex as the label: all else is canonical.
         if (labels.empty()) return std::nullopt;
         const auto next = std::find(labels.begin() + 1, labels.end(), 0u);
         if (next == labels.end()) return std::nullopt;
         labels = relabel(labels, 0, static_cast<std::uint32_t>(next - labels.begin()));
         labels[0] = 0;
         return labels;
       }},
      {"detach the last member",
       [](labels32 labels) -> spoiled {
         const auto member = last_member(labels);
         if (!member) return std::nullopt;
         labels[*member] = *member;
         return labels;
       }},
      {"swap two labels",
       [](labels32 labels) -> spoiled {
         for (std::size_t v = 1; v < labels.size(); ++v) {
           if (labels[v] != labels[0]) {
             std::swap(labels[0], labels[v]);
             return labels;
           }
         }
         return std::nullopt;
       }},
      {"swap two members",
       [](labels32 labels) -> spoiled {
         // Members only, no roots: every label stays its own smallest vertex, only the edges can tell.
         const auto late = last_member(labels);
         if (!late) return std::nullopt;
         for (std::uint32_t v = 0; v < labels.size(); ++v) {
           if (labels[v] != v && labels[v] != labels[*late] && labels[*late] < v) {
             std::swap(labels[v], labels[*late]);
             return labels;
           }
         }
         return std::nullopt;
       }},
      {"merge the first two",
       [](labels32 labels) -> spoiled {
         const auto roots = roots_of(labels);
         if (roots.size() < 2) return std::nullopt;
         return relabel(std::move(labels), roots[1], roots[0]);
       }},
      {"merge the last two",
       [](labels32 labels) -> spoiled {
         const auto roots = roots_of(labels);
         if (roots.size() < 2) return std::nullopt;
         return relabel(std::move(labels), roots.back(), roots[roots.size() - 2]);
       }},
      {"merge all",
       [](labels32 labels) -> spoiled {
         if (roots_of(labels).size() < 2) return std::nullopt;
         return labels32(labels.size(), 0);
       }},
      {"split one in halves",
       [](labels32 labels) -> spoiled {
         // The upper half of a component becomes one of its own, canonically labelled.
         const auto late = last_member(labels);
         if (!late) return std::nullopt;
         std::vector<std::uint32_t> members;
         for (std::uint32_t v = 0; v < labels.size(); ++v) {
           if (labels[v] == labels[*late]) members.push_back(v);
         }
         for (std::size_t i = members.size() / 2; i < members.size(); ++i) labels[members[i]] = members[members.size() / 2];
         return labels;
       }},
      {"split all",
       [](labels32 labels) -> spoiled {
         if (!last_member(labels)) return std::nullopt;
         for (std::uint32_t v = 0; v < labels.size(); ++v) labels[v] = v;
         return labels;
       }},
      {"out of range by one",
       [](labels32 labels) -> spoiled {
         if (labels.empty()) return std::nullopt;
         labels.back() = static_cast<std::uint32_t>(labels.size());
         return labels;
       }},
      {"far out of range",
       [](labels32 labels) -> spoiled {
         if (labels.empty()) return std::nullopt;
         labels.front() = absent - 1;
         return labels;
       }},
      {"not minimal",
       [](labels32 labels) -> spoiled {
         // The largest vertex of a component stands for it: the partition is right, the labels are not canonical.
         const auto late = last_member(labels);
         if (!late) return std::nullopt;
         const std::uint32_t canonical = labels[*late];
         return relabel(std::move(labels), canonical, *late);
       }},
      {"one not minimal",
       [](labels32 labels) -> spoiled {
         // The last member points to another member, not to the root.
         const auto late = last_member(labels);
         if (!late) return std::nullopt;
         for (std::uint32_t v = 0; v < *late; ++v) {
           if (labels[v] == labels[*late] && labels[v] != v) {
             labels[*late] = v;
             return labels;
           }
         }
         return std::nullopt;
       }},
      {"off by one up",
       [](labels32 labels) -> spoiled {
         if (labels.empty()) return std::nullopt;
         for (auto& label : labels) ++label;
         return labels;
       }},
      {"off by one down",
       [](labels32 labels) -> spoiled {
         if (labels.empty()) return std::nullopt;
         for (auto& label : labels) --label;
         return labels;
       }},
      {"off by one place",
       [](labels32 labels) -> spoiled {
         if (labels.size() < 2) return std::nullopt;
         labels32 shifted = labels;
         std::rotate(shifted.begin(), shifted.begin() + 1, shifted.end());
         return shifted == labels ? std::nullopt : std::optional{shifted};
       }},
      {"one absent",
       [](labels32 labels) -> spoiled {
         if (labels.empty()) return std::nullopt;
         labels[labels.size() / 2] = absent;
         return labels;
       }},
      {"root absent",
       [](labels32 labels) -> spoiled {
         if (labels.empty()) return std::nullopt;
         labels[0] = absent;
         return labels;
       }},
      {"one missing",
       [](labels32 labels) -> spoiled {
         if (labels.empty()) return std::nullopt;
         labels.pop_back();
         return labels;
       }},
      {"one too many",
       [](labels32 labels) -> spoiled {
         labels.push_back(static_cast<std::uint32_t>(labels.size()));
         return labels;
       }},
      {"dense numbers",
       [](labels32 labels) -> spoiled {
         const auto roots = roots_of(labels);
         labels32 numbers;
         for (const std::uint32_t label : labels) {
           numbers.push_back(static_cast<std::uint32_t>(std::lower_bound(roots.begin(), roots.end(), label) - roots.begin()));
         }
         return numbers == labels ? std::nullopt : std::optional{numbers};
       }},
  };
  return all;
}

/// Rows of an edge list, made here: each edge in both rows, or in that of its first end only.
inline csr<std::uint32_t, std::uint64_t> rows_of(const coo<std::uint32_t>& list, bool both) {
  std::vector<std::vector<std::uint32_t>> rows(list.vertex_count);
  for (const edge<std::uint32_t> e : list.edges) {
    rows[e.u].push_back(e.v);
    if (both) rows[e.v].push_back(e.u);
  }
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> targets;
  for (const auto& row : rows) {
    targets.insert(targets.end(), row.begin(), row.end());
    offsets.push_back(targets.size());
  }
  csr<std::uint32_t, std::uint64_t> result;
  result.offsets = to_buffer(offsets);
  result.targets = to_buffer(targets);
  result.symmetric = both ? symmetry::yes : symmetry::no;
  return result;
}

}  // namespace copse::test
