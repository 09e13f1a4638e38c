// The edges of a spanning forest, recorded as they link trees: whoever links a root notes the edge that did it, once, after the swap that
// won. On the host every thread has a list of its own: it writes one edge after the other, where a slot for each root would be a miss for
// each link (measured on one thread: slots cost 4 to 30 % more of a solve). Lists lie in one array, a handful of places at a time, so that
// in the end only the unused places of each thread's last handful are to be closed. (On a GPU it is slots: backend/cuda/links.cuh.)
#pragma once
#include <copse/core/host_device.hpp>
#include <copse/core/memory.hpp>
#include <copse/graph/coo.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

namespace copse::backend {

template <class Backend, class Id>
class links {
  struct alignas(64) hand {
    std::size_t next = 0, end = 0;
  };

public:
  /// What rules and samplers note edges with; false when no forest is asked for. `root` is who stopped being one; on the host it makes no
  /// difference.
  class recorder {
  public:
    static constexpr bool by_root = false;
    recorder() = default;
    explicit recorder(links& to) noexcept : to_{&to} {}
    [[nodiscard]] explicit operator bool() const noexcept { return to_ != nullptr; }
    void operator()(Id /*root*/, edge<Id> e) const noexcept { to_->add(e); }

    /// Notes of one thread in a row. A copy starts anew.
    class batch {
    public:
      batch() = default;
      batch(const batch& /*other*/) noexcept : batch{} {}
      ~batch() {
        if (hand_ != nullptr) *hand_ = own_;
      }
      void note_if(recorder made, bool wanted, edge<Id> e) noexcept {
        if (own_.next == own_.end) [[unlikely]] {
          hand_ = &made.to_->hands_[Backend::thread()];
          if (own_.end != 0) *hand_ = own_;  // full
          if (hand_->next == hand_->end) made.to_->take_places(*hand_);
          own_ = *hand_;
        }
        made.to_->edges_[own_.next] = e;
        own_.next += wanted ? 1 : 0;
      }

    private:
      hand* hand_ = nullptr;
      hand own_;
    };

  private:
    links* to_ = nullptr;
  };

  /// Room for n - 1 edges, however the threads share it.
  links(const Backend& loops, Id vertices, std::pmr::memory_resource* memory)
      : hands_(loops.threads()), edges_{std::size_t{vertices} + loops.threads() * handful, memory} {}
  links(const links&) = delete;

  [[nodiscard]] recorder notes() noexcept { return recorder{*this}; }

  /// All edges, and nothing else. Between loops; nothing is noted any more. `loops` and `trees` are what slots would be asked by.
  template <class Trees>
  [[nodiscard]] buffer<edge<Id>> collect(const Backend& /*loops*/, Trees& /*trees*/) {
    // From the last handful down, the places that were taken and not used are filled with the edges at the end.
    std::sort(hands_.begin(), hands_.end(), [](const hand& a, const hand& b) { return a.next > b.next; });
    std::size_t count = taken_.load(std::memory_order_relaxed);
    for (const hand& own : hands_) {
      if (own.next == own.end) continue;
      const std::size_t unused = own.end - own.next, behind = count - own.end, moved = std::min(unused, behind);
      std::copy_n(edges_.begin() + (count - moved), moved, edges_.begin() + own.next);
      count -= unused;
    }
    edges_.shrink(count);
    return std::move(edges_);
  }

private:
  static constexpr std::size_t handful = 1024;

  [[gnu::always_inline]] inline void add(edge<Id> e) noexcept {
    hand& own = hands_[Backend::thread()];
    if (own.next == own.end) [[unlikely]]
      take_places(own);
    edges_[own.next++] = e;
  }
  [[gnu::noinline]] void take_places(hand& own) noexcept {
    own.next = taken_.fetch_add(handful, std::memory_order_relaxed);
    own.end = own.next + handful;
  }

  std::vector<hand> hands_;
  buffer<edge<Id>> edges_;
  std::atomic<std::size_t> taken_{0};
};

/// Of backends that make no forests: never true.
struct no_recorder {
  static constexpr bool by_root = false;
  constexpr explicit operator bool() const noexcept { return false; }
};

/// A GPU's loops have a stream.
template <class Backend>
inline constexpr bool records_links = !requires(const Backend& loops) {
  loops.stream();
};

template <class Backend, class Id>
struct recorder_of {
  using type = no_recorder;
};
template <class Backend, class Id>
requires records_links<Backend>
struct recorder_of<Backend, Id> {
  using type = typename links<Backend, Id>::recorder;
};
template <class Backend, class Id>
using link_recorder = typename recorder_of<Backend, Id>::type;

/// What a unite calls for the root that it linked (rules/unite/no_link.hpp): remembers it until the unite has returned.
template <class Id>
struct keep_root {
  Id* root;
  COPSE_HOST_DEVICE void operator()(Id linked, Id /*parent*/) const noexcept { *root = linked; }
};

/// What a sampler plants, recorded: `parent_of(v)` is v itself or the target of an arc of v. One copy a block, which keeps its thread's
/// place to itself until it goes, so that neither a branch nor the memory is waited for at each vertex.
template <class Recorder, class ParentOf>
class plant_and_note {
public:
  plant_and_note(Recorder made, ParentOf parent_of) : made_{made}, parent_of_{parent_of} {}

  template <class Id>
  Id operator()(Id v) {
    const Id parent = parent_of_(v);
    batch_.note_if(made_, parent != v, {v, parent});
    return parent;
  }

private:
  Recorder made_;
  ParentOf parent_of_;
  typename Recorder::batch batch_;
};

/// What a search calls for the arc along which it reached a vertex.
struct note_nothing {
  template <class Id>
  COPSE_HOST_DEVICE void operator()(Id /*from*/, Id /*reached*/) const noexcept {}
};
template <class Recorder>
struct note_reached {
  Recorder made;
  template <class Id>
  COPSE_HOST_DEVICE void operator()(Id from, Id reached) const {
    made(reached, {from, reached});
  }
};

}  // namespace copse::backend
