// Direction-optimising breadth-first search (Beamer, Asanovic, Patterson 2012) of one component: small frontiers push along their arcs;
// while the frontier has many arcs, unreached vertices look for a reached neighbour instead. O(n + arcs) a pull step.
// Only reachability is asked for, not distance, so a pull may use what the same step has just reached.
#pragma once
#include <backend/arcs.hpp>
#include <backend/counted.hpp>
#include <backend/gather.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace copse::backend {

template <class Id>
struct frontiers {
  frontiers(Id vertices, std::pmr::memory_resource* memory) : now(vertices, memory), next(vertices, memory) {}
  gathered<Id> now, next;
};

/// Replaces `free` by `value` in the word of v. True for the one thread that did.
template <class Words, class Id>
bool claim(Words words, Id v, Id free, Id value) {
  while (words.load(v) == free) {
    if (words.cas(v, free, value).ok) return true;
  }
  return false;
}

/// labels[v] = start for every vertex of start's component. Precondition: symmetric rows; labels[v] == v for all of these vertices.
template <class Backend, class Id, class Labels>
void reach(const Backend& loops, const any_rows<Id>& rows, Labels labels, Id start, frontiers<Id>& queues) {
  using appender = typename gathered<Id>::appender;
  gathered<Id>& now = queues.now;
  gathered<Id>& next = queues.next;
  now.clear();
  appender{now}(start);
  const std::size_t n = rows.vertices();
  std::uint64_t arcs_left = rows.offsets[n];
  std::uint64_t frontier_arcs = rows.degree(start);
  while (now.size() > 0) {
    next.clear();
    std::atomic<std::uint64_t> found_arcs{0};
    if (frontier_arcs > arcs_left / 15) {
      loops.for_blocks(n, [&](std::size_t begin, std::size_t end) {
        appender append{next};
        std::uint64_t found = 0;
        for (std::size_t i = begin; i < end; ++i) {
          const Id v = static_cast<Id>(i);
          if (v == start || labels.load(v) != v) continue;
          for (const Id target : rows.row(v)) {
            inspected<Backend>(1);
            if (labels.load(target) != start) continue;
            labels.store(v, start);
            append(v);
            found += rows.degree(v);
            break;
          }
        }
        found_arcs.fetch_add(found, std::memory_order_relaxed);
      });
    } else {
      loops.for_blocks(now.size(), [&](std::size_t begin, std::size_t end) {
        appender append{next};
        std::uint64_t found = 0;
        for (std::size_t i = begin; i < end; ++i) {
          inspected<Backend>(rows.degree(now[i]));
          for (const Id target : rows.row(now[i])) {
            if (target == start || !claim(labels, target, target, start)) continue;
            append(target);
            found += rows.degree(target);
          }
        }
        found_arcs.fetch_add(found, std::memory_order_relaxed);
      });
    }
    arcs_left -= frontier_arcs < arcs_left ? frontier_arcs : arcs_left;
    frontier_arcs = found_arcs.load(std::memory_order_relaxed);
    now.swap(next);
  }
}

}  // namespace copse::backend
