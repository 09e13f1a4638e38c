// What the vertices 0 .. n - 1 of a graph are called in its file: themselves, sparse integers, or strings.
#pragma once
#include <copse/core/memory.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace copse {

/// Names of vertices, ascending (integers by value, strings by bytes), so that the smallest vertex of a component is also its smallest
/// name. Immutable once made; safe to read from many threads.
class vertex_names {
public:
  enum class kind : std::uint8_t {
    identity,  ///< vertex i is called i
    integers,  ///< vertex i is called integers()[i]
    strings    ///< vertex i is called string(i)
  };

  /// 0 .. count - 1.
  static vertex_names identity(std::uint64_t count);
  /// `ids` strictly ascending.
  static vertex_names integers(buffer<std::uint64_t> ids);
  /// String i is bytes[offsets[i] .. offsets[i + 1]); offsets has count + 1 entries; strictly ascending by bytes.
  static vertex_names strings(buffer<char> bytes, buffer<std::uint64_t> offsets);

  vertex_names() = default;

  [[nodiscard]] kind what() const noexcept { return kind_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return count_; }
  /// The integer name of vertex i. Precondition: kind identity or integers.
  [[nodiscard]] std::uint64_t integer(std::uint64_t i) const noexcept { return kind_ == kind::identity ? i : held_->integers[i]; }
  /// The string name of vertex i. Precondition: kind strings.
  [[nodiscard]] std::string_view string(std::uint64_t i) const noexcept {
    return {held_->bytes.data() + held_->offsets[i], static_cast<std::size_t>(held_->offsets[i + 1] - held_->offsets[i])};
  }
  /// The vertex of that name, if there is one. O(1) for identity, O(log n) otherwise.
  [[nodiscard]] std::optional<std::uint64_t> find(std::uint64_t name) const noexcept;
  [[nodiscard]] std::optional<std::uint64_t> find(std::string_view name) const noexcept;

private:
  struct contents {
    buffer<std::uint64_t> integers;
    buffer<char> bytes;
    buffer<std::uint64_t> offsets;
  };

  kind kind_ = kind::identity;
  std::uint64_t count_ = 0;
  std::shared_ptr<const contents> held_;
};

}  // namespace copse
