// What a family of generators is made of. One header holds all of it: a small struct, the same text for host and device, that says what one
// edge or one block of edges is, `described` (its name and parameters), and `make`, which turns a spec into an amount of it. To add a
// family, write that header and name it in recipe.hpp.
//
// A struct comes in two kinds:
//   direct:  `edge<Id> at<Id>(i)` gives edge i of a known number;
//   blocked: `count(block)` says how many edges a block has, `fill(block, out)` writes them and returns the end, so the number of edges
//            is known after one pass. Blocks may add vertices: `added_vertices(block)` of them; `added_before` then points to the sums,
//            one more than there are blocks, before anything is counted.
// Every edge depends on (parameters, seed, index) alone, never on threads. All arithmetic is on integers: a spec is one graph everywhere.
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

/// The purposes of the random streams of one seed.
enum class purpose : std::uint64_t { edges = 1, shuffle = 2, structure = 3 };

inline random_stream stream_of(const spec& s, purpose what) { return {s.seed(), static_cast<std::uint64_t>(what)}; }

/// Bounds of sizes: far beyond any memory, and small enough that counts of edges do not wrap.
inline constexpr std::uint64_t most_vertices = std::uint64_t{1} << 56;
inline constexpr std::uint64_t most_side = std::uint64_t{1} << 28;
/// For families with up to 65536 edges per vertex.
inline constexpr std::uint64_t most_dense_vertices = std::uint64_t{1} << 44;

/// The source of a family that no paper has to explain.
inline constexpr std::string_view by_definition = "by definition";

/// How much of a family a spec asks for.
template <class Edges>
struct amount {
  Edges edges;
  std::uint64_t vertices;  ///< without those that blocks add
  std::uint64_t items;     ///< edges of a direct family, blocks of a blocked one
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
