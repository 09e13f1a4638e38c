// A round of searches from parts that were cut off.
//
// A search mostly waits for memory, because each vertex leads to the next. So a worker makes many searches in turns, and each turn begins
// to load what the next turn of the same search needs.
#include <core/team.hpp>
#include <dynamic/reunion.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

namespace copse::dynamics {

/// Searches the parts of a group, one after the other, until it finds an edge to another group, the group has joined that of the hub, or
/// it has taken all steps that it may take. If it begins with a hub, it searches only this part, and does not end at an edge.
class dynamic_components::reunion::group_search {
public:
  /// Begins with this part, from which next_of_group_ leads to the others.
  void begin(reunion& parts, std::uint32_t part, std::uint64_t most_steps) {
    part_ = part;
    hub_ = parts.hub_of(part);
    left_ = most_steps;
    begin_part(parts);
  }
  /// Takes a turn. Returns false when the search has ended.
  bool advance(reunion& parts) { return (this->*turn_)(parts); }
  [[nodiscard]] std::uint64_t steps_left() const noexcept { return left_; }
  /// Returns the search of the part at which the steps have ended.
  [[nodiscard]] std::pair<std::uint32_t, part_search> take_part() { return {part_, std::exchange(here_, {})}; }
  [[nodiscard]] bool is_of_hub() const noexcept { return part_ == hub_; }

private:
  static constexpr std::size_t visits_ahead = 4, visits_per_check = 64;
  static constexpr std::uint32_t ends_ahead = 4;  // ends of edges of a vertex that is visited later
  using turn = bool (group_search::*)(reunion&);

  void begin_part(reunion& parts) {
    turn_ = &group_search::visit;
    if (const auto before = parts.begun_.find(part_); before != parts.begun_.end() && !before->second.met.empty()) {
      here_ = std::exchange(before->second, {});
    } else {
      here_.met.assign(1, parts.roots_[part_]);
      here_.next = 0;
      parts.prefetch(here_.met.front());
    }
  }
  // Returns whether some search has joined the group to that of the hub.
  [[nodiscard]] bool has_joined_hub(reunion& parts) const noexcept { return part_ != hub_ && parts.joined(part_, hub_); }
  void prefetch_around(reunion& parts, std::uint32_t v) const noexcept {
    const node& at = parts.nodes_[v];
    if (at.child != none) parts.prefetch(at.child);
    parts.graph_.sets_.prefetch(at.outside);
  }
  // Visits the next vertex that was met.
  bool visit(reunion& parts) {
    if (left_ == 0 || (here_.next % visits_per_check == visits_per_check - 1 && has_joined_hub(parts))) return false;
    if (here_.next == here_.met.size()) {
      parts.is_searched_[part_] = 1;
      if (part_ == hub_) return false;
      const std::uint32_t next_part = parts.next_of_group_[part_];
      if (next_part == none || has_joined_hub(parts)) return false;
      part_ = next_part;
      begin_part(parts);
      return true;
    }
    --left_;
    place_ = 0;
    turn_ = &group_search::read_ends;
    if (here_.next == 0) {
      prefetch_around(parts, here_.met.front());
      return true;
    }
    // meet_children() has begun to load the edges of other vertices
    if (here_.next + visits_ahead < here_.met.size()) {
      std::uint32_t ends = 0;
      parts.graph_.sets_.any_of(parts.nodes_[here_.met[here_.next + visits_ahead]].outside, [&](std::uint32_t w) {
        parts.prefetch(w);
        return ++ends == ends_ahead;
      });
    }
    return read_ends(parts);
  }
  // Reads the other ends of some of its edges outside the forest.
  bool read_ends(reunion& parts) {
    const node& at = parts.nodes_[here_.met[here_.next]];
    count_ = parts.graph_.sets_.copy(at.outside, place_, ends_);
    for (std::size_t i = 0; i < count_; ++i) parts.prefetch(ends_[i]);
    end_ = 0;
    if (count_ == 0) {
      child_ = at.child;
      turn_ = &group_search::meet_children;
      return true;
    }
    at_ = ends_[0];
    turn_ = &group_search::climb_from_end;
    return true;
  }
  // Takes a step towards the root from one of these ends, unless the part that the walk is in was noted; then notes it for the whole walk.
  bool climb_from_end(reunion& parts) {
    for (;;) {
      const std::uint32_t other = parts.noted_part(at_);
      if (other == none) {
        at_ = parts.nodes_[at_].parent;
        parts.prefetch(at_);
        return true;
      }
      const std::uint32_t w = ends_[end_];
      for (std::uint32_t v = w; v != at_; v = parts.nodes_[v].parent) parts.set_part(v, other);
      left_ -= left_ != 0 ? 1 : 0;
      if (other != part_ && parts.join({here_.met[here_.next], w, part_, other}) && part_ != hub_) return false;
      if (++end_ == count_) break;
      at_ = ends_[end_];
    }
    turn_ = &group_search::read_ends;
    if (count_ < ends_.size()) {
      child_ = parts.nodes_[here_.met[here_.next]].child;
      turn_ = &group_search::meet_children;
    }
    return true;
  }
  // Meets a child of the vertex.
  bool meet_children(reunion& parts) {
    if (child_ == none) {
      ++here_.next;
      return visit(parts);
    }
    here_.met.push_back(child_);
    parts.set_part(child_, part_);
    prefetch_around(parts, child_);
    child_ = parts.nodes_[child_].next;
    if (child_ != none) parts.prefetch(child_);
    return true;
  }

