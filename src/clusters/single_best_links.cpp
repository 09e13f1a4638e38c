// single_best_links(): the rounds of Splink's SQL, in which a round looks only at what the previous round may have changed.
//
// Each vertex has its pairs in order, so that its best pair is the first one that leads to a cluster it may join; a cluster's best pair is
// the best of its vertices. A move changes two clusters; only their vertices, and the vertices that have pairs with these, can have another
// best pair in the next round. A round costs the number of pairs of those vertices.
#include <clusters/scored_pair.hpp>
#include <copse/cluster.hpp>
#include <copse/errors.hpp>
#include <core/parallel.hpp>
#include <core/parallel_buffers.hpp>
#include <core/team.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace copse {
namespace {

using namespace clusters;

/// A pair, seen from one of its ends. Better links compare as smaller.
template <unsigned_index Id>
struct scored_link {
  std::uint64_t key;  ///< key_of(score of the pair): smaller for a higher score
  Id other;
  friend auto operator<=>(const scored_link&, const scored_link&) = default;
};

/// The links of each vertex, the best first.
template <unsigned_index Id>
class link_rows {
public:
  /// Makes the rows by two calls of each_pair(use), which count the links of each vertex and then store them. Each time each_pair has to
  /// call use(u, v, score) for every pair, on one thread.
  template <class EachPair>
  link_rows(Id vertices, EachPair each_pair, unsigned threads, std::pmr::memory_resource* memory)
      : offsets_{filled(std::size_t{vertices} + 2, std::size_t{0}, threads, memory)} {
    each_pair([&](Id u, Id v, double) { ++offsets_[u + std::size_t{2}], ++offsets_[v + std::size_t{2}]; });
    for (std::size_t v = 2; v < offsets_.size(); ++v) offsets_[v] += offsets_[v - 1];
    links_ = buffer<scored_link<Id>>{offsets_[vertices + std::size_t{1}], memory};
    each_pair([&](Id u, Id v, double score) {
      const std::uint64_t key = key_of(score);
      links_[offsets_[u + std::size_t{1}]++] = {key, v};
      links_[offsets_[v + std::size_t{1}]++] = {key, u};
    });
    parallel_blocks(threads, vertices, items_per_block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) std::ranges::sort(links_.begin() + offsets_[v], links_.begin() + offsets_[v + 1]);
    });
  }

  [[nodiscard]] std::size_t begin_of(Id v) const noexcept { return offsets_[v]; }
  [[nodiscard]] std::span<const scored_link<Id>> of(Id v) const noexcept {
    return links_.span().subspan(offsets_[v], offsets_[v + std::size_t{1}] - offsets_[v]);
  }
  [[nodiscard]] std::size_t links() const noexcept { return links_.size(); }

  /// Keeps the links for which is_wanted(i) is true, where i is the position of the link among those of all vertices.
  template <class IsWanted>
  void keep(IsWanted is_wanted, unsigned threads, std::pmr::memory_resource* memory) {
    const std::size_t vertices = offsets_.size() - 2;
    buffer<std::size_t> kept = filled(offsets_.size(), std::size_t{0}, threads, memory);
    std::size_t next = 0;
    for (std::size_t v = 0, i = 0; v < vertices; ++v) {
      kept[v] = next;
      for (; i < offsets_[v + 1]; ++i) next += is_wanted(i) ? 1 : 0;
    }
    kept[vertices] = next;
    links_ = selected<scored_link<Id>>(
        links_.size(), is_wanted, [&](std::size_t i) { return links_[i]; }, threads, memory);
    offsets_ = std::move(kept);
  }

private:
  buffer<std::size_t> offsets_;
  buffer<scored_link<Id>> links_;
};

/// Drops links of a vertex that have the same score and lead to several vertices of one group, and the same links in the other direction.
template <unsigned_index Id>
void drop_ties(link_rows<Id>& rows, std::span<const std::uint64_t> groups, unsigned threads, std::pmr::memory_resource* memory) {
  buffer<unsigned char> ties = filled(rows.links(), static_cast<unsigned char>(0), threads, memory);
  parallel_blocks(threads, groups.size(), items_per_block, [&](std::size_t begin, std::size_t end) {
    std::vector<std::pair<std::uint64_t, Id>> others;  // the links of v with the same score, each as (groups[w], w) of its other vertex w
    for (std::size_t v = begin; v < end; ++v) {
      const auto links = rows.of(static_cast<Id>(v));
      for (std::size_t from = 0, to = 0; from < links.size(); from = to) {
        others.clear();
        for (; to < links.size() && links[to].key == links[from].key; ++to) others.emplace_back(groups[links[to].other], links[to].other);
        std::ranges::sort(others);
        others.erase(std::unique(others.begin(), others.end()), others.end());
        for (std::size_t i = from; i < to; ++i) {
          const std::uint64_t group = groups[links[i].other];
          const auto first = std::lower_bound(others.begin(), others.end(), std::pair{group, Id{0}});
          const bool several = others.end() - first > 1 && std::next(first)->first == group;
          if (group != value_limit::no_value && several) ties[rows.begin_of(static_cast<Id>(v)) + i] = 1;
        }
      }
    }
  });
  buffer<unsigned char> dropped = filled(rows.links(), static_cast<unsigned char>(0), threads, memory);
  parallel_blocks(threads, groups.size(), items_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const auto links = rows.of(static_cast<Id>(v));
      for (std::size_t i = 0; i < links.size(); ++i) {
        const auto back = rows.of(links[i].other);
        const auto found = std::ranges::lower_bound(back, scored_link<Id>{links[i].key, static_cast<Id>(v)});
        const std::size_t here = rows.begin_of(static_cast<Id>(v)) + i;
        dropped[here] = ties[here] | ties[rows.begin_of(links[i].other) + static_cast<std::size_t>(found - back.begin())];
      }
    }
  });
  rows.keep([&](std::size_t i) { return dropped[i] == 0; }, threads, memory);
}

