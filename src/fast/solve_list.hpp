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
#include <loops/omp.hpp>
#include <loops/serial.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace copse::fast {

/// Each idea is a switch, so that its gain can be measured alone (bench/fast.cpp); users never see them.
struct list_options {
  bool prefetch = true;         ///< ask for parents before they are needed
  bool grandparents = true;     ///< and for theirs
  bool past_giant = true;       ///< pass over edges inside the giant
  bool wide_filter = true;      ///< look at the bits of several edges at once, where the processor can
  bool name_giant = true;       ///< unite with the giant itself what ends at a vertex inside
  bool by_ranges = true;        ///< unite the first edges by ranges of vertices, where that pays
  bool early_looks = true;      ///< look before as many edges as vertices have come, and more often while the giant grows
  double least_inside = 0.3;    ///< with a smaller share of edges inside, looking at their bits does not pay
  std::size_t first_edges = 0;  ///< edges before the first vote; 0: as the schedule says
  bool any_ranges = false;      ///< by ranges wherever many threads work, whether it pays or not: for tests
  bool look_at_ends = false;    ///< no idea, a need: ends are not known to be vertices
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

  const auto first = settings.first_edges != 0 ? std::min(settings.first_edges, m)
                                               : edges_to_first_look(n, m, settings.early_looks && Backend::concurrent);
  const bool looks_for_giant = settings.past_giant && first < m;
  buffer<std::uint64_t> room{looks_for_giant && bits.empty() ? words_of_bits(n) : 0, options.memory};
  std::uint64_t* const marks = bits.empty() ? room.data() : bits.data();
  // Bits are raised between two passes over edges, never in one: so the filter may be wide.
  giant_filter<Id> filter{{}, settings.look_at_ends ? n : Id{0}, settings.name_giant, settings.wide_filter};
  auto& inside = filter.inside;
  for (std::size_t at = 0, end = looks_for_giant ? first : m; at < m;) {
    if (looks_for_giant && at != 0) {
      const auto vote = vote_of_edges(p, words, edges_of_known<Edges, Id>{edges, n}, at, m, options.seed);
      pass_if_it_pays(backend, p, n, vote, m - at, settings.least_inside, inside, [marks] { return marks; });
      end = at + edges_to_next_look(at, n, m - at, vote.inside, settings.early_looks);
    }
    if constexpr (Backend::concurrent) {
      std::optional<edges_by_range<Id>> ranges;
      if (at == 0 && settings.by_ranges && (settings.any_ranges || suits_ranges(backend.threads(), edges, end, n, options.seed)) &&
          make_room(ranges, n, backend.threads(), options.memory)) {
        const auto throw_unknown = [](std::size_t, std::size_t) { throw unknown_end{}; };
        unite_by_ranges<unite_of<Backend>>(
            backend, *ranges, p, words, edges, end, [] { return no_notes{}; }, throw_unknown);
        at = end;
        continue;
      }
    }
    as_asked(settings.prefetch, settings.grandparents, [&](auto ahead) {
      backend.for_blocks(end - at, [=, &edges](std::size_t begin, std::size_t stop) {
        no_notes nothing;
        const std::size_t from = at + begin, to = at + stop;
        const std::size_t reached = filter.inside.words != nullptr
                                        ? unite_range_past<unite_of<Backend>>(p, words, edges, from, to, filter, nothing)
                                        : unite_range<unite_of<Backend>, ahead()>(p, words, edges, from, to, nothing, filter.limit);
        if (reached != to) throw unknown_end{};
      });
    });
    at = end;
  }
  flatten(backend, p, n, chunk);
}

}  // namespace copse::fast
