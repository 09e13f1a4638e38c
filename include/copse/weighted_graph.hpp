// Graphs whose edges have weights: columns of weights, and reading and writing them.
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

/// The precision that the numbers of a column had originally. A threshold is rounded to it once, so that the threshold 0.9 includes the
/// float 0.9; doubles and integers are compared without rounding. The enumerators are in ascending order of lost precision.
enum class weight_precision : std::uint8_t { full, single, half };

/// The threshold against which weights of this precision are compared: rounded to the nearest number of 32 or 16 bits, ties to even;
/// infinite if the threshold is beyond the largest.
[[nodiscard]] double rounded_threshold(double threshold, weight_precision precision) noexcept;

/// The largest double that is not greater than a number, for comparing integers beyond 2^53 with doubles: a double is at most the number if
/// and only if it is at most this value. The nearest double may be greater than the number and does not have this property.
template <class Number>
[[nodiscard]] double largest_double_up_to(Number number) noexcept {
  const auto nearest = static_cast<double>(number);
  if constexpr (std::integral<Number> && std::numeric_limits<Number>::digits > std::numeric_limits<double>::digits) {
    // for the largest integers the nearest double is 2^63 or 2^64, which does not fit the type
    const bool beyond = nearest >= std::ldexp(1.0, std::numeric_limits<Number>::digits);
    if (beyond || static_cast<Number>(nearest) > number) return std::nextafter(nearest, -std::numeric_limits<double>::infinity());
  }
  return nearest;
}

/// A view of a column of weights, one for each edge of a list or each arc of rows, in the same order. Weights may be negative or infinite;
/// functions that compare them throw for not-a-number.
class weights_view : public std::variant<std::span<const float>, std::span<const double>, std::span<const std::int32_t>,
                                         std::span<const std::uint32_t>, std::span<const std::int64_t>, std::span<const std::uint64_t>> {
public:
  using variant::variant;
  /// Views a vector or another array of 32-bit or 64-bit integers of any type.
  template <class Array>
  requires(!std::constructible_from<variant, const Array&> &&
           std::integral<std::remove_cvref_t<decltype(*std::declval<const Array&>().data())>>) weights_view(const Array& numbers)
  noexcept : variant{integers_of(numbers.data(), numbers.size())} {}
  /// A view of weights that had less precision before they were converted to the type of this column.
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

/// Owns a column of weights; the owning counterpart of weights_view.
class weight_column {
public:
  using storage =
      std::variant<buffer<float>, buffer<double>, buffer<std::int32_t>, buffer<std::uint32_t>, buffer<std::int64_t>, buffer<std::uint64_t>>;

  weight_column() = default;
  /// `precision` is the precision that the weights had before they were converted to this type, if it was less.
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
  /// Weight i as a double, which is exact except for some integers beyond 2^53. In loops prefer to visit `held()`.
  [[nodiscard]] double operator[](std::uint64_t i) const noexcept {
    return std::visit([i](const auto& weights) { return static_cast<double>(weights[i]); }, weights_);
  }
  [[nodiscard]] const storage& held() const noexcept { return weights_; }

private:
  storage weights_;
  weight_precision given_ = weight_precision::full;
};

/// A list of edges (or rows), and the weight of each edge (or arc).
struct weighted_graph {
  graph edges;
  weight_column weights;
};

/// Makes a list of edges from pairs of ids and a weight for each, which keeps its type and precision: for example `cluster(graph_of({from,
/// to}, scores))` with three vectors. Otherwise like graph_of() of pairs without weights.
[[nodiscard]] weighted_graph graph_of(const id_pairs& edges, const weights_view& weights, const execution& on = {});

namespace io {

/// Reads a list of edges with weights, both in the order of the file. The weights are the column `weight_column` of an edge list, the
/// values of Matrix Market, the third number of DIMACS, the edge weights of METIS and of `WeightedAdjacencyGraph`, the data of a sparse
/// matrix in `.npz`, or the weights of `.egr`. They become doubles that are marked with the precision of the file. Ids are as for
/// read_graph(); rows become a list of their arcs. Throws input_error for a file that has no weights, and for a weight that is not a
/// number, with its line.
[[nodiscard]] weighted_graph read_weighted_graph(const std::filesystem::path& path, const read_options& options = {},
                                                 const execution& on = {});

/// A graph, and its weights if its file has any.
struct perhaps_weighted_graph {
  graph edges;
  std::optional<weight_column> weights;
};
/// Reads a file with weights as read_weighted_graph() does, and a file without weights, or an edge list without `weight_column`, as
/// read_graph() does. If all values of a `.npz` or DIMACS file are one, or are of type bool, they do not count as weights. Throws
/// input_error for values that cannot be weights (complex ones), and if only some edges have a weight.
[[nodiscard]] perhaps_weighted_graph read_with_any_weights(const std::filesystem::path& path, const read_options& options = {},
                                                           const execution& on = {});

/// Writes edges (a list) with their weights in the format of the suffix: `.csv` and `.tsv` (header `u,v,weight`), `.el .txt` ("-" too; `u v
/// weight`), `.npy` (m x 3 doubles; refuses names that are strings or exceed 2^53), `.mtx` (real general, vertices numbered from 1), `.egr`
/// (rows, with each edge as an arc from its first end, vertices numbered from 0; refuses weights that are not 32-bit integers). A weight is
/// written so that reading it returns the same number in its own precision.
void write_weighted_edges(const graph& edges, weights_view weights, const std::filesystem::path& path, const write_options& options = {},
                          const execution& on = {});

}  // namespace io
}  // namespace copse
