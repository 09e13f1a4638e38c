// Graphs as arrays: CSR, edge list, successor list. A type `x` owns its arrays, the type `x_view` refers to the caller's.
#pragma once
#include <copse/memory.hpp>
#include <copse/types.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <variant>

struct CUstream_st;

namespace copse {

/// Views an array of 32-bit or 64-bit integers of any type as ids: `csr_view{as_ids(offsets), as_ids(targets)}` for vectors of int or long
/// long. The bits are unchanged, so a negative number is not a vertex, and -1 is no_vertex. The library reads the array in code that is
/// compiled separately from the caller, so that the different types do not break aliasing rules.
template <class Array>
[[nodiscard]] auto as_ids(Array&& integers) noexcept {
  const std::span array{integers};
  using given = typename decltype(array)::element_type;
  static_assert(std::integral<std::remove_const_t<given>> && (sizeof(given) == 4 || sizeof(given) == 8), "integers of 32 or 64 bits");
  using id = std::conditional_t<sizeof(given) == 4, std::uint32_t, std::uint64_t>;
  using element = std::conditional_t<std::is_const_v<given>, const id, id>;
  return std::span<element>{reinterpret_cast<element*>(array.data()), array.size()};
}

// Compressed sparse rows: the arcs of vertex v are targets[offsets[v]] .. targets[offsets[v + 1] - 1].

/// A view of a CSR graph. Trivially copyable. Ids and offsets are (32, 32), (32, 64) or (64, 64) bits wide.
template <unsigned_index Id, unsigned_index Offset>
struct csr_view {
  using id_type = Id;
  using offset_type = Offset;

  std::span<const Offset> offsets;  ///< n + 1 entries, ascending, offsets[0] = 0 (empty if there are no vertices)
  std::span<const Id> targets;      ///< offsets[n] entries, each below n
  symmetry symmetric = symmetry::unknown;
  bool sorted = false;   ///< true if the targets of every row are ascending
  bool trusted = false;  ///< if false, the solver validates offsets and targets first

  [[nodiscard]] Id vertices() const noexcept { return offsets.empty() ? Id{0} : static_cast<Id>(offsets.size() - 1); }
  [[nodiscard]] Offset arcs() const noexcept { return static_cast<Offset>(targets.size()); }
  [[nodiscard]] std::span<const Id> row(Id v) const noexcept { return targets.subspan(offsets[v], offsets[v + 1] - offsets[v]); }
};

template <class Offset, class Id, class... More>
csr_view(std::span<Offset>, std::span<Id>, More...) -> csr_view<std::remove_const_t<Id>, std::remove_const_t<Offset>>;

/// Owns a CSR graph.
template <unsigned_index Id, unsigned_index Offset>
struct csr {
  using id_type = Id;
  using offset_type = Offset;

  buffer<Offset> offsets;
  buffer<Id> targets;
  symmetry symmetric = symmetry::unknown;
  bool sorted = false;

  [[nodiscard]] csr_view<Id, Offset> view() const noexcept { return {offsets.span(), targets.span(), symmetric, sorted}; }
};

// Edge lists, which have each edge once, in any direction and order.

/// One edge; 8 or 16 bytes without padding, so that an array of them is a `.coo` file and a two-column `.npy`.
template <unsigned_index Id>
struct edge {
  Id u;
  Id v;
  friend bool operator==(const edge&, const edge&) = default;
  friend auto operator<=>(const edge&, const edge&) = default;
};

/// A view of an edge list with the vertices 0 .. vertices - 1. Trivially copyable.
template <unsigned_index Id>
struct coo_view {
  using id_type = Id;

  Id vertex_count = 0;
  std::span<const edge<Id>> edges;
  bool trusted = false;  ///< if false, the solver first checks that all ends are vertices

  [[nodiscard]] Id vertices() const noexcept { return vertex_count; }
};

/// A view of an edge list as two columns: edge i joins sources[i] and targets[i].
template <unsigned_index Id>
struct edge_columns_view {
  using id_type = Id;

  Id vertex_count = 0;
  std::span<const Id> sources, targets;  ///< must have the same length
  bool trusted = false;                  ///< if false, the solver first checks that all ends are vertices

  [[nodiscard]] Id vertices() const noexcept { return vertex_count; }
};

template <class Count, class Source, class Target, class... More>
requires std::same_as<std::remove_const_t<Source>, std::remove_const_t<Target>> edge_columns_view(Count, std::span<Source>,
                                                                                                  std::span<Target>, More...)
->edge_columns_view<std::remove_const_t<Source>>;

/// Owns an edge list.
template <unsigned_index Id>
struct coo {
  using id_type = Id;

  Id vertex_count = 0;
  buffer<edge<Id>> edges;

  [[nodiscard]] coo_view<Id> view() const noexcept { return {vertex_count, edges.span()}; }
};

// Arrays in the memory of a GPU.

/// A view of an array in the memory of a GPU. Because the host may not read it, it has no element access, and no conversion from std::span.
/// Managed and page-locked memory can be viewed, too.
template <class T>
class device_span {
public:
  using element_type = T;

  [[nodiscard]] constexpr device_span() noexcept = default;
  [[nodiscard]] constexpr device_span(T* first, std::size_t size) noexcept : first_{first}, size_{size} {}
  /// Conversion to a view for reading only.
  template <class Writable>
  requires std::same_as<const Writable, T>
  constexpr device_span(device_span<Writable> array) noexcept : first_{array.data()}, size_{array.size()} {}

  [[nodiscard]] constexpr T* data() const noexcept { return first_; }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }

private:
  T* first_ = nullptr;
  std::size_t size_ = 0;
};

/// A view of rows in the memory of a GPU, like csr_view: 32-bit ids, and offsets of 32 or 64 bits.
template <unsigned_index Offset>
struct device_csr_view {
  using id_type = std::uint32_t;
  using offset_type = Offset;

  device_span<const Offset> offsets;         ///< n + 1 entries, ascending, offsets[0] = 0 (empty if there are no vertices)
  device_span<const std::uint32_t> targets;  ///< offsets[n] entries, each below n
  symmetry symmetric = symmetry::unknown;
  bool sorted = false;   ///< true if the targets of every row are ascending
  bool trusted = false;  ///< if false, components() validates offsets and targets first

  [[nodiscard]] std::uint32_t vertices() const noexcept { return offsets.empty() ? 0 : static_cast<std::uint32_t>(offsets.size() - 1); }
};

/// A view of an edge list in the memory of a GPU, with the vertices 0 .. vertex_count - 1, like coo_view.
struct device_edges_view {
  using id_type = std::uint32_t;

  std::uint32_t vertex_count = 0;
  device_span<const edge<std::uint32_t>> edges;
  bool trusted = false;  ///< if false, components() first checks that all ends are vertices

  [[nodiscard]] std::uint32_t vertices() const noexcept { return vertex_count; }
};

using device_graph_view = std::variant<device_csr_view<std::uint32_t>, device_csr_view<std::uint64_t>, device_edges_view>;

// Linked lists, as read from files or made by generators: an array of successors, with the narrowest id type that fits.

/// successors[i] is the element after i; at the end of a list it is i itself, or an id with all bits set.
using successor_list = std::variant<buffer<std::uint32_t>, buffer<std::uint64_t>>;

}  // namespace copse
