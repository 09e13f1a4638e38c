// When inserts look for a giant, and what they know of it. Looks are due as in a list (fast/giant_probe.hpp), each batch as far as it
// goes: what comes after it is unknown, so a pass for which too little of a batch is left is made when the next begins, as if that had no
// end. But they are due after 16 edges per vertex at the latest, as a stream may go on for ever and its vertices may be new. Between
// looks, bits only fall behind: that costs time and is never wrong.
#pragma once
#include <copse/views.hpp>
#include <drivers/incremental/growing.hpp>
#include <drivers/incremental/insert_options.hpp>
#include <fast/giant_filter.hpp>
#include <fast/giant_probe.hpp>
#include <fast/passes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::drivers {

template <class Backend, class Id>
class giant_watch {
public:
  explicit giant_watch(std::pmr::memory_resource* memory, const insert_options& options = {}) : options_{options}, bits_{memory} {}

  [[nodiscard]] const insert_options& options() const noexcept { return options_; }

  /// With words null where no giant is known.
  [[nodiscard]] fast::giant_bits<Id> inside() noexcept { return {knows_giant_ ? bits_.data() : nullptr, giant_}; }
  /// Of edges with ends below `limit`. Bits are raised between two loops over edges, never while threads filter.
  /// `named`: may ends inside be named as the giant?
  [[nodiscard]] fast::giant_filter<Id> filter(Id limit, bool named) noexcept { return {inside(), limit, named}; }

  /// Vertices below `slots` have words of parents: new ones are outside.
  void grow(const Backend& loops, Id slots) {
    if (!knows_giant_) return;
    const std::size_t used = fast::words_of_bits(slots_), needed = fast::words_of_bits(slots);
    bits_.reserve(loops, used, needed);
    std::fill(bits_.data() + used, bits_.data() + needed, std::uint64_t{0});
    slots_ = slots;
  }

  /// Looks, if that is due; `edges` are the next. Returns how many of them to insert before the next look, at least one.
  template <class P>
  std::size_t before(const Backend& loops, P p, const Id* words, Id slots, bool any_links, std::span<const edge<Id>> edges) {
    const std::uint64_t n = std::max<std::uint64_t>(slots, options_.fewest_edges), to_come = edges.size();
    const std::uint64_t first = fast::first_look(n, Backend::concurrent);
    if (seen_ < first && !knows_giant_) {
      next_look_ = first;  // later than it was, where vertices have come
    } else if (seen_ >= next_look_) {
      double share = 0;
      if (any_links) {
        const fast::edges_of_known<std::span<const edge<Id>>, Id> known{edges, slots};  // others name new vertices
        const auto vote = fast::vote_of_edges(p, words, known, 0, edges.size(), seen_);
        share = vote.inside;
        if (!pass_if_it_pays(loops, p, slots, vote, within_batch_ ? to_come : no_end)) {
          seen_ += to_come;
          within_batch_ = false;
          return edges.size();
        }
      }
      next_look_ = seen_ + std::clamp(fast::edges_to_later_look(seen_, share), n / 16 + 1, 16 * n);
    }
    std::uint64_t part = std::min(to_come, next_look_ - seen_);
    if (!fast::look_pays(n, to_come - part)) part = to_come;
    seen_ += part;
    within_batch_ = part < to_come;
    return static_cast<std::size_t>(part);
  }

private:
  template <class P>
  bool pass_if_it_pays(const Backend& loops, P p, Id slots, const fast::edge_vote<Id>& vote, std::uint64_t to_come) {
    auto giant = inside();
    const bool in_time = fast::pass_if_it_pays(loops, p, slots, vote, to_come, options_.least_inside, giant, [&] {
      bits_.reserve(loops, 0, fast::words_of_bits(slots));
      slots_ = slots;
      return bits_.data();
    });
    knows_giant_ = giant.words != nullptr;
    giant_ = giant.giant;
    return in_time;
  }

  static constexpr std::uint64_t no_end = UINT64_MAX;

  insert_options options_;
  growing<std::uint64_t> bits_;
  bool knows_giant_ = false;
  Id giant_ = 0, slots_ = 0;
  std::uint64_t seen_ = 0, next_look_ = 0;
  bool within_batch_ = false;  // has a part of the batch been inserted?
};

}  // namespace copse::drivers
