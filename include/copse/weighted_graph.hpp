// Graphs whose edges carry weights: the columns, and how they are read from files and written to them.
#pragma once
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/memory.hpp>
#include <copse/pairs.hpp>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace copse {

/// How precise the numbers of a column were where it came from. A threshold is rounded to that once, so that the float 0.9 reaches 0.9;
/// doubles and integers are compared as they are. In ascending order of what is lost.
enum class weight_precision : std::uint8_t { full, single, half };

/// The threshold that weights of this precision are compared with: the nearest number of 32 or 16 bits, ties to even; an infinity for a
/// number beyond the largest.
[[nodiscard]] double rounded_threshold(double threshold, weight_precision precision) noexcept;

/// The largest double that is not above a number, for comparing integers beyond 2^53 with doubles: a double is at most the number exactly
/// if it is at most this value. The nearest double, which may be above the number, does not have this property.
template <class Number>
[[nodiscard]] double largest_double_up_to(Number number) noexcept {
  const auto nearest = static_cast<double>(number);
  if constexpr (std::integral<Number> && std::numeric_limits<Number>::digits > std::numeric_limits<double>::digits) {
    // The nearest of the largest integers is 2^63 or 2^64, which the type does not hold.
    const bool beyond = nearest >= std::ldexp(1.0, std::numeric_limits<Number>::digits);
    if (beyond || static_cast<Number>(nearest) > number) return std::nextafter(nearest, -std::numeric_limits<double>::infinity());
  }
  return nearest;
}

/// Borrows a column of weights, one for each edge of a list or each arc of rows, in their order. Numbers of any sign, infinities included;
/// functions that compare them refuse not-a-number.
class weights_view : public std::variant<std::span<const float>, std::span<const double>, std::span<const std::int32_t>,
                                         std::span<const std::uint32_t>, std::span<const std::int64_t>, std::span<const std::uint64_t>> {
public:
  using variant::variant;
  /// Borrows a vector or another array of integers of 32 or 64 bits, whatever their type is called.
  template <class Array>
  requires(!std::constructible_from<variant, const Array&> &&
           std::integral<std::remove_cvref_t<decltype(*std::declval<const Array&>().data())>>) weights_view(const Array& numbers)
  noexcept : variant{integers_of(numbers.data(), numbers.size())} {}
  /// Borrows weights that were less precise before they came into this column.
  weights_view(weights_view weights, weight_precision precision) noexcept : variant{weights}, given_{precision} {}

  [[nodiscard]] weight_precision precision() const noexcept {
    const bool floats = std::holds_alternative<std::span<const float>>(*this);
    return floats && given_ == weight_precision::full ? weight_precision::single : given_;
  }

private:
  template <std::integral Number>
  requires(sizeof(Number) == sizeof(std::int32_t) || sizeof(Number) == sizeof(std::int64_t))
      [[nodiscard]] static auto integers_of(const Number* first, std::size_t count) noexcept {
    using narrow = std::conditional_t<std::is_signed_v<Number>, std::int32_t, std::uint32_t>;
    using wide = std::conditional_t<std::is_signed_v<Number>, std::int64_t, std::uint64_t>;
    using number = std::conditional_t<sizeof(Number) == sizeof(narrow), narrow, wide>;
    return std::span<const number>{reinterpret_cast<const number*>(first), count};
  }

  weight_precision given_ = weight_precision::full;
};

/// Returns a warning for users if no weight reaches the threshold, and an empty string if one does or if there are no weights.
[[nodiscard]] std::string unreached_threshold(weights_view weights, double threshold);

/// Owns such a column.
class weight_column {
public:
  using storage =
      std::variant<buffer<float>, buffer<double>, buffer<std::int32_t>, buffer<std::uint32_t>, buffer<std::int64_t>, buffer<std::uint64_t>>;

  weight_column() = default;
  /// `precision`: of the weights before they came into this column, if that was less.
  template <class Weight>
  explicit weight_column(buffer<Weight> weights, weight_precision precision = weight_precision::full)
      : weights_{std::move(weights)}, given_{precision} {}

  [[nodiscard]] weights_view view() const noexcept {
    return std::visit([this](const auto& weights) { return weights_view{weights.span(), given_}; }, weights_);
  }
  [[nodiscard]] weight_precision precision() const noexcept { return view().precision(); }
  [[nodiscard]] std::uint64_t size() const noexcept {
    return std::visit([](const auto& weights) { return std::uint64_t{weights.size()}; }, weights_);
  }
  /// Weight i as a double, which holds all but integers beyond 2^53 exactly. For loops prefer visiting `held()`.
  [[nodiscard]] double operator[](std::uint64_t i) const noexcept {
    return std::visit([i](const auto& weights) { return static_cast<double>(weights[i]); }, weights_);
  }
  [[nodiscard]] const storage& held() const noexcept { return weights_; }

private:
  storage weights_;
  weight_precision given_ = weight_precision::full;
};

/// A list of edges (or rows) and the weight of each.
struct weighted_graph {
  graph edges;
  weight_column weights;
};

/// Pairs of ids in memory with a weight each, of which it keeps the type and the precision: `cluster(graph_of({from, to}, scores))` of
/// three vectors. Otherwise as graph_of() of pairs alone.
[[nodiscard]] weighted_graph graph_of(const id_pairs& edges, const weights_view& weights, const execution& on = {});

namespace io {

/// Reads a list of edges with its weights, both in the order of the file: the column `weight_column` of an edge list, the values of Matrix
/// Market, the third number of DIMACS, the edge weights of METIS and of `WeightedAdjacencyGraph`, the data of a sparse matrix in `.npz`,
/// the weights of `.egr`. Weights are doubles, of the precision that they have in the file. Ids as read_graph() has them; rows become a
/// list of their arcs. Throws input_error for a file that holds no weights, and for a weight that is not a number, with its line.
[[nodiscard]] weighted_graph read_weighted_graph(const std::filesystem::path& path, const read_options& options = {},
                                                 const execution& on = {});

/// A graph, and its weights where its file has any.
struct perhaps_weighted_graph {
  graph edges;
  std::optional<weight_column> weights;
};
/// What read_weighted_graph() reads; of a file without weights, and of an edge list without `weight_column`, what read_graph() reads. The
/// weights of a `.npz` or a DIMACS file that are all ones, or of type bool, say no more than its entries and are none. Throws input_error
/// for values that are no weights (complex ones), and for edges of which only some have a weight.
[[nodiscard]] perhaps_weighted_graph read_with_any_weights(const std::filesystem::path& path, const read_options& options = {},
                                                           const execution& on = {});

/// Edges (a list) with their weights by suffix: `.csv` and `.tsv` (header `u,v,weight`), `.el .txt` ("-" too; `u v weight`), `.npy` (m x 3
/// doubles; refuses names that are strings or beyond 2^53), `.mtx` (real general, vertices numbered from 1), `.egr` (rows of the edges as
/// arcs from their first end, vertices numbered from 0; refuses weights that are no integers of 32 bits). A weight is written so that it
/// reads back as the number it was, in its own precision.
void write_weighted_edges(const graph& edges, weights_view weights, const std::filesystem::path& path, const write_options& options = {},
                          const execution& on = {});

}  // namespace io
}  // namespace copse