template <unsigned_index Id>
class rounds {
public:
  rounds(const link_rows<Id>& rows, std::span<const std::uint64_t> groups, const execution& on)
      : rows_{rows},
        groups_{groups},
        on_{on},
        threads_{usable_threads(on.threads)},
        labels_{numbered()},
        next_{numbered()},
        before_{numbered()},
        first_{numbered()},
        best_of_vertex_{filled(groups.size(), nothing, threads_, on.memory)},
        best_of_cluster_{filled(groups.size(), nothing, threads_, on.memory)},
        seen_in_{filled(groups.size(), std::uint32_t{0}, threads_, on.memory)} {
    std::uint64_t most = 0;
    for (const std::uint64_t group : groups) most = group < value_limit::left_out ? std::max(most, group + 1) : most;
    words_ = static_cast<std::size_t>((most + 63) / 64);
    present_ = filled(groups.size() * words_, std::uint64_t{0}, threads_, on.memory);
    for (std::size_t v = 0; v < groups.size(); ++v) add_group(v, v);
  }

  /// Runs all rounds, and returns the label of each vertex.
  buffer<Id> run() && {
    std::vector<Id> vertices(groups_.size()), clusters;
    for (std::size_t v = 0; v < vertices.size(); ++v) vertices[v] = static_cast<Id>(v);
    while (!vertices.empty()) {
      if (on_.observer != nullptr && on_.observer->cancel_requested()) throw cancelled{};
      each(vertices, [&](Id v) { best_of_vertex_[v] = best_link_of(v); });
      clusters = distinct(vertices, [&](Id v, auto use) { use(labels_[v]); });
      each(clusters, [&](Id c) { best_of_cluster_[c] = best_link_of_cluster(c); });
      const std::vector<Id> changed = move_vertices(clusters);
      vertices = distinct(changed, [&](Id c, auto use) {
        each_of(c, [&](Id v) {
          use(v);
          for (const auto& to : rows_.of(v)) use(to.other);
        });
      });
    }
    return std::move(labels_);
  }

private:
  static constexpr scored_link<Id> nothing{UINT64_MAX, no_vertex<Id>};

