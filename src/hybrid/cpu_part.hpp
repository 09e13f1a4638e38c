// How the cores solve their part of a hybrid solve: by depth-first searches, as in the paper, or by the fast path, the best they have.
#pragma once
#include <copse/options.hpp>
#include <copse/views.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace copse::hybrid {

enum class cpu_part : std::uint8_t { dfs, fast };
inline constexpr std::array<std::string_view, 2> cpu_part_names{"dfs", "fast"};  // in the order of the enumerators

/// words[v] becomes, for every v < cut, a vertex below the cut: the smallest that is known to be connected to v, by all edges among these
/// vertices at least. `words` has `cut` places, or one for each of the graph's `vertices`, of which those from the cut on are scratch.
/// `g`: rows of the graph, or of its first vertices only, at least `cut` of them, with both directions of every edge.
template <class Offset>
void label_cpu_part(cpu_part algorithm, csr_view<std::uint32_t, Offset> g, std::uint32_t vertices, std::uint32_t cut,
                    std::span<std::uint32_t> words, const solve_options& options);

}  // namespace copse::hybrid
