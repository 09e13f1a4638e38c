// The slots of a spanning forest: one edge a vertex. Who links a root writes the edge that did it into that root's slot, once, after the
// swap that won; so no two threads ever write one slot, and a slot holds an edge of the forest exactly if its vertex is no root any more.
// That also says which slots were never written, so nothing is cleared. Slots are read between loops only.
#pragma once
#include <copse/core/host_device.hpp>
#include <copse/graph/coo.hpp>

#include <cstddef>

namespace copse::backend {

/// Borrows the array; none when no forest is asked for.
template <class Id>
class slots {
public:
  slots() = default;
  COPSE_HOST_DEVICE explicit slots(edge<Id>* first) noexcept : first_{first} {}

  [[nodiscard]] explicit operator bool() const noexcept { return first_ != nullptr; }
  [[nodiscard]] COPSE_HOST_DEVICE edge<Id> read(std::size_t v) const noexcept { return first_[v]; }
  COPSE_HOST_DEVICE void write(std::size_t v, edge<Id> e) const noexcept {
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(Id) == 4) {  // one store: an array is aligned for it, though its type does not say so
      reinterpret_cast<uint2*>(first_)[v] = make_uint2(e.u, e.v);
      return;
    }
#endif
    first_[v] = e;
  }

private:
  edge<Id>* first_ = nullptr;
};

/// What a unite calls for the root that it linked (rules/unite/no_link.hpp).
template <class Id>
struct fill_slot {
  slots<Id> made;
  edge<Id> arc;
  COPSE_HOST_DEVICE void operator()(Id root, Id /*parent*/) const noexcept { made.write(root, arc); }
};

/// What a sampler plants, recorded: `parent_of(v)` is v itself or the target of an arc of v.
template <class Id, class ParentOf>
struct plant_and_record {
  slots<Id> made;
  ParentOf parent_of;
  COPSE_HOST_DEVICE Id operator()(Id v) const noexcept {
    const Id parent = parent_of(v);
    if (parent != v) made.write(v, {v, parent});
    return parent;
  }
};

/// A search that began at `start` filled the slots of all others that it reached; the one that stays a root is `root`, whose slot
/// may be written again. So its edge moves to the slot of `start`.
template <class Id>
struct give_slot {
  slots<Id> made;
  Id root, start;
  COPSE_HOST_DEVICE void operator()(std::size_t /*once*/) const noexcept {
    if (root != start) made.write(start, made.read(root));
  }
};

/// What a search calls for the arc along which it reached a vertex; with no slots, nothing.
struct note_nothing {
  template <class Id>
  COPSE_HOST_DEVICE void operator()(Id /*from*/, Id /*reached*/) const noexcept {}
};
template <class Id>
struct note_arc {
  slots<Id> made;
  COPSE_HOST_DEVICE void operator()(Id from, Id reached) const noexcept { made.write(reached, {from, reached}); }
};

}  // namespace copse::backend
