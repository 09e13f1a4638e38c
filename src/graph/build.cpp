// Rows from arcs: count the arcs of each row, scan, scatter, sort each row, drop repeats in place, and close the gaps.
// The scatter fills a row in any order, the sort makes it the same for any number of threads.
// Cost: O(n + m) and the sorting of each row; memory: the arcs once while they are sorted, twice while gaps (if any) are closed.
#include "core/parallel.hpp"
#include "graph/scan.hpp"
#include "graph/sort_row.hpp"

#include <copse/core/error.hpp>
#include <copse/graph/build.hpp>

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>
#include <type_traits>

namespace copse {
namespace {

constexpr std::size_t edges_per_block = std::size_t{1} << 16;
constexpr std::size_t rows_per_block = 2048;

/// Calls back for every arc that the rows will hold, in blocks; knows the shape of the input.
template <unsigned_index Id>
struct edge_arcs {
  coo_view<Id> edges;

  [[nodiscard]] Id vertices() const noexcept { return edges.vertex_count; }
  [[nodiscard]] std::size_t size() const noexcept { return edges.edges.size(); }
  [[nodiscard]] std::uint64_t arcs() const noexcept { return edges.edges.size(); }
  [[nodiscard]] std::size_t block() const noexcept { return edges_per_block; }

  template <class Visit>
  void operator()(std::size_t begin, std::size_t end, Visit visit) const {
    for (const edge<Id>& e : edges.edges.subspan(begin, end - begin)) visit(e.u, e.v);
  }
};

template <unsigned_index Id, unsigned_index Offset>
struct row_arcs {
  csr_view<Id, Offset> rows;

  [[nodiscard]] Id vertices() const noexcept { return rows.vertices(); }
  [[nodiscard]] std::size_t size() const noexcept { return rows.vertices(); }
  [[nodiscard]] std::uint64_t arcs() const noexcept { return rows.targets.size(); }
  [[nodiscard]] std::size_t block() const noexcept { return rows_per_block; }

  template <class Visit>
  void operator()(std::size_t begin, std::size_t end, Visit visit) const {
    for (std::size_t u = begin; u < end; ++u) {
      for (const Id v : rows.row(static_cast<Id>(u))) visit(static_cast<Id>(u), v);
    }
  }
};

/// Two threads may count or place in the same row; one thread needs no atomics.
template <bool Shared, unsigned_index Offset>
Offset fetch_increment(Offset& counter) noexcept {
  if constexpr (Shared) {
    return std::atomic_ref{counter}.fetch_add(1, std::memory_order_relaxed);
  } else {
    return counter++;
  }
}

void stop_if_asked(const build_options& options) {
  if (options.observer != nullptr && options.observer->cancel_requested()) throw cancelled{};
}

template <class Work>
void blocks(const build_options& options, unsigned threads, std::size_t count, std::size_t block, Work work) {
  parallel_blocks(threads, count, block, [&](std::size_t begin, std::size_t end) {
    stop_if_asked(options);
    work(begin, end);
  });
}

template <bool Shared, unsigned_index Id, unsigned_index Offset, class Arcs>
class builder {
public:
  builder(const Arcs& arcs, bool mirror, const build_options& options)
      : arcs_{arcs}, mirror_{mirror}, options_{options}, threads_{usable_threads(options.threads)}, n_{arcs.vertices()} {}

  csr<Id, Offset> run() {
    csr<Id, Offset> rows;
    rows.offsets = buffer<Offset>{n_ + 1, options_.memory};
    count(rows.offsets);
    const Offset total = exclusive_scan(rows.offsets.span(), threads_);
    rows.targets = buffer<Id>{static_cast<std::size_t>(total), options_.memory};
    scatter(rows);
    sort(rows);
    rows.sorted = true;
    return rows;
  }

private:
  template <class Visit>
  void for_each_arc(Visit visit) const {
    blocks(options_, threads_, arcs_.size(), arcs_.block(), [&](std::size_t begin, std::size_t end) {
      arcs_(begin, end, [&](Id u, Id v) {
        if (u == v) {
          if (!options_.drop_loops) visit(u, v);
          return;
        }
        visit(u, v);
        if (mirror_) visit(v, u);
      });
    });
  }

