// The edges of a spanning forest, recorded when they link trees: the thread that links a root records the edge once, after its
// compare-and-swap has succeeded. On the host every thread has its own list and writes one edge after the other; a slot for each root
// would cost a cache miss per link (measured on one thread: slots make a solve 4 to 30 % slower). All lists are in one array, in which a
// thread reserves a handful of places at a time, so that at the end only the unused places of each thread's last handful must be filled.
// If there is a single thread, its list is the answer. (A GPU uses slots: gpu/loops/links.cuh.)
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <copse/views.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace copse::backend {

/// Records nothing: for solves that need no forest.
struct no_recorder {
  static constexpr bool by_root = false, always = false;
  template <class Id>
  COPSE_HOST_DEVICE void operator()(Id /*root*/, edge<Id> /*e*/) const noexcept {}
};

template <class Backend, class Id>
class links {
  struct alignas(64) hand {
    std::size_t next = 0, end = 0;
  };

public:
  /// The function object to which rules and samplers pass every edge that made a link. It converts to false if no forest is requested. Its
  /// first argument, the vertex that stopped being a root, is used on GPUs only. `always` tells with_recorder() that the recorders of a
  /// backend never convert to false.
  class recorder {
  public:
    static constexpr bool by_root = false, always = false;
    recorder() = default;
    explicit recorder(links& to) noexcept : to_{&to} {}
    [[nodiscard]] explicit operator bool() const noexcept { return to_ != nullptr; }
    void operator()(Id /*root*/, edge<Id> e) const noexcept { to_->add(e); }

    /// Records edges by one thread in places of the array that the thread has reserved, and which no other thread reads until the batch is
    /// destroyed. A copy reserves places of its own.
    class batch {
    public:
      explicit batch(recorder source) noexcept : to_{source.to_} {}
      batch(const batch& other) noexcept : to_{other.to_} {}
      ~batch() {
        if (hand_ != nullptr) *hand_ = own_;
      }
      void note_if(bool wanted, edge<Id> e) noexcept {
        if (own_.next == own_.end) [[unlikely]]
          refill();
        to_->edges_[own_.next] = e;
        own_.next += wanted ? 1 : 0;
      }

    private:
      [[gnu::noinline]] void refill() noexcept {
        hand_ = &to_->hands_[Backend::thread()];
        if (own_.end != 0) *hand_ = own_;  // not at the first call: notes that the thread's reserved places are used up
        if (hand_->next == hand_->end) to_->take_places(*hand_);
        own_ = *hand_;
      }

      links* to_;
      hand* hand_ = nullptr;
      hand own_;
    };

  private:
    links* to_ = nullptr;
  };

  /// Allocates room for n - 1 edges, however they are distributed over the threads.
  links(const Backend& loops, Id vertices, std::pmr::memory_resource* memory)
      : hands_(loops.threads()), edges_{std::size_t{vertices} + loops.threads() * handful, memory} {}
  links(const links&) = delete;

  [[nodiscard]] recorder notes() noexcept { return recorder{*this}; }

  /// Returns all edges, compacted. Must be called between loops, and nothing may be recorded afterwards. The parameters are needed only on
  /// GPUs.
  template <class Trees>
  [[nodiscard]] buffer<edge<Id>> collect(const Backend& /*loops*/, Trees& /*trees*/) {
    // Each thread reserves places of the array a handful at a time, and may not have used all places of its last handful. From the last
    // such handful in the array down, these places are filled with the edges at the end of the array.
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

/// The recorder of a backend with one thread.
template <class Backend, class Id>
requires(!Backend::concurrent) class links<Backend, Id> {
public:
  class recorder {
  public:
    static constexpr bool by_root = false, always = false;
    recorder() = default;
    explicit recorder(edge<Id>** next) noexcept : next_{next} {}
    [[nodiscard]] explicit operator bool() const noexcept { return next_ != nullptr; }
    void operator()(Id /*root*/, edge<Id> e) const noexcept { *(*next_)++ = e; }

    /// Records edges in the next places of the array, which are not read until the batch is destroyed. A copy begins where the original
    /// began, so only one of the two may record.
    class batch {
    public:
      explicit batch(recorder source) noexcept : home_{source.next_}, first_{home_ == nullptr ? nullptr : *home_}, next_{first_} {}
      batch(const batch& other) noexcept : home_{other.home_}, first_{home_ == nullptr ? nullptr : *home_}, next_{first_} {}
      ~batch() {
        if (next_ != first_) *home_ = next_;
      }
      void note_if(bool wanted, edge<Id> e) noexcept {
        *next_ = e;
        next_ += wanted ? 1 : 0;
      }

    private:
      edge<Id>** home_;
      edge<Id>* first_;
      edge<Id>* next_;
    };

  private:
    edge<Id>** next_ = nullptr;
  };

  /// Allocates room for n - 1 edges and one more, because note_if() also writes an unwanted edge, which the next edge overwrites.
  links(const Backend& /*loops*/, Id vertices, std::pmr::memory_resource* memory) : edges_{vertices, memory}, next_{edges_.data()} {}
  links(const links&) = delete;

  [[nodiscard]] recorder notes() noexcept { return recorder{&next_}; }

  template <class Trees>
  [[nodiscard]] buffer<edge<Id>> collect(const Backend& /*loops*/, Trees& /*trees*/) {
    edges_.shrink(static_cast<std::size_t>(next_ - edges_.data()));
    return std::move(edges_);
  }

private:
  buffer<edge<Id>> edges_;
  edge<Id>* next_;
};

template <class Backend, class Id>
using link_recorder = typename links<Backend, Id>::recorder;

/// Calls f with the recorder of links, or with no_recorder{} if the recorder converts to false because no forest is requested. The second
/// call is not compiled for recorders that never convert to false (recorder::always).
template <class Recorder, class F>
void with_recorder(Recorder recorder, F f) {
  if constexpr (Recorder::always || std::is_same_v<Recorder, no_recorder>) {
    f(recorder);
  } else if (recorder) {
    f(recorder);
  } else {
    f(no_recorder{});
  }
}

/// Passed to a unite, which calls it with the root that it linked (rules/unite/no_link.hpp): stores the root until the unite has returned.
template <class Id>
struct keep_root {
  Id* root;
  COPSE_HOST_DEVICE void operator()(Id linked, Id /*parent*/) const noexcept { *root = linked; }
};

/// Passed to a unite, which calls it with the root that it linked: records the edge at once. (To test after each unite whether it linked a
/// root took 1 ns per arc on one thread.)
template <class Recorder, class Id>
struct note_edge {
  Recorder recorder;
  edge<Id> e;
  void operator()(Id linked, Id /*parent*/) const noexcept { recorder(linked, e); }
};
template <class Batch, class Id>
struct note_in_batch {
  Batch& batch;
  edge<Id> e;
  void operator()(Id /*linked*/, Id /*parent*/) const noexcept { batch.note_if(true, e); }
};

/// Unites u and v, and records `e` if a root was linked. Precondition: e joins the trees of u and v.
template <class Unite, class P, class Recorder>
COPSE_HOST_DEVICE typename P::id unite_and_note(P p, typename P::id u, typename P::id v, Recorder recorder, edge<typename P::id> e) {
  using id = typename P::id;
  if constexpr (std::is_same_v<Recorder, no_recorder>) {
    return Unite{}(p, u, v);
  } else if constexpr (!Recorder::by_root) {
    return Unite{}(p, u, v, note_edge<Recorder, id>{recorder, e});
  } else {
    id root = no_vertex<id>;
    const id led_to = Unite{}(p, u, v, keep_root<id>{&root});
    if (root != no_vertex<id>) recorder(root, e);
    return led_to;
  }
}

/// Records the edges by which a sampler initialises the trees, where `parent_of(v)` is v itself or the target of an arc of v.
template <class Recorder, class ParentOf>
class plant_and_note {
public:
  plant_and_note(Recorder recorder, ParentOf parent_of) : recorder_{recorder}, parent_of_{parent_of} {}

  template <class Id>
  COPSE_HOST_DEVICE Id operator()(Id v) const {
    const Id parent = parent_of_(v);
    if (parent != v) recorder_(v, {v, parent});
    return parent;
  }

private:
  Recorder recorder_;
  ParentOf parent_of_;
};
/// For recorders with batches, which are consecutive places for the edges of one thread. There is one copy of this object per block of a
/// loop, which holds its thread's batch until it is destroyed, so that recording needs no branch and no access to shared memory per vertex.
template <class Recorder, class ParentOf>
requires requires { typename Recorder::batch; }
class plant_and_note<Recorder, ParentOf> {
public:
  plant_and_note(Recorder recorder, ParentOf parent_of) : parent_of_{parent_of}, batch_{recorder} {}

  template <class Id>
  Id operator()(Id v) {
    const Id parent = parent_of_(v);
    batch_.note_if(parent != v, {v, parent});
    return parent;
  }

private:
  ParentOf parent_of_;
  typename Recorder::batch batch_;
};

/// Records the arc by which a search reached a vertex.
template <class Recorder>
struct note_reached {
  Recorder recorder;
  template <class Id>
  COPSE_HOST_DEVICE void operator()(Id from, Id reached) const {
    recorder(reached, {from, reached});
  }
};

}  // namespace copse::backend
