// The fast path for edge lists: unite nearly as many edges as there are vertices, then look for a giant; once there is one, pass over the
// edges inside it. Bits are brought up to date as look_schedule.hpp says: the giant grows fast at first and hardly later. On lists that
// grow no giant nothing is marked, and the votes cost next to nothing. The edges before the first look go by ranges of vertices where that
// pays. O(m) unites at worst; beside the labels a bit per vertex, and meanwhile a quarter of an edge where the first ones go by ranges.
#pragma once
#include <copse/memory.hpp>
#include <copse/options.hpp>
#include <copse/views.hpp>
#include <core/new_pages.hpp>
#include <fast/column_edges.hpp>
#include <fast/edge_vote.hpp>
#include <fast/giant_bits.hpp>
#include <fast/giant_filter.hpp>
#include <fast/known_ends.hpp>
#include <fast/labels.hpp>
#include <fast/look_schedule.hpp>
#include <fast/unite_by_ranges.hpp>
#include <fast/unite_list.hpp>
#include <fast/unsampled.hpp>
#include <fast/vertex_bits.hpp>
#include <fast/vertex_pass.hpp>
#include <loops/serial.hpp>
#include <loops/threads.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace copse::fast {

/// `look_at_ends` is for the caller to say; tests set the others so that small lists take every way.
struct list_options {
  bool look_at_ends = false;                 ///< ends are not known to be vertices
  double least_inside = least_share_inside;  ///< share of edges inside from which a giant is known
  std::size_t first_edges = 0;               ///< edges before the first vote; 0: as the schedule says
  bool any_ranges = false;                   ///< by ranges wherever many threads work, whether it pays or not
};

/// Canonical labels, one per vertex. `Edges` has size() and an edge at each index. `bits`: words_of_bits(n) of them, or none, and they are
/// taken from options.memory. Precondition: every end is a vertex, unless look_at_ends: then throws unknown_end.
template <class Backend, class Edges, class Id>
void solve_list(const Backend& backend, const Edges& edges, std::span<Id> labels, std::span<std::uint64_t> bits,
                const solve_options& options, const list_options& settings = {}) {
  if (labels.empty()) {
    if (settings.look_at_ends && edges.size() != 0) throw unknown_end{};
    return;
  }
  const auto n = static_cast<Id>(labels.size());
  const std::size_t m = edges.size(), chunk = flat_chunk(backend, n);
  Id* const words = labels.data();
  const typename Backend::template parents<Id> p{words};
  if constexpr (Backend::concurrent) touch_pages(backend.threads(), labels);
  initialise(backend, p, n);

  const auto first = settings.first_edges != 0 ? std::min(settings.first_edges, m) : edges_to_first_look(n, m, Backend::concurrent);
  buffer<std::uint64_t> room{first < m && bits.empty() ? words_of_bits(n) : 0, options.memory};
  std::uint64_t* const marks = bits.empty() ? room.data() : bits.data();
  // Bits are raised between two passes over edges, never in one: so the filter may be wide.
  giant_filter<Id> filter{{}, settings.look_at_ends ? n : Id{0}};
  auto& inside = filter.inside;
  for (std::size_t at = 0, end = first; at < m;) {
    if (at != 0) {
      const auto vote = vote_of_edges(p, words, edges_of_known<Edges, Id>{edges, n}, at, m, options.seed);
      pass_if_it_pays(backend, p, n, vote, m - at, settings.least_inside, inside, [marks] { return marks; });
      end = at + edges_to_next_look(at, n, m - at, vote.inside);
    }
    if constexpr (Backend::concurrent) {
      std::optional<edges_by_range<Id>> ranges;
      if (at == 0 && (settings.any_ranges || suits_ranges(backend.threads(), edges, end, n, options.seed)) &&
          make_room(ranges, n, backend.threads(), options.memory)) {
        const auto throw_unknown = [](std::size_t, std::size_t) { throw unknown_end{}; };
        unite_by_ranges<unite_of<Backend>>(
            backend, *ranges, p, words, edges, end, [] { return no_notes{}; }, throw_unknown);
        at = end;
        continue;
      }
    }
    backend.for_blocks(end - at, [=, &edges](std::size_t begin, std::size_t stop) {
      no_notes nothing;
      const std::size_t from = at + begin, to = at + stop;
      const std::size_t reached =
          filter.inside.words != nullptr
              ? unite_range_past<unite_of<Backend>>(p, words, edges, from, to, filter, nothing)
              : unite_range<unite_of<Backend>, asked_ahead::grandparents>(p, words, edges, from, to, nothing, filter.limit);
      if (reached != to) throw unknown_end{};
    });
    at = end;
  }
  flatten(backend, p, n, chunk);
}

}  // namespace copse::fast