  void count(buffer<Offset>& offsets) const {
    blocks(options_, threads_, offsets.size(), edges_per_block,
           [&](std::size_t begin, std::size_t end) { std::fill(offsets.begin() + begin, offsets.begin() + end, Offset{0}); });
    for_each_arc([&](Id u, Id v) {
      if (u >= n_ || v >= n_) {
        throw usage_error{"build_csr: found edge " + std::to_string(u) + " " + std::to_string(v) + ", expected vertices below " +
                          std::to_string(n_)};
      }
      fetch_increment<Shared>(offsets[u]);
    });
  }

  // Placing moves offsets[u] from the start of row u to its end, which is the start of row u + 1: no second array of cursors.
  void scatter(csr<Id, Offset>& rows) const {
    for_each_arc([&](Id u, Id v) { rows.targets[fetch_increment<Shared>(rows.offsets[u])] = v; });
  }

  void sort(csr<Id, Offset>& rows) const {
    buffer<Offset> lengths{n_ + 1, options_.memory};
    lengths[n_] = 0;
    blocks(options_, threads_, n_, rows_per_block, [&](std::size_t begin, std::size_t end) {
      row_sorter<Id> sort_row{n_, options_.memory};
      Offset start = begin == 0 ? Offset{0} : rows.offsets[begin - 1];
      for (std::size_t u = begin; u < end; ++u) {
        const std::span<Id> row = rows.targets.span().subspan(start, rows.offsets[u] - start);
        start = rows.offsets[u];
        sort_row(row);
        lengths[u] = static_cast<Offset>(options_.drop_duplicates ? std::unique(row.begin(), row.end()) - row.begin() : row.size());
      }
    });
    const Offset total = exclusive_scan(lengths.span(), threads_);
    if (total != rows.targets.size()) close_gaps(rows, lengths, total);
    rows.offsets = std::move(lengths);
  }

  void close_gaps(csr<Id, Offset>& rows, const buffer<Offset>& starts, Offset total) const {
    buffer<Id> targets{static_cast<std::size_t>(total), options_.memory};
    blocks(options_, threads_, n_, rows_per_block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t u = begin; u < end; ++u) {
        std::copy_n(rows.targets.begin() + (u == 0 ? 0 : rows.offsets[u - 1]), starts[u + 1] - starts[u], targets.begin() + starts[u]);
      }
    });
    rows.targets = std::move(targets);
  }

  const Arcs& arcs_;
  bool mirror_;
  const build_options& options_;
  unsigned threads_;
  std::size_t n_;
};

template <unsigned_index Id, unsigned_index Offset>
csr<Id, Offset> narrowed(csr<Id, std::uint64_t> wide, const build_options& options) {
  if constexpr (std::is_same_v<Offset, std::uint64_t>) {
    return wide;
  } else {
    if (wide.targets.size() > std::numeric_limits<Offset>::max()) {
      throw resource_error{"build_csr: " + std::to_string(wide.targets.size()) + " arcs do not fit 32-bit offsets, which count to " +
                           std::to_string(std::numeric_limits<Offset>::max())};
    }
    csr<Id, Offset> rows;
    rows.offsets = buffer<Offset>{wide.offsets.size(), options.memory};
    std::transform(wide.offsets.begin(), wide.offsets.end(), rows.offsets.begin(), [](std::uint64_t o) { return static_cast<Offset>(o); });
    rows.targets = std::move(wide.targets);
    rows.sorted = true;
    return rows;
  }
}

/// Do the arcs fit 32-bit offsets even before repeats are dropped?
bool fits_narrow(std::uint64_t arcs, bool mirror) noexcept {
  return arcs <= std::numeric_limits<std::uint32_t>::max() / (mirror ? 2u : 1u);
}

template <unsigned_index Id, unsigned_index Offset, class Arcs>
csr<Id, Offset> build(const Arcs& arcs, bool mirror, const build_options& options) {
  const auto run = [&]<class Wide>(Wide) {
    return usable_threads(options.threads) > 1 ? builder<true, Id, Wide, Arcs>{arcs, mirror, options}.run()
                                               : builder<false, Id, Wide, Arcs>{arcs, mirror, options}.run();
  };
  if constexpr (std::is_same_v<Offset, std::uint32_t>) {
    if (!fits_narrow(arcs.arcs(), mirror)) return narrowed<Id, Offset>(run(std::uint64_t{}), options);
  }
  return run(Offset{});
}

