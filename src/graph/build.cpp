// Selects the types of the input (edge lists or rows of any width) and of the result (the narrowest rows); row_builder does the work.
#include "graph/row_builder.hpp"

#include <copse/build.hpp>
#include <copse/errors.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>

namespace copse {
namespace {

/// The arcs of an edge list, as row_builder's parameter `Arcs`: operator() calls visit(u, v) for edges [begin, end).
template <unsigned_index Id>
struct edge_arcs {
  coo_view<Id> edges;

  [[nodiscard]] Id vertices() const noexcept { return edges.vertex_count; }
  [[nodiscard]] std::size_t size() const noexcept { return edges.edges.size(); }
  [[nodiscard]] std::uint64_t arcs() const noexcept { return edges.edges.size(); }

  template <class Visit>
  void operator()(std::size_t begin, std::size_t end, Visit visit) const {
    for (const edge<Id>& e : edges.edges.subspan(begin, end - begin)) visit(e.u, e.v);
  }
};

/// The arcs of rows, as row_builder's parameter `Arcs`: operator() calls visit(u, v) for the arcs of rows [begin, end).
template <unsigned_index Id, unsigned_index Offset>
struct csr_arcs {
  csr_view<Id, Offset> rows;

  [[nodiscard]] Id vertices() const noexcept { return rows.vertices(); }
  [[nodiscard]] std::size_t size() const noexcept { return rows.vertices(); }
  [[nodiscard]] std::uint64_t arcs() const noexcept { return rows.targets.size(); }

