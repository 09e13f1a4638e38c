// Ids of any kind in a caller's memory: columns, and pairs of ids as two columns or as an array of pairs.
#pragma once
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/reading.hpp>
#include <copse/views.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace copse {

/// An integer type of 32 or 64 bits, signed or not, whatever its name: int, long long and std::uint64_t are examples.
template <class T>
concept integer_id = std::integral<T> &&(sizeof(T) == sizeof(std::uint32_t) || sizeof(T) == sizeof(std::uint64_t));
/// A string type, which may hold any bytes.
template <class T>
concept string_id = std::same_as<T, std::string> || std::same_as<T, std::string_view>;

/// The canonical type of an id: std::int32_t, std::uint32_t, std::int64_t, std::uint64_t or std::string_view.
template <class T>
requires integer_id<T> || string_id<T>
using id_kind_of = std::conditional_t<
    string_id<T>, std::string_view,
    std::conditional_t<sizeof(T) == sizeof(std::uint32_t), std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>>;

/// A view of an array of ids of one kind. Trivially copyable.
template <class Id>
class typed_ids {
public:
  using id = Id;

  constexpr typed_ids() noexcept = default;
  template <class T>
  requires std::same_as<id_kind_of<T>, Id>
  constexpr explicit typed_ids(std::span<const T> ids) noexcept
      : first_{ids.data()}, size_{ids.size()}, own_strings_{std::same_as<T, std::string>} {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] Id operator[](std::size_t i) const noexcept {
    if constexpr (std::same_as<Id, std::string_view>) {
      return own_strings_ ? std::string_view{static_cast<const std::string*>(first_)[i]} : static_cast<const std::string_view*>(first_)[i];
    } else {
      Id word;  // memcpy, because the array may have another integer type of this size, which may not be aliased
      std::memcpy(&word, static_cast<const char*>(first_) + i * sizeof word, sizeof word);
      return word;
    }
  }
  [[nodiscard]] typed_ids part(std::size_t begin, std::size_t count) const noexcept {
    typed_ids some = *this;
    constexpr std::size_t stored = std::same_as<Id, std::string_view> ? sizeof(std::string_view) : sizeof(Id);
    some.first_ = static_cast<const char*>(first_) + begin * (own_strings_ ? sizeof(std::string) : stored);
    some.size_ = count;
    return some;
  }

private:
  const void* first_ = nullptr;
  std::size_t size_ = 0;
  bool own_strings_ = false;
};

/// A view of a column of ids: any contiguous range of 32-bit or 64-bit integers, or of strings.
class id_column {
public:
  using storage = std::variant<typed_ids<std::int32_t>, typed_ids<std::uint32_t>, typed_ids<std::int64_t>, typed_ids<std::uint64_t>,
                               typed_ids<std::string_view>>;

  template <std::ranges::contiguous_range Ids>
  requires integer_id<std::ranges::range_value_t<Ids>> || string_id<std::ranges::range_value_t<Ids>> id_column(const Ids& ids)
      : held_{typed_ids<id_kind_of<std::ranges::range_value_t<Ids>>>{
            std::span<const std::ranges::range_value_t<Ids>>{std::ranges::data(ids), std::ranges::size(ids)}}} {}

  [[nodiscard]] std::size_t size() const noexcept {
    return std::visit([](const auto& ids) { return ids.size(); }, held_);
  }
  [[nodiscard]] const storage& held() const noexcept { return held_; }

private:
  storage held_;
};

/// A view of pairs of ids: either two columns of one kind, as in data frames, where pair i is sources[i], targets[i]; or an array of pairs,
/// whose elements are edge<std::uint32_t>, edge<std::uint64_t> or io::named_edge. Calls that take them throw usage_error for columns of
/// different length.
class id_pairs {
public:
  struct columns {
    id_column sources, targets;  ///< both have the same id type
  };
  template <class Pair>
  struct side_by_side {
    std::span<const Pair> pairs;
    bool are_signed = false;
  };
  using storage = std::variant<columns, side_by_side<edge<std::uint32_t>>, side_by_side<edge<std::uint64_t>>, side_by_side<io::named_edge>>;

  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  requires std::same_as<id_kind_of<std::ranges::range_value_t<Sources>>, id_kind_of<std::ranges::range_value_t<Targets>>> id_pairs(
      const Sources& sources, const Targets& targets)
      : held_{columns{sources, targets}} {}
  /// A view of an array of pairs. If `are_signed`, integers are two's complement.
  template <std::ranges::contiguous_range Pairs>
  requires std::same_as<std::ranges::range_value_t<Pairs>, edge<std::uint32_t>> ||
      std::same_as<std::ranges::range_value_t<Pairs>, edge<std::uint64_t>> ||
      std::same_as<std::ranges::range_value_t<Pairs>, io::named_edge>
      id_pairs(const Pairs& pairs, bool are_signed = false)
      : held_{side_by_side<std::ranges::range_value_t<Pairs>>{{std::ranges::data(pairs), std::ranges::size(pairs)}, are_signed}} {}

  /// The number of pairs; for columns of different lengths, the length of the first.
  [[nodiscard]] std::size_t size() const noexcept {
    return std::visit(
        [](const auto& held) {
          if constexpr (requires { held.pairs; }) {
            return held.pairs.size();
          } else {
            return held.sources.size();
          }
        },
        held_);
  }
  [[nodiscard]] const storage& held() const noexcept { return held_; }

private:
  storage held_;
};

/// Makes a list of edges from pairs of ids, as io::read_graph() does from a file: for example `bridges(graph_of({from, to}))` with two
/// vectors. The vertices are the ids that occur, in ascending order, and keep the ids as names. Throws usage_error for columns of different
/// length; resource_error; cancelled. O(edges), and their memory.
[[nodiscard]] graph graph_of(const id_pairs& edges, const execution& on = {});

/// One id of any kind, as an argument of calls; it does not own strings.
class vertex_id {
public:
  template <std::integral Integer>
  constexpr vertex_id(Integer id) noexcept
      : integer_{static_cast<std::uint64_t>(id)}, is_negative_{std::is_signed_v<Integer> && static_cast<std::int64_t>(id) < 0} {}
  constexpr vertex_id(std::string_view id) noexcept : string_{id}, is_string_{true} {}
  vertex_id(const std::string& id) noexcept : vertex_id{std::string_view{id}} {}
  constexpr vertex_id(const char* id) noexcept : vertex_id{std::string_view{id}} {}

  [[nodiscard]] constexpr bool is_string() const noexcept { return is_string_; }
  [[nodiscard]] constexpr std::string_view string() const noexcept { return string_; }
  /// The integer id; two's complement if it is negative.
  [[nodiscard]] constexpr std::uint64_t integer() const noexcept { return integer_; }
  [[nodiscard]] constexpr bool is_negative() const noexcept { return is_negative_; }
  friend constexpr bool operator==(const vertex_id&, const vertex_id&) = default;

private:
  std::uint64_t integer_ = 0;
  std::string_view string_;
  bool is_negative_ = false, is_string_ = false;
};

}  // namespace copse