/// The narrowest offsets: 32 bits when the rows turn out to fit, whatever came in.
template <unsigned_index Id, class Arcs>
graph narrowest(const Arcs& arcs, bool mirror, symmetry symmetric, const build_options& options) {
  const auto finished = [symmetric](auto rows) {
    rows.symmetric = symmetric;
    return graph{std::move(rows)};
  };
  if constexpr (std::is_same_v<Id, std::uint32_t>) {
    if (fits_narrow(arcs.arcs(), mirror)) return finished(build<Id, std::uint32_t>(arcs, mirror, options));
    auto wide = build<Id, std::uint64_t>(arcs, mirror, options);
    if (wide.targets.size() <= std::numeric_limits<std::uint32_t>::max()) {
      return finished(narrowed<Id, std::uint32_t>(std::move(wide), options));
    }
    return finished(std::move(wide));
  } else {
    return finished(build<Id, std::uint64_t>(arcs, mirror, options));
  }
}

/// 64-bit ids of few vertices, passed on as 32-bit ones.
template <class Arcs>
struct narrow_ids {
  Arcs wide;

  [[nodiscard]] std::uint32_t vertices() const noexcept { return static_cast<std::uint32_t>(wide.vertices()); }
  [[nodiscard]] std::size_t size() const noexcept { return wide.size(); }
  [[nodiscard]] std::uint64_t arcs() const noexcept { return wide.arcs(); }
  [[nodiscard]] std::size_t block() const noexcept { return wide.block(); }

  template <class Visit>
  void operator()(std::size_t begin, std::size_t end, Visit visit) const {
    // An id too large to narrow stays too large, and is refused.
    const auto narrow = [](std::uint64_t id) { return static_cast<std::uint32_t>(std::min<std::uint64_t>(id, no_vertex<std::uint32_t>)); };
    wide(begin, end, [&](std::uint64_t u, std::uint64_t v) { visit(narrow(u), narrow(v)); });
  }
};

template <unsigned_index Id, class Arcs>
graph rows_of(const Arcs& arcs, bool mirror, symmetry symmetric, const build_options& options) {
  if constexpr (std::is_same_v<Id, std::uint64_t>) {
    if (arcs.vertices() <= no_vertex<std::uint32_t>) {
      return narrowest<std::uint32_t>(narrow_ids<Arcs>{arcs}, mirror, symmetric, options);
    }
  }
  return narrowest<Id>(arcs, mirror, symmetric, options);
}

template <unsigned_index Id>
graph rows_of(coo_view<Id> edges, const build_options& options) {
  return rows_of<Id>(edge_arcs<Id>{edges}, options.symmetrise, options.symmetrise ? symmetry::yes : symmetry::unknown, options);
}

template <unsigned_index Id, unsigned_index Offset>
graph rows_of(csr_view<Id, Offset> rows, const build_options& options) {
  return rows_of<Id>(row_arcs<Id, Offset>{rows}, options.symmetrise && rows.symmetric != symmetry::yes,
                     options.symmetrise ? symmetry::yes : rows.symmetric, options);
}

}  // namespace

graph build_csr(const graph& edges, const build_options& options) { return build_csr(edges.view(), options).renamed(edges.names()); }

graph build_csr(graph_view edges, const build_options& options) {
  return std::visit([&](const auto& shape) { return rows_of(shape, options); }, edges);
}

template <unsigned_index Id, unsigned_index Offset>
csr<Id, Offset> build_rows(coo_view<Id> edges, const build_options& options) {
  csr<Id, Offset> rows = build<Id, Offset>(edge_arcs<Id>{edges}, options.symmetrise, options);
  if (options.symmetrise) rows.symmetric = symmetry::yes;
  return rows;
}

template <unsigned_index Id, unsigned_index Offset>
csr<Id, Offset> symmetrise(csr_view<Id, Offset> rows, const build_options& options) {
  csr<Id, Offset> both = build<Id, Offset>(row_arcs<Id, Offset>{rows}, rows.symmetric != symmetry::yes, options);
  both.symmetric = symmetry::yes;
  return both;
}

template csr<std::uint32_t, std::uint32_t> build_rows(coo_view<std::uint32_t>, const build_options&);
template csr<std::uint32_t, std::uint64_t> build_rows(coo_view<std::uint32_t>, const build_options&);
template csr<std::uint64_t, std::uint64_t> build_rows(coo_view<std::uint64_t>, const build_options&);
template csr<std::uint32_t, std::uint32_t> symmetrise(csr_view<std::uint32_t, std::uint32_t>, const build_options&);
template csr<std::uint32_t, std::uint64_t> symmetrise(csr_view<std::uint32_t, std::uint64_t>, const build_options&);
template csr<std::uint64_t, std::uint64_t> symmetrise(csr_view<std::uint64_t, std::uint64_t>, const build_options&);

}  // namespace copse
