// The frontier of a search in steps: the vertices that the last step reached, and the loops that find the next ones from them, along their
// rows (push) or along the rows of all vertices (pull).
//
// What a loop does is a step type:
//   bool wants(v)                 are v's arcs looked at?
//   state begin(v)                before the first of them; `state` is its own
//   bool along(state&, target, append)   one arc; false: leave the rest
//   void end(v, state, append)    after the last
// append(v) puts v into the next frontier; the step sees to it that each vertex comes there once at most. Where `shares_rows`, a row may be
// walked by several threads, each with a state of its own. Where `may_hold_repeats`, a frontier can be made that takes a vertex more than
// once: holds_repeats() says whether it was, repeated_arcs() how many arcs were walked again.
#pragma once
#include <copse/memory.hpp>
#include <loops/arcs.hpp>
#include <loops/counted.hpp>
#include <loops/gather.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace copse::backend {

/// The defaults of most steps: take every vertex, and do nothing after its arcs.
struct frontier_step {
  template <class Id>
  COPSE_HOST_DEVICE bool wants(Id /*v*/) const noexcept {
    return true;
  }
  template <class Id, class State, class Append>
  COPSE_HOST_DEVICE void end(Id /*v*/, const State& /*state*/, Append& /*append*/) const noexcept {}
};

/// `Measured`: the arcs of the frontier are counted.
template <class Backend, class Id, bool Measured>
class frontier {
public:
  static constexpr bool shares_rows = false, may_hold_repeats = false;

  frontier(const Backend& loops, const any_rows<Id>& rows, std::pmr::memory_resource* memory)
      : loops_{loops}, rows_{rows}, now_(rows.vertices(), memory), next_(rows.vertices(), memory) {}

  [[nodiscard]] std::size_t size() const noexcept { return now_.size(); }
  [[nodiscard]] const Id* data() const noexcept { return now_.data(); }
  [[nodiscard]] std::uint64_t arcs() const noexcept { return arcs_.load(std::memory_order_relaxed); }

  /// The frontier is v alone.
  void restart(Id v) {
    now_.clear();
    arcs_.store(0, std::memory_order_relaxed);
    appender{*this, now_}(v);
  }
  /// f(i, append) for every i < count; here append adds to the current frontier.
  template <class F>
  void add(std::size_t count, F f) {
    loops_.for_blocks(count, [this, f](std::size_t begin, std::size_t end) {
      appender append{*this, now_};
      for (std::size_t i = begin; i < end; ++i) f(i, append);
    });
  }
  template <class Step>
  void push(Step step) {
    next(now_.size(), step, [items = now_.data()](std::size_t i) { return items[i]; });
  }
  /// At least one push, and more where that is quicker than returning between them.
  template <class Step>
  void push_on(Step step) {
    push(step);
  }
  template <class Step>
  void pull(Step step) {
    next(rows_.vertices(), step, [](std::size_t i) { return static_cast<Id>(i); });
  }

private:
  class appender {
  public:
    appender(frontier& of, gathered<Id>& to) noexcept : of_{of}, append_{to} {}
    appender(const appender&) = delete;
    ~appender() {
      if (Measured && arcs_ > 0) of_.arcs_.fetch_add(arcs_, std::memory_order_relaxed);
    }
    void operator()(Id v) noexcept {
      append_(v);
      if constexpr (Measured) arcs_ += rows_.degree(v);
    }

  private:
    frontier& of_;
    any_rows<Id> rows_ = of_.rows_;
    typename gathered<Id>::appender append_;
    std::uint64_t arcs_ = 0;
  };

  template <class Step, class VertexOf>
  void next(std::size_t count, Step step, VertexOf vertex_of) {
    next_.clear();
    arcs_.store(0, std::memory_order_relaxed);
    loops_.for_blocks(count, [this, shared_step = step, shared_rows = rows_, vertex_of](std::size_t begin, std::size_t end) {
      const Step own = shared_step;  // a local copy stays in registers
      const any_rows<Id> rows = shared_rows;
      appender append{*this, next_};
      for (std::size_t i = begin; i < end; ++i) {
        const Id v = vertex_of(i);
        if (!own.wants(v)) continue;
        auto state = own.begin(v);
        for (const Id target : rows.row(v)) {
          inspected<Backend>(1);
          if (!own.along(state, target, append)) break;
        }
        own.end(v, state, append);
      }
    });
    now_.swap(next_);
  }

  const Backend& loops_;
  any_rows<Id> rows_;
  gathered<Id> now_, next_;
  std::atomic<std::uint64_t> arcs_{0};
};

}  // namespace copse::backend
