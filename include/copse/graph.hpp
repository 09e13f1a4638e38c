// The type `graph`, whose id and offset widths are chosen at run time, and the names of its vertices.
#pragma once
#include <copse/memory.hpp>
#include <copse/views.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace copse {

// Names of the vertices 0 .. n - 1, as the graph's file has them: 0 .. n - 1, numbers from 1, sparse integers, or strings.

/// A key that orders integer ids like the numbers they represent. Ids are 64-bit words; in one answer all of them are unsigned, or if one
/// is negative all are signed (two's complement).
[[nodiscard]] constexpr std::uint64_t id_rank(std::uint64_t id, bool is_signed) noexcept {
  return is_signed ? id ^ std::uint64_t{1} << 63 : id;
}
/// True if the word, read as two's complement, is negative; read as unsigned it is then above INT64_MAX.
[[nodiscard]] constexpr bool has_sign_bit(std::uint64_t id) noexcept { return id >> 63 != 0; }
/// The id in decimal digits.
[[nodiscard]] inline std::string id_text(std::uint64_t id, bool is_signed) {
  return is_signed ? std::to_string(static_cast<std::int64_t>(id)) : std::to_string(id);
}

/// Names of vertices, ascending (integers by value, strings by bytes), so that the smallest vertex of a component is also its smallest
/// name. Immutable once made; safe to read from many threads.
class vertex_names {
public:
  enum class kind : std::uint8_t {
    identity,  ///< vertex i is called i
    integers,  ///< vertex i is called integer(i)
    strings    ///< vertex i is called string(i)
  };

  /// The names 0 .. count - 1.
  [[nodiscard]] static vertex_names identity(std::uint64_t count);
  /// The names first_id .. first_id + count - 1, for formats that count from 1. With first_id 0 the same as identity().
  [[nodiscard]] static vertex_names consecutive(std::uint64_t first_id, std::uint64_t count);
  /// Integer names. `ids` must be strictly ascending, as signed numbers if `are_signed`.
  [[nodiscard]] static vertex_names integers(buffer<std::uint64_t> ids, bool are_signed = false);
  /// String i is bytes[offsets[i] .. offsets[i + 1]); offsets has count + 1 entries; strictly ascending by bytes.
  [[nodiscard]] static vertex_names strings(buffer<char> bytes, buffer<std::uint64_t> offsets);

  vertex_names() = default;

  [[nodiscard]] kind what() const noexcept { return kind_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return count_; }
  /// True if an integer name is negative; then all of them are two's complement.
  [[nodiscard]] bool is_signed() const noexcept { return signed_; }
  /// The integer name of vertex i, as a 64-bit word (two's complement if is_signed()). Precondition: kind identity or integers.
  [[nodiscard]] std::uint64_t integer(std::uint64_t i) const noexcept { return held_ ? held_->integers[i] : first_id_ + i; }
  /// The name of vertex 0 if names are consecutive by construction (0 for the identity); empty if each name is stored.
  [[nodiscard]] std::optional<std::uint64_t> first_id() const noexcept { return held_ ? std::nullopt : std::optional{first_id_}; }
  /// The string name of vertex i. Precondition: kind strings.
  [[nodiscard]] std::string_view string(std::uint64_t i) const noexcept {
    return {held_->bytes.data() + held_->offsets[i], static_cast<std::size_t>(held_->offsets[i + 1] - held_->offsets[i])};
  }
  /// The vertex with this name, if there is one. An integer name is a word as returned by integer(). O(1) for consecutive names, O(log n)
  /// otherwise.
  [[nodiscard]] std::optional<std::uint64_t> find(std::uint64_t name) const noexcept;
  [[nodiscard]] std::optional<std::uint64_t> find(std::string_view name) const noexcept;
  /// Finds an integer of any type by its value; a negative value is found among signed names only.
  template <std::integral Integer>
  [[nodiscard]] std::optional<std::uint64_t> find(Integer name) const noexcept {
    if (std::is_signed_v<Integer> && name < 0 && !is_signed()) return std::nullopt;
    return find(static_cast<std::uint64_t>(name));
  }
  /// The vertex that has the same name as vertex i of `others`, if there is one.
  [[nodiscard]] std::optional<std::uint64_t> find(const vertex_names& others, std::uint64_t i) const noexcept;

private:
  struct contents {
    buffer<std::uint64_t> integers;
    buffer<char> bytes;
    buffer<std::uint64_t> offsets;
  };

  kind kind_ = kind::identity;
  std::uint64_t count_ = 0;
  std::uint64_t first_id_ = 0;
  bool signed_ = false;
  std::shared_ptr<const contents> held_;
};

// A graph whose widths are chosen at run time, as returned by readers, builders and generators.

/// Borrows a graph of any shape and width.
using graph_view = std::variant<csr_view<std::uint32_t, std::uint32_t>, csr_view<std::uint32_t, std::uint64_t>,
                                csr_view<std::uint64_t, std::uint64_t>, coo_view<std::uint32_t>, coo_view<std::uint64_t>>;

/// Owns a graph: rows (CSR) or an edge list (COO), of the narrowest widths that hold it, and the names of its vertices.
class graph {
public:
  using storage = std::variant<csr<std::uint32_t, std::uint32_t>, csr<std::uint32_t, std::uint64_t>, csr<std::uint64_t, std::uint64_t>,
                               coo<std::uint32_t>, coo<std::uint64_t>>;

  graph() = default;
  /// A graph whose vertices are named 0 .. n - 1.
  template <class Shape>
  explicit graph(Shape shape) : storage_{std::move(shape)}, names_{vertex_names::identity(vertices())} {}
  /// A graph whose vertices are called `names`; `names.size()` must be the number of vertices.
  template <class Shape>
  graph(Shape shape, vertex_names names) : storage_{std::move(shape)}, names_{std::move(names)} {}

  /// Returns the graph with the vertex names `names`; `names.size()` must be the number of vertices.
  [[nodiscard]] graph renamed(vertex_names names) &&;

  [[nodiscard]] graph_view view() const noexcept;
  [[nodiscard]] std::uint64_t vertices() const noexcept;
  [[nodiscard]] bool has_rows() const noexcept { return storage_.index() < 3; }
  [[nodiscard]] const vertex_names& names() const noexcept { return names_; }
  [[nodiscard]] const storage& shape() const noexcept { return storage_; }

private:
  storage storage_;
  vertex_names names_;
};

}  // namespace copse
