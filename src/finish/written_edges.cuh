// The edges that wrote to parents (written_edges.hpp), on a GPU, where a step finds out only after it has written that there is no room. So
// a list that ran over is emptied, and begins with the current parents, which connect whatever the lost edges connected (rem_verify.hpp:
// always x ~ p[x]).
#pragma once
#include <copse/memory.hpp>
#include <finish/written_edges.hpp>
#include <gpu/loops/cuda.cuh>
#include <gpu/loops/gather.cuh>

#include <cstddef>
#include <span>

namespace copse::finish {

template <class Id>
class written_edges<backend::cuda, Id> {
public:
  explicit written_edges(backend::solve_context<backend::cuda, Id>& context)
      : loops_{context.loops},
        edges_(2 * std::size_t{context.trees.vertices()}, context.trees.memory()),
        count_(1, context.trees.memory()) {}

  class adder {
  public:
    adder(edge<Id>* edges, std::size_t capacity, unsigned long long* count) noexcept : edges_{edges}, capacity_{capacity}, count_{count} {}
    [[nodiscard]] __device__ bool has_room() const noexcept { return true; }
    __device__ void operator()(edge<Id> e) const {
      const unsigned long long at = backend::take_place(count_);
      if (at < capacity_) edges_[at] = e;
    }

  private:
    edge<Id>* edges_;
    std::size_t capacity_;
    unsigned long long* count_;
  };

  [[nodiscard]] adder begin() {
    loops_.clear(count_.data(), sizeof(unsigned long long));
    return {edges_.data(), edges_.size(), count_.data()};
  }
  bool held_all() {
    size_ = static_cast<std::size_t>(loops_.fetched(count_.data()));
    if (size_ <= edges_.size()) return true;
    edges_ = {};
    edges_ = buffer<edge<Id>>{size_ + size_ / 2, loops_.memory()};
    return false;
  }
  [[nodiscard]] std::span<const edge<Id>> edges() const noexcept { return {edges_.data(), size_}; }

private:
  const backend::cuda& loops_;
  buffer<edge<Id>> edges_;
  buffer<unsigned long long> count_;
  std::size_t size_ = 0;
};

}  // namespace copse::finish