  turn turn_;
  std::uint32_t part_, hub_;
  std::uint64_t left_;   // the steps that it may still take
  part_search here_;     // the search of the part
  std::uint32_t place_;  // where the next ends are in the set of the vertex
  std::array<std::uint32_t, 8> ends_;
  std::size_t count_, end_;  // how many ends there are, and which one is next
  std::uint32_t at_;         // what the walk from this end has reached
  std::uint32_t child_;      // the next child of the vertex
};

dynamic_components::reunion::round_result dynamic_components::reunion::search_round(std::span<const std::uint32_t> searched,
                                                                                    std::uint64_t most_steps, std::uint64_t hub_steps) {
  constexpr std::size_t most_at_once = 16;
  constexpr std::uint64_t steps_per_worker = 1024;
  const auto workers = static_cast<unsigned>(std::clamp<std::uint64_t>(searched.size() * most_steps / steps_per_worker, 1,
                                                                       std::min<std::size_t>(graph_.threads_, searched.size())));
  const std::size_t at_once = std::min(most_at_once, (searched.size() + workers - 1) / workers);
  const std::size_t at_a_time = std::clamp<std::size_t>(searched.size() / workers / 4, 1, most_at_once);
  std::atomic<std::size_t> taken{0};
  std::atomic<std::uint64_t> steps{0};
  std::atomic<bool> any_unfinished{false};
  on_workers(workers, [&](unsigned) {
    std::vector<group_search> searches(at_once);
    std::uint64_t steps_here = 0;
    std::span<const std::uint32_t> mine;  // what this worker has taken and not begun
    const auto begin_next = [&](group_search& one) {
      if (mine.empty()) {
        const std::size_t i = std::min(taken.fetch_add(at_a_time, std::memory_order_relaxed), searched.size());
        mine = searched.subspan(i, std::min(at_a_time, searched.size() - i));
      }
      if (mine.empty()) return false;
      const std::uint32_t part = mine.front();
      mine = mine.subspan(1);
      one.begin(*this, part, part == hub_of(part) ? hub_steps : most_steps);
      return true;
    };
    std::size_t running = 0;
    while (running < searches.size() && begin_next(searches[running])) ++running;
    while (running != 0) {
      for (std::size_t i = 0; i < running;) {
        group_search& one = searches[i];
        if (one.advance(*this)) {
          ++i;
          continue;
        }
        steps_here += (one.is_of_hub() ? hub_steps : most_steps) - one.steps_left();
        if (!one.is_of_hub() && one.steps_left() == 0) any_unfinished.store(true, std::memory_order_relaxed);
        if (one.steps_left() == 0) workers_[worker_number()].begun.push_back(one.take_part());
        if (begin_next(one)) continue;
        if (i != --running) std::swap(one, searches[running]);
      }
    }
    steps.fetch_add(steps_here, std::memory_order_relaxed);
  });
  for (worker& its : workers_) {
    for (auto& [part, search] : its.begun) begun_[part] = std::move(search);
    its.begun.clear();
  }
  return {steps, any_unfinished};
}

}  // namespace copse::dynamics