  [[nodiscard]] buffer<Id> numbered() const {
    return made<Id>(
        groups_.size(), [](std::size_t v) { return static_cast<Id>(v); }, threads_, on_.memory);
  }
  template <class Work>
  void each(const std::vector<Id>& all, Work work) const {
    parallel_blocks(threads_, all.size(), std::size_t{1} << 10, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) work(all[i]);
    });
  }
  /// Calls some(element, use) for all elements, and lists the vertices or clusters that were passed to use(), each once.
  template <class Some>
  std::vector<Id> distinct(const std::vector<Id>& all, Some some) {
    ++step_;
    std::vector<std::vector<Id>> found(threads_);
    parallel_blocks(threads_, all.size(), std::size_t{1} << 10, [&](std::size_t begin, std::size_t end) {
      std::vector<Id>& own = found[worker_number()];
      for (std::size_t i = begin; i < end; ++i) {
        some(all[i], [&](Id one) {
          const std::atomic_ref<std::uint32_t> seen{seen_in_[one]};
          if (seen.load(std::memory_order_relaxed) != step_ && seen.exchange(step_, std::memory_order_relaxed) != step_) own.push_back(one);
        });
      }
    });
    std::vector<Id> together = std::move(found.front());
    for (std::size_t w = 1; w < found.size(); ++w) together.insert(together.end(), found[w].begin(), found[w].end());
    return together;
  }
  template <class Visit>
  void each_of(Id cluster, Visit visit) const {
    const Id first = first_[cluster];
    if (first == no_vertex<Id>) return;
    Id v = first;
    do {
      visit(v);
      v = next_[v];
    } while (v != first);
  }

  void add_group(std::size_t cluster, std::size_t v) {
    if (groups_[v] < value_limit::left_out) present_[cluster * words_ + groups_[v] / 64] |= std::uint64_t{1} << groups_[v] % 64;
  }
  [[nodiscard]] bool may_join(Id a, Id b) const noexcept {
    if (a == b) return false;
    for (std::size_t w = 0; w < words_; ++w) {
      if ((present_[a * words_ + w] & present_[b * words_ + w]) != 0) return false;
    }
    return true;
  }
  [[nodiscard]] scored_link<Id> best_link_of(Id v) const noexcept {
    for (const auto& to : rows_.of(v)) {
      if (may_join(labels_[v], labels_[to.other])) return to;
    }
    return nothing;
  }
  [[nodiscard]] scored_link<Id> best_link_of_cluster(Id cluster) const noexcept {
    scored_link<Id> best = nothing;
    each_of(cluster, [&](Id v) { best = std::min(best, best_of_vertex_[v]); });
    return best;
  }

  /// Moves vertices: if the best links of two clusters are the same pair, its vertex in the cluster with the larger label moves to the
  /// other cluster. Returns the clusters that changed. Precondition: of two clusters that are each other's best, at least one is in
  /// `clusters`.
  std::vector<Id> move_vertices(const std::vector<Id>& clusters) {
    std::vector<std::pair<Id, Id>> moves;  // a vertex, and the cluster to which it moves
    for (const Id c : clusters) {
      const scored_link<Id> out = best_of_cluster_[c];
      if (out.other == no_vertex<Id>) continue;
      const Id d = labels_[out.other];
      const scored_link<Id> back = best_of_cluster_[d];
      if (back.key != out.key || labels_[back.other] != c) continue;
      if (best_of_vertex_[back.other] != out) continue;  // the two best links are different pairs
      moves.emplace_back(c < d ? out.other : back.other, std::min(c, d));
    }
    std::ranges::sort(moves);
    moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
    std::vector<Id> changed;
    for (const auto& [v, to] : moves) {
      const Id from = labels_[v];
      move(v, from, to);
      for (const Id cluster : {from, to}) {
        std::fill_n(present_.begin() + cluster * words_, words_, std::uint64_t{0});
        each_of(cluster, [&](Id w) { add_group(cluster, w); });
        changed.push_back(cluster);
      }
    }
    return changed;
  }
  void move(Id v, Id from, Id to) {
    const Id next = next_[v];
    if (first_[from] == v) first_[from] = next == v ? no_vertex<Id> : next;
    next_[before_[v]] = next;
    before_[next] = before_[v];
    const Id head = first_[to], last = before_[head];
    next_[last] = v;
    before_[v] = last;
    next_[v] = head;
    before_[head] = v;
    labels_[v] = to;
  }

  const link_rows<Id>& rows_;
  std::span<const std::uint64_t> groups_;
  const execution& on_;
  unsigned threads_;
  buffer<Id> labels_;
  buffer<Id> next_, before_;  ///< a circular list of the vertices of each cluster
  buffer<Id> first_;          ///< for each label a vertex of its cluster, or no_vertex
  buffer<scored_link<Id>> best_of_vertex_, best_of_cluster_;
  std::size_t words_ = 0;
  buffer<std::uint64_t> present_;  ///< a bit per label and group: set if the cluster has a vertex of the group
  buffer<std::uint32_t> seen_in_;  ///< for each vertex or cluster, the number of the last call of distinct() that listed it
  std::uint32_t step_ = 0;
};

}  // namespace

buffer<std::uint64_t> single_best_links(graph_view g, std::span<const double> scores, std::span<const std::uint64_t> groups, link_ties ties,
                                        const execution& on) {
  const unsigned threads = usable_threads(on.threads);
  const auto labels_of_list = [&]<class Id>(const coo_view<Id>& list) {
    if (groups.size() != list.vertices()) {
      throw usage_error{"single_best_links: groups must have one element per vertex, " + std::to_string(list.vertices()) + ", not " +
                        std::to_string(groups.size())};
    }
    if (scores.size() != list.edges.size()) {
      throw usage_error{"single_best_links: scores must have one element per edge, " + std::to_string(list.edges.size()) + ", not " +
                        std::to_string(scores.size())};
    }
    const auto each_pair = [&](auto use) {
      for (std::size_t i = 0; i < list.edges.size(); ++i) {
        const auto [u, v] = list.edges[i];
        if (u != v && groups[u] != value_limit::left_out && groups[v] != value_limit::left_out) use(u, v, scores[i]);
      }
    };
    link_rows<Id> rows{list.vertices(), each_pair, threads, on.memory};
    if (ties == link_ties::drop) drop_ties(rows, groups, threads, on.memory);
    const buffer<Id> labels = rounds<Id>{rows, groups, on}.run();
    return made<std::uint64_t>(
        labels.size(), [&](std::size_t v) { return std::uint64_t{labels[v]}; }, threads, on.memory);
  };
  return std::visit(
      [&](const auto& view) -> buffer<std::uint64_t> {
        if constexpr (requires { view.edges; }) {
          return labels_of_list(view);
        } else {
          throw usage_error{"single_best_links: the graph must be a list of edges, not rows"};
        }
      },
      g);
}

}  // namespace copse
