#include <copse/errors.hpp>
#include <core/team.hpp>
#include <device/stream_part.hpp>
#include <device/weighted_forest.hpp>
#include <device/weighted_shares.hpp>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <memory_resource>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace copse::device {
namespace {

using id = std::uint32_t;
using places = std::pmr::vector<std::uint64_t>;

[[noreturn]] void refuse_no_number(const weights_view& weights, const input_error& otherwise) {
  std::visit(
      []<class Weight>(std::span<const Weight> column) {
        if constexpr (std::is_floating_point_v<Weight>) {
          const auto bad = std::ranges::find_if(column, [](Weight w) { return w != w; });
          if (bad != column.end()) {
            throw input_error{"weights: found one that is not a number at position " + std::to_string(bad - column.begin()) +
                              ", expected numbers"};
          }
        }
      },
      weights);
  throw otherwise;
}

/// A GPU, and the ascending positions of the edges in the forest of the shares that it has solved.
struct forest_share {
  std::unique_ptr<solver> on;
  places kept;
  bool solved = true;  ///< true if `kept` is one forest; false if it is the union of several
};

template <class Edges>
class shared_search {
public:
  shared_search(const Edges& edges, const weights_view& weights, const share_settings& how) : edges_{edges}, weights_{weights}, how_{how} {
    const on_device callers;
    const auto count = static_cast<unsigned>(how.gpus.size());
    for (const unsigned gpu : how.gpus) {
      parts_.push_back(
          {std::make_unique<solver>(solver::settings{.device = gpu,
                                                     .memory_limit_bytes = how.memory_limit_bytes,
                                                     .copies = {.threads = std::max(1u, usable_threads(how.threads) / count)}}),
           places{how.memory}});
    }
    for (const forest_share& each : parts_) expect_room(each);
    share_ = std::max<std::uint64_t>(1, std::min((edges_.size() + count - 1) / count, most_));
  }
  shared_search(const shared_search&) = delete;
  ~shared_search() {
    const on_device callers;
    while (!parts_.empty()) parts_.pop_back();
  }

  places find(phase_times& times) {
    {
      const phase_timer time{times, "shares"};
      std::atomic<std::uint64_t> next{0};
      for_each_part(1, [&](std::size_t at) { solve_shares(parts_[at], next); });
    }
    const phase_timer time{times, "merge"};
    for (std::size_t step = 1; step < parts_.size(); step *= 2) {
      for_each_part(2 * step, [&](std::size_t at) {
        if (at + step < parts_.size()) merge(parts_[at], parts_[at + step]);
      });
    }
    return std::move(parts_.front().kept);
  }

private:
  [[nodiscard]] std::uint64_t most_of_forest() const { return edges_.vertices() == 0 ? 0 : edges_.vertices() - 1; }

  /// Lowers most_, the number of edges that are solved at once, to what fits the free memory of the GPU of `each`. Without a limit by the
  /// user, this memory is divided among the elements of parts_ on that GPU. Throws resource_error if the edges of two forests do not fit.
  void expect_room(const forest_share& each) {
    const auto sharing = static_cast<std::uint64_t>(std::ranges::count(how_.gpus, each.on->device()));
    const std::uint64_t room = each.on->free_bytes() / (how_.memory_limit_bytes == UINT64_MAX ? sharing : 1);
    const std::uint64_t fitting = edges_that_fit(room, edges_.vertices());
    const std::uint64_t needed = std::min<std::uint64_t>(edges_.size(), 2 * most_of_forest());
    if (fitting < needed) {
      throw resource_error{"cuda:" + std::to_string(each.on->device()) + ": found " + std::to_string(room) + " bytes free, expected " +
                           std::to_string(bytes_of_shares(needed, edges_.vertices())) + " to merge two forests of " +
                           std::to_string(edges_.vertices()) + " vertices; use a GPU with more memory, or the CPU"};
    }
    most_ = std::min(most_, fitting);
  }

