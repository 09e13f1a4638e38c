// The parts of a family of generators. One header holds all of them: a small struct, compiled for host and device, that computes one edge
// or one block of edges; `described` (its name and parameters); and `make`, which turns a spec into an `amount` of the family. To add a
// family, write such a header and name its struct in recipe.hpp.
//
// A struct is of one of two kinds:
//   direct:  `edge<Id> at<Id>(i)` returns edge i; the number of edges is known in advance;
//   blocked: `count(block)` returns the number of edges of a block, `fill(block, out)` writes them and returns their end, so the number of
//            edges is known after one pass. Blocks may add vertices: `added_vertices(block)` returns how many. Before edges are counted,
//            `added_before` is set to the prefix sums of these numbers, one more than there are blocks.
// Every edge depends only on (parameters, seed, index), never on threads. All arithmetic is on integers, so a spec gives the same graph on
// every machine.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/generate.hpp>
#include <copse/views.hpp>
#include <core/random.hpp>
#include <gen/spec.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>

namespace copse::gen {

/// What the random streams that belong to one seed are used for.
enum class purpose : std::uint64_t { edges = 1, shuffle = 2, structure = 3 };

inline random_stream stream_of(const spec& s, purpose what) { return {s.seed(), static_cast<std::uint64_t>(what)}; }

/// Bounds of sizes: far beyond any memory, and small enough that counts of edges do not wrap.
inline constexpr std::uint64_t most_vertices = std::uint64_t{1} << 56;
inline constexpr std::uint64_t most_side = std::uint64_t{1} << 28;
/// The limit for families with up to 65536 edges per vertex.
inline constexpr std::uint64_t most_dense_vertices = std::uint64_t{1} << 44;

/// The source that `described` gives for a family that needs no reference to a paper.
inline constexpr std::string_view by_definition = "by definition";

/// A family with the parameters of a spec, and its size.
template <class Edges>
struct amount {
  Edges edges;
  std::uint64_t vertices;  ///< number of vertices, without those that the blocks of a blocked family add
  /// number of edges if the family computes each edge by its index (direct), number of blocks if a block makes several edges (blocked)
  std::uint64_t items;
};

template <class Edges>
concept direct_family = requires(const Edges& edges, std::uint64_t i) {
  { edges.template at<std::uint32_t>(i) } -> std::same_as<edge<std::uint32_t>>;
};
template <class Edges>
concept adds_vertices = requires(const Edges& edges, std::uint64_t block) {
  { edges.added_vertices(block) } -> std::same_as<std::uint64_t>;
};

constexpr std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) noexcept { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace copse::gen
