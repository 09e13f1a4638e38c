// Minimum spanning forests on a GPU, of rows in its memory: one round of Boruvka over the rows, further rounds on lists of candidates,
// light edges first. Sources of the ideas: edge lists, reservations by an atomic minimum and light edges first, Fallin, Gonzalez, Seo,
// Burtscher (A High-Performance MST Implementation for GPUs, SC 2023); passing over edges inside trees, Osipov, Sanders, Singler (The
// Filter-Kruskal Minimum Spanning Tree Algorithm, ALENEX 2009).
//
// Cost: one pass over arcs and keys, one over arcs beyond the pivot with a bit of the giant each, and rounds on lists of a few edges per
// vertex. Memory: 44 bytes per vertex, 32 for each of at most 3 candidates per vertex, or of all edges where these are fewer.
#pragma once
#include <copse/memory.hpp>
#include <loops/arcs.hpp>

#include <cstdint>

namespace copse::backend {
class cuda;
}  // namespace copse::backend

namespace copse::weighted {

/// Rows with both directions of every edge, each sorted by target, and a key for each arc, the same in both directions: the smaller, the
/// earlier its edge is taken.
struct keyed_rows : backend::any_rows<std::uint32_t> {
  const std::uint32_t* keys;
};

/// The arcs of the forest, each from its smaller end, n - k of them in no order; in the memory of the GPU. Of edges of equal keys the one
/// with the smaller ends comes first, so the forest is unique. Waits for the GPU a few times per round. Precondition: fewer than 2^32 - 1
/// arcs.
buffer<std::uint32_t> search_on_gpu(const backend::cuda& loops, const keyed_rows& rows);

}  // namespace copse::weighted
