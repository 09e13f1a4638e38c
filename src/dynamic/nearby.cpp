// How parts that were cut off join the rest again by edges nearby.
//
// If cycles are short, as in roads and grids, the cycle that an erased edge was on is often found near it, even if all roots are far away.
// So vertices below the erased edge are visited, and walks towards the root begin at the other ends of their edges and at the upper end of
// the erased edge. Where one of the former meets the latter, an edge joins the same two parts as the erased edge did, whichever these are.
// So edges can be replaced at the same time, on all threads, while the forest stays as it is, and those that are found close no cycle.
#include <core/parallel.hpp>
#include <core/team.hpp>
#include <dynamic/connectivity.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>

namespace copse::dynamics {
namespace {

/// What a search has noted for the vertices that it has met, at most `Most`: a hash table with linear probing.
template <std::size_t Most>
class met_vertices {
public:
  /// Forgets all notes.
  void begin() noexcept { ++search_; }
  /// Returns the note for a vertex; none if it was not met.
  [[nodiscard]] std::uint32_t& operator[](std::uint32_t v) noexcept {
    std::size_t i = v * 0x9E3779B1u >> (32 - bits);
    while (slots_[i].search == search_ && slots_[i].vertex != v) i = (i + 1) % slots_.size();
    if (slots_[i].search != search_) slots_[i] = {v, none, search_};
    return slots_[i].note;
  }

private:
  static constexpr unsigned bits = std::bit_width(2 * Most - 1);
  struct slot {
    std::uint32_t vertex, note, search;
  };

  std::array<slot, std::size_t{1} << bits> slots_{};
  std::uint32_t search_ = 0;
};

}  // namespace

/// A search from both ends of an erased tree edge, which changes nothing in the graph.
class dynamic_components::nearby_search {
public:
  explicit nearby_search(const dynamic_components& graph) noexcept : graph_{graph} {}

  /// Returns an edge that joins the two parts again; none, none if it finds none in nearby_steps steps.
  [[nodiscard]] joint replacement_of(cut_edge erased) {
    met_.begin();
    below_.assign(1, erased.child);
    met_[erased.child] = is_below;
    met_[erased.parent] = is_above;
    edges_.clear();
    walks_.clear();
    found_ = {none, none};
    left_ = nearby_steps;
    above_ = erased.parent;
    for (std::size_t next = 0; may_go_on() && (next < below_.size() || !walks_.empty());) {
      if (next < below_.size()) visit(below_[next++]);
      for (std::uint32_t step = 0; step < steps_per_visit && may_go_on(); ++step) {
        climb_above();
        climb_from_ends();
      }
    }
    return found_;
  }

private:
  static constexpr std::uint32_t steps_per_visit = 4;
  static constexpr std::uint32_t is_below = none - 1, is_above = none - 2;  // other notes: an edge from whose other end a walk came
  struct walk {
    std::uint32_t edge, at;
  };

  [[nodiscard]] bool may_go_on() const noexcept { return left_ != 0 && found_.inside == none; }
  void visit(std::uint32_t x) {
    const node& at = graph_.nodes_[x];
    if (at.child != none) __builtin_prefetch(&graph_.nodes_[at.child]);
    graph_.sets_.any_of(at.outside, [&](std::uint32_t w) {
      std::uint32_t& note = met_[w];
      if (note == is_above) found_ = {x, w};
      if (note == none) {
        note = static_cast<std::uint32_t>(edges_.size());
        walks_.push_back({note, w});
        edges_.push_back({x, w});
        __builtin_prefetch(&graph_.nodes_[w]);
      }
      --left_;
      return !may_go_on();
    });
    for (std::uint32_t c = at.child; c != none && may_go_on(); c = graph_.nodes_[c].next, --left_) {
      met_[c] = is_below;
      below_.push_back(c);
    }
  }
  void climb_above() {
    if (above_ != none) above_ = graph_.nodes_[above_].parent;
    if (above_ == none) return;
    __builtin_prefetch(&graph_.nodes_[above_]);
    std::uint32_t& note = met_[above_];
    if (note < is_above) found_ = edges_[note];
    note = is_above;
    --left_;
  }
  void climb_from_ends() {
    for (std::size_t i = 0; i < walks_.size() && may_go_on(); --left_) {
      auto& [edge, at] = walks_[i];
      at = graph_.nodes_[at].parent;
      if (at != none && met_[at] == none) {
        __builtin_prefetch(&graph_.nodes_[at]);
        met_[at] = edge;
        ++i;
        continue;
      }
      if (at != none && met_[at] == is_above) found_ = edges_[edge];
      walks_[i] = walks_.back();
      walks_.pop_back();
    }
  }

  const dynamic_components& graph_;
  met_vertices<2 * nearby_steps> met_;
  std::vector<std::uint32_t> below_;  // the vertices below the erased edge that were met
  std::vector<joint> edges_;          // their edges outside the forest that lead to vertices that were not met before
  std::vector<walk> walks_;           // from the other ends of these edges
  std::uint32_t above_;               // what the walk from the upper end of the erased edge has reached
  joint found_;
  std::size_t left_;  // the steps that the search may still take
};

// Replaces edges in cuts_ by others nearby.
void dynamic_components::reconnect_nearby() {
  constexpr std::size_t cuts_per_block = 16;
  std::vector<joint> found(cuts_.size(), joint{none, none});
  std::vector<std::unique_ptr<nearby_search>> searches(threads_);
  const auto search = [&](std::size_t begin, std::size_t end) {
    auto& mine = searches[worker_number()];
    if (mine == nullptr) mine = std::make_unique<nearby_search>(*this);
    for (std::size_t i = begin; i < end; ++i) found[i] = mine->replacement_of(cuts_[i]);
  };
  parallel_blocks(threads_, cuts_.size(), cuts_per_block, search);
  std::size_t left = 0;
  for (std::size_t i = 0; i < cuts_.size(); ++i)
    if (found[i].inside == none) cuts_[left++] = cuts_[i];
  cuts_.resize(left);
  std::erase_if(found, [](const joint& edge) { return edge.inside == none; });
  take_together(found);
}

}  // namespace copse::dynamics
