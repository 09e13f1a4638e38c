// The algorithms of Cong and Muzio (Euro-Par 2014) as they print them, over a list of edges that may be overwritten. The library's variants
// of the same names look at a word before they graft, and store only what is smaller, which saves rounds; so do these on request, to tell
// what a look costs. As printed a graft only stores. Words are read and written by several threads at a time; whichever store is last
// stands, and the other grafts are tried again in the next round: a round with a graft leaves fewer roots, as only words that were roots
// are stored into.
#pragma once
#include <copse/extend/parents/atomic.hpp>
#include <copse/views.hpp>
#include <core/parallel.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace copse::lab {

class as_printed {
public:
  using id = std::uint32_t;

  as_printed(unsigned threads, id vertices, bool looks = false) : threads_{threads}, looks_{looks}, d_(vertices) {
    for_blocks(vertices, [d = words()](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) d.store(static_cast<id>(v), static_cast<id>(v));
    });
  }

  /// Algorithm 1, which reads the label of either end; each edge once, as in the paper's own code.
  void cc(std::span<const edge<id>> edges) {
    while (graft(edges, [d = words()](edge<id> e) { return edge<id>{d.load(e.u), d.load(e.v)}; })) shortcut();
  }
  /// Algorithm 2, whose edges carry the labels of their ends. Precondition: they do.
  void cc_updt(std::span<edge<id>> edges) {
    while (graft(edges, [](edge<id> e) { return e; })) {
      shortcut();
      update(edges);
    }
  }
  /// Algorithm 3 over Algorithm 1, with groups of q n edges. Precondition: the edges are in random order.
  void stages(std::span<edge<id>> edges, double q = 1) {
    const auto group = std::max<std::size_t>(1, static_cast<std::size_t>(q * static_cast<double>(d_.size())));
    for (std::size_t first = 0; first < edges.size(); first += group) {
      const auto part = edges.subspan(first, std::min(group, edges.size() - first));
      if (first > 0) update(part);
      cc(part);
    }
  }

  /// The smallest vertex of its component for each vertex.
  [[nodiscard]] const std::vector<id>& labels() const noexcept { return d_; }
  /// Passes of grafts so far, the last of a solve included, which finds nothing to graft.
  [[nodiscard]] unsigned rounds() const noexcept { return rounds_; }

private:
  template <class F>
  void for_blocks(std::size_t count, F f) const {
    parallel_blocks(threads_, count, std::size_t{1} << 15, f);
  }
  /// Was there anything to graft?
  template <class Labels>
  bool graft(std::span<const edge<id>> edges, Labels labels) {
    ++rounds_;
    std::atomic<bool> any{false};
    for_blocks(edges.size(), [edges, labels, &any, d = words(), looks = looks_](std::size_t begin, std::size_t end) {
      bool own = false;
      for (std::size_t i = begin; i < end; ++i) {
        const edge<id> e = labels(edges[i]);
        if (e.u == e.v) continue;
        own = true;
        const id high = std::max(e.u, e.v), low = std::min(e.u, e.v);
        if (!looks || low < d.load(high)) d.store(high, low);
      }
      if (own) any.store(true, std::memory_order_relaxed);
    });
    return any.load();
  }
  void shortcut() {
    for_blocks(d_.size(), [d = words()](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const id v = static_cast<id>(i);
        for (id above = d.load(d.load(v)); d.load(v) != above; above = d.load(d.load(v))) d.store(v, above);
      }
    });
  }
  void update(std::span<edge<id>> edges) {
    for_blocks(edges.size(), [edges, d = words()](std::size_t begin, std::size_t end) {
      for (edge<id>& e : edges.subspan(begin, end - begin)) e = {d.load(e.u), d.load(e.v)};
    });
  }
  /// Held in registers in the loops: through `this` every access would load it anew, and CC take twice as long.
  [[nodiscard]] parents::atomic<id> words() noexcept { return parents::atomic<id>{d_.data()}; }

  unsigned threads_, rounds_ = 0;
  bool looks_;
  std::vector<id> d_;
};

}  // namespace copse::lab