  template <class Visit>
  void operator()(std::size_t begin, std::size_t end, Visit visit) const {
    for (std::size_t u = begin; u < end; ++u) {
      for (const Id v : rows.row(static_cast<Id>(u))) visit(static_cast<Id>(u), v);
    }
  }
};

template <unsigned_index Id, unsigned_index Offset>
csr<Id, Offset> narrowed(csr<Id, std::uint64_t> wide, const execution& on) {
  if constexpr (std::is_same_v<Offset, std::uint64_t>) {
    return wide;
  } else {
    if (wide.targets.size() > std::numeric_limits<Offset>::max()) {
      throw resource_error{"build_csr: " + std::to_string(wide.targets.size()) + " arcs do not fit 32-bit offsets, which count to " +
                           std::to_string(std::numeric_limits<Offset>::max())};
    }
    csr<Id, Offset> rows;
    rows.offsets = buffer<Offset>{wide.offsets.size(), on.memory};
    std::transform(wide.offsets.begin(), wide.offsets.end(), rows.offsets.begin(), [](std::uint64_t o) { return static_cast<Offset>(o); });
    rows.targets = std::move(wide.targets);
    rows.sorted = true;
    return rows;
  }
}

/// True if the number of arcs, before duplicates are dropped, fits in 32-bit offsets.
bool fits_narrow(std::uint64_t arcs, bool mirror) noexcept {
  return arcs <= std::numeric_limits<std::uint32_t>::max() / (mirror ? 2u : 1u);
}

template <unsigned_index Id, unsigned_index Offset, class Arcs>
csr<Id, Offset> build(const Arcs& arcs, bool mirror, const request<build_options>& options) {
  const bucket_plan plan{arcs.vertices(), mirror ? 2 * arcs.arcs() : arcs.arcs(), sizeof(Id)};
  const auto run = [&]<class Wide>(Wide) {
    return plan.shift <= 16 ? row_builder<Id, Wide, std::uint16_t, Arcs>{arcs, mirror, plan, options}.run()
                            : row_builder<Id, Wide, std::uint32_t, Arcs>{arcs, mirror, plan, options}.run();
  };
  if constexpr (std::is_same_v<Offset, std::uint32_t>) {
    if (!fits_narrow(arcs.arcs(), mirror)) return narrowed<Id, Offset>(run(std::uint64_t{}), options);
  }
  return run(Offset{});
}

/// Builds rows with the narrowest offsets: 32 bits if the finished rows fit, even if the input with its duplicates does not.
template <unsigned_index Id, class Arcs>
graph narrowest(const Arcs& arcs, bool mirror, symmetry symmetric, const request<build_options>& options) {
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

/// Passes 64-bit ids on as 32-bit ids, if there are few enough vertices.
template <class Arcs>
struct narrow_ids {
  Arcs wide;

  [[nodiscard]] std::uint32_t vertices() const noexcept { return static_cast<std::uint32_t>(wide.vertices()); }
  [[nodiscard]] std::size_t size() const noexcept { return wide.size(); }
  [[nodiscard]] std::uint64_t arcs() const noexcept { return wide.arcs(); }

  template <class Visit>
  void operator()(std::size_t begin, std::size_t end, Visit visit) const {
    // An id too large for 32 bits becomes no_vertex, which is too large as well, and is refused.
    const auto narrow = [](std::uint64_t id) { return static_cast<std::uint32_t>(std::min<std::uint64_t>(id, no_vertex<std::uint32_t>)); };
    wide(begin, end, [&](std::uint64_t u, std::uint64_t v) { visit(narrow(u), narrow(v)); });
  }
};

template <unsigned_index Id, class Arcs>
graph rows_of(const Arcs& arcs, bool mirror, symmetry symmetric, const request<build_options>& options) {
  if constexpr (std::is_same_v<Id, std::uint64_t>) {
    if (arcs.vertices() <= no_vertex<std::uint32_t>) {
      return narrowest<std::uint32_t>(narrow_ids<Arcs>{arcs}, mirror, symmetric, options);
    }
  }
  return narrowest<Id>(arcs, mirror, symmetric, options);
}

template <unsigned_index Id>
graph rows_of(coo_view<Id> edges, const request<build_options>& options) {
  return rows_of<Id>(edge_arcs<Id>{edges}, options.symmetrise, options.symmetrise ? symmetry::yes : symmetry::unknown, options);
}

template <unsigned_index Id, unsigned_index Offset>
graph rows_of(csr_view<Id, Offset> rows, const request<build_options>& options) {
  return rows_of<Id>(csr_arcs<Id, Offset>{rows}, options.symmetrise && rows.symmetric != symmetry::yes,
                     options.symmetrise ? symmetry::yes : rows.symmetric, options);
}

}  // namespace

graph build_csr(const graph& edges, const build_options& options, const execution& on) {
  return build_csr(edges.view(), options, on).renamed(edges.names());
}

graph build_csr(graph_view edges, const build_options& options, const execution& on) {
  const request<build_options> asked{options, on};
  return std::visit([&](const auto& shape) { return rows_of(shape, asked); }, edges);
}

template <unsigned_index Id, unsigned_index Offset>
csr<Id, Offset> build_rows(coo_view<Id> edges, const build_options& options, const execution& on) {
  csr<Id, Offset> rows = build<Id, Offset>(edge_arcs<Id>{edges}, options.symmetrise, request<build_options>{options, on});
  if (options.symmetrise) rows.symmetric = symmetry::yes;
  return rows;
}

template <unsigned_index Id, unsigned_index Offset>
csr<Id, Offset> symmetrise(csr_view<Id, Offset> rows, const build_options& options, const execution& on) {
  csr<Id, Offset> both =
      build<Id, Offset>(csr_arcs<Id, Offset>{rows}, rows.symmetric != symmetry::yes, request<build_options>{options, on});
  both.symmetric = symmetry::yes;
  return both;
}

template csr<std::uint32_t, std::uint32_t> build_rows(coo_view<std::uint32_t>, const build_options&, const execution&);
template csr<std::uint32_t, std::uint64_t> build_rows(coo_view<std::uint32_t>, const build_options&, const execution&);
template csr<std::uint64_t, std::uint64_t> build_rows(coo_view<std::uint64_t>, const build_options&, const execution&);
template csr<std::uint32_t, std::uint32_t> symmetrise(csr_view<std::uint32_t, std::uint32_t>, const build_options&, const execution&);
template csr<std::uint32_t, std::uint64_t> symmetrise(csr_view<std::uint32_t, std::uint64_t>, const build_options&, const execution&);
template csr<std::uint64_t, std::uint64_t> symmetrise(csr_view<std::uint64_t, std::uint64_t>, const build_options&, const execution&);

}  // namespace copse