  template <class Run>
  void for_each_part(std::size_t step, Run run) {
    on_workers(static_cast<unsigned>((parts_.size() + step - 1) / step), [&](unsigned k) {
      const on_device here{static_cast<int>(parts_[k * step].on->device())};
      run(k * step);
    });
  }

  /// Finds the forest of these edges, and returns their positions among `pairs`, ascending.
  buffer<id> solve(forest_share& by, const weighted::pairs_view<id>& pairs, const weights_view& weights) {
    phase_times unseen;  // not reported: several shares are solved at the same time
    return weighted_forest_of_pairs(*by.on, how_.method, pairs, weights, how_.goal, how_.watcher, unseen, how_.memory);
  }

  void solve_shares(forest_share& mine, std::atomic<std::uint64_t>& next) {
    try {
      for (;;) {
        if (how_.watcher != nullptr && how_.watcher->cancel_requested()) throw cancelled{};
        const std::uint64_t first = next.fetch_add(share_);  // shares of a thread ascend, and so do positions in `kept`
        if (first >= edges_.size()) break;
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(share_, edges_.size() - first));
        buffer<id> room;
        const weights_view weights = std::visit([&](const auto& column) { return weights_view{column.subspan(first, count)}; }, weights_);
        const buffer<id> found = solve(mine, edges_.share(first, count, room, how_.memory), weights);
        mine.solved = mine.kept.empty();
        for (const id place : found) mine.kept.push_back(first + place);
        if (mine.kept.size() + most_of_forest() > most_) keep_forest(mine);
      }
      keep_forest(mine);
    } catch (...) {
      next = edges_.size();  // tells the threads of the other GPUs to stop
      throw;
    }
  }

  /// Replaces the edges in mine.kept, which are from the forests of several shares, by the forest of these edges. Does nothing if they are
  /// a forest already.
  void keep_forest(forest_share& mine) {
    if (mine.solved) return;
    const std::size_t count = mine.kept.size();
    buffer<edge<id>> ends{count, how_.memory};
    auto read = edges_.reader();
    for (std::size_t i = 0; i < count; ++i) ends[i] = read(mine.kept[i]);
    const buffer<id> found = std::visit(
        [&]<class Weight>(std::span<const Weight> column) {
          buffer<Weight> weights{count, how_.memory};
          for (std::size_t i = 0; i < count; ++i) weights[i] = column[mine.kept[i]];
          return solve(mine, {edges_.vertices(), &ends.data()->u, &ends.data()->v, 2, count}, std::span<const Weight>{weights.span()});
        },
        weights_);
    for (std::size_t i = 0; i < found.size(); ++i) mine.kept[i] = mine.kept[found[i]];  // safe in place: found[i] >= i, and found ascends
    mine.kept.resize(found.size());
    mine.solved = true;
  }

  void merge(forest_share& into, forest_share& from) {
    if (from.kept.empty()) return;
    into.solved = into.kept.empty();
    places both{how_.memory};
    both.reserve(into.kept.size() + from.kept.size());
    std::ranges::merge(into.kept, from.kept, std::back_inserter(both));
    into.kept = std::move(both);
    from.kept = places{how_.memory};
    keep_forest(into);
  }

  const Edges& edges_;
  const weights_view& weights_;
  const share_settings& how_;
  std::vector<forest_share> parts_;
  std::uint64_t most_ = UINT64_MAX, share_ = 1;
};

}  // namespace

buffer<std::uint64_t> weighted_forest_by_shares(const weighted::shape<id>& g, const weights_view& weights, const share_settings& how,
                                                phase_times& times) {
  try {
    return std::visit(
        [&](const auto& view) {
          const edge_shares edges{view};
          shared_search search{edges, weights, how};
          const places found = search.find(times);
          buffer<std::uint64_t> copy{found.size(), how.memory};
          std::ranges::copy(found, copy.begin());
          return copy;
        },
        g);
  } catch (const input_error& problem) {
    refuse_no_number(weights, problem);  // throws an error with the position in all weights: that in `problem` is within a share
  }
}

}  // namespace copse::device
