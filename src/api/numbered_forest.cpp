#include <api/numbered_forest.hpp>
#include <copse/errors.hpp>
#include <core/parallel.hpp>
#include <ids/dense_numbers.hpp>

#include <bit>

namespace copse::api {
namespace {

/// Returns the edges of a forest that was found in a list of 32-bit ids.
std::span<const edge<std::uint32_t>> edges_of(const weighted_forest_result& forest) {
  return std::get<coo<std::uint32_t>>(forest.edges.shape()).edges.span();
}

}  // namespace

void numbered_forest::make_room(std::size_t coming) {
  const std::uint64_t vertices = std::min(bound_, room_an_edge * (size_ + coming));
  const std::size_t room = room_.value_or(std::max(least_room, new_ones * vertices));
  if (edges_.size() != 0) return put_in_front(merge(), room);
  take_room(0, room_.value_or(vertices + room));
}

void numbered_forest::take_room(std::size_t kept, std::size_t room) {
  edges_ = {};
  weights_ = {};
  try {
    edges_ = buffer<edge<id>>{kept + room, options_.memory};
    weights_ = buffer<double>{kept + room, options_.memory};
  } catch (const resource_error&) {
    if (room <= least_room) throw;
    take_room(kept, least_room);
  }
}

weighted_forest_result numbered_forest::merge() {
  auto forest = weighted_forest(coo_view<id>{static_cast<id>(bound_), edges(), true},
                                weights_view{std::as_const(weights_).span().first(size_)}, options_.options(), options_.on());
  ++merges_;
  for (const phase& p : forest.report.phases) times_.add(p.name, p.seconds);
  const double before = report_.solve_seconds;
  report_ = forest.report;
  report_.solve_seconds += before;
  return forest;
}

void numbered_forest::put_in_front(const weighted_forest_result& forest, std::size_t room) {
  const auto from = edges_of(forest);
  const auto weights = std::get<buffer<double>>(forest.weights.held()).span();
  if (edges_.size() < from.size() + room) take_room(from.size(), room);
  parallel_blocks(threads(), from.size(), block, [&](std::size_t begin, std::size_t end) {
    std::copy(from.begin() + begin, from.begin() + end, edges_.begin() + begin);
    std::copy(weights.begin() + begin, weights.begin() + end, weights_.begin() + begin);
  });
  size_ = forest_size_ = from.size();
}

const weighted_forest_result& numbered_forest::so_far() {
  if (named_) return *named_;
  weighted_forest_result forest = merge();
  put_in_front(forest, 0);
  ids::dense_numbers numbers{bound_, threads(), options_.memory};
  for (std::size_t w = 0; w < with_loops_.size(); ++w) {
    for (std::uint64_t bits = with_loops_[w]; bits != 0; bits &= bits - 1)
      numbers.mark(w * 64 + static_cast<std::uint64_t>(std::countr_zero(bits)));
  }
  parallel_blocks(threads(), size_, block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      numbers.mark(edges_[i].u);
      numbers.mark(edges_[i].v);
    }
  });
  if (const std::uint64_t count = numbers.count_all(); count != bound_) {
    const buffer<id> number = numbers.all(options_.memory);
    buffer<edge<id>> edges{size_, options_.memory};
    touch_pages(threads(), edges.span());
    parallel_blocks(threads(), size_, block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) edges[i] = {number[edges_[i].u], number[edges_[i].v]};
    });
    forest.edges = graph{coo<id>{static_cast<id>(count), std::move(edges)}, vertex_names::integers(numbers.ids(options_.memory))};
  }
  named_ = std::move(forest);
  report_.edges = came_;
  report_.phases = times_.all();
  named_->merges = merges_;
  named_->report = report_;
  return *named_;
}

}  // namespace copse::api
