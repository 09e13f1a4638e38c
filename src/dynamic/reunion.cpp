#include <core/gather.hpp>
#include <core/parallel.hpp>
#include <dynamic/reunion.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace copse::dynamics {
namespace {

constexpr std::size_t cuts_per_block = 16, links_worth_threads = 4096;

}  // namespace

dynamic_components::reunion::reunion(dynamic_components& graph)
    : graph_{graph},
      nodes_{graph.nodes_},
      cuts_{static_cast<std::uint32_t>(graph.cuts_.size())},
      first_mark_{graph.next_marks(2 * cuts_)},
      roots_(cuts_),
      trees_(cuts_),
      workers_(graph.threads_) {
  parallel_blocks(graph_.threads_, cuts_, cuts_per_block, [this](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      roots_[i] = graph_.cuts_[i].child;
      nodes_[roots_[i]].mark = first_mark_ + static_cast<std::uint32_t>(i);
      trees_[i] = graph_.records_[graph_.record_of(roots_[i])].root;
    }
  });
  for (std::uint32_t last = none, part = none; std::uint32_t & tree : trees_) {
    if (tree != last) {
      last = tree;
      if (nodes_[tree].mark < first_mark_) {
        nodes_[tree].mark = first_mark_ + parts();
        roots_.push_back(tree);
      }
      part = nodes_[tree].mark - first_mark_;
    }
    tree = part;
  }
  trees_.resize(parts());
  std::iota(trees_.begin() + cuts_, trees_.end(), cuts_);
  hubs_.assign(trees_.begin() + cuts_, trees_.end());
  groups_.resize(parts());
  std::iota(groups_.begin(), groups_.end(), 0u);
}

void dynamic_components::reunion::climb() {
  constexpr std::uint32_t sampled = 64;  // these parts look for an edge first, and the others only if at least an eighth of them found one
  const std::uint32_t steps = std::max(graph_.erase_steps_, dynamic_components::fewest_steps_of_trials);
  std::atomic<std::uint32_t> with_edge{0}, too_far{0};
  const auto climb_from = [&](std::size_t begin, std::size_t end) {
    std::uint32_t with_edge_here = 0, too_far_here = 0;
    for (auto part = static_cast<std::uint32_t>(begin); part < end; ++part) {
      const dynamic_components::climb up = graph_.climb_from(roots_[part], steps, false);
      if (up.root == none) {
        too_far_here += up.in_time ? 0 : 1;
        continue;
      }
      ++with_edge_here;
      join({roots_[part], up.start, part, noted_part(up.root)});
    }
    with_edge.fetch_add(with_edge_here, std::memory_order_relaxed);
    too_far.fetch_add(too_far_here, std::memory_order_relaxed);
  };
  const std::uint32_t sample = std::min(cuts_, sampled);
  parallel_blocks(graph_.threads_, sample, cuts_per_block, climb_from);
  if (with_edge >= sample / 8) {
    parallel_blocks(graph_.threads_, cuts_ - sample, cuts_per_block,
                    [&](std::size_t begin, std::size_t end) { climb_from(sample + begin, sample + end); });
  }
  graph_.adapt_erase_steps(with_edge, too_far);
}

// Leaves out those of `apart`, the parts outside the groups of the hubs, that need not be searched any more. Returns one part of each group
// that is left, from which next_of_group_ leads to the others, and, if `with_hubs` is set, the hubs of their trees.
std::vector<std::uint32_t> dynamic_components::reunion::next_searched(std::vector<std::uint32_t>& apart, bool with_hubs) {
  const auto leave_out = [&] {
    bool has_new_hubs = false;
    std::erase_if(apart, [&](std::uint32_t part) {
      if (is_searched_[part] != 0) return true;
      std::uint32_t& hub = hub_of(part);
      if (is_searched_[hub] != 0) {
        hub = part;
        has_new_hubs = true;
      }
      return joined(part, hub);
    });
    return has_new_hubs;
  };
  if (leave_out()) {  // parts that had joined the hub may have to be searched again
    apart.resize(parts());
    std::iota(apart.begin(), apart.end(), 0u);
    leave_out();
  }
  std::vector<std::uint32_t> next, hubs;
  std::vector<bool> is_asked(parts(), false);  // for hubs
  for (const std::uint32_t part : apart) {
    const std::uint32_t group = group_of(part), hub = hub_of(part);
    std::uint32_t& first = first_of_group_[group];
    if (first == none) next.push_back(group);
    next_of_group_[part] = std::exchange(first, part);
    if (with_hubs && !is_asked[hub]) hubs.push_back(hub);
    is_asked[hub] = true;
  }
  for (std::uint32_t& group : next) group = std::exchange(first_of_group_[group], none);
  next.insert(next.end(), hubs.begin(), hubs.end());
  return next;
}

bool dynamic_components::reunion::search() {
  constexpr std::uint64_t first_steps = 32, growth = 4;
  constexpr std::size_t parts_per_block = 2048;
  // The last part that was searched counts 1 / parts_averaged in the moving average of steps. Most searches are short and a few very long,
  // so that an average of fewer would vary too much.
  constexpr double parts_averaged = 4096;
  std::vector<std::uint32_t> apart;
  const auto find_apart = [this](std::size_t begin, std::size_t end, std::vector<std::uint32_t>& here) {
    for (auto part = static_cast<std::uint32_t>(begin); part < end; ++part)
      if (!joined(part, hub_of(part))) here.push_back(part);
  };
  gather(apart, cuts_, parts_per_block, find_apart, graph_.threads_);
  if (apart.empty()) return true;
  const auto waiting = static_cast<double>(apart.size());
  double& steps_per_part = graph_.steps_per_search_;
  const auto most = static_cast<double>(graph_.steps_to_solve());
  if (steps_per_part * waiting / std::min<double>(waiting, graph_.threads_) > most) {
    steps_per_part -= steps_per_part / 64;  // the estimate shrinks, so that searches are tried again some day
    return false;
  }
  is_searched_.assign(parts(), 0);
  next_of_group_.resize(parts());
  first_of_group_.assign(parts(), none);
  std::uint64_t steps = 0, most_steps = first_steps, hub_steps = 0;
  double spent = 0;
  std::vector<std::uint32_t> next = next_searched(apart, false);
  while (!next.empty() && spent <= most) {
    const round_result its = search_round(next, most_steps, hub_steps);
    steps += its.steps;
    spent += static_cast<double>(its.steps) / std::min<double>(graph_.threads_, static_cast<double>(next.size()));
    if (its.any_unfinished) {
      hub_steps = most_steps;
      most_steps *= growth;
    }
    next = next_searched(apart, its.any_unfinished);
  }
  steps_per_part += (static_cast<double>(steps) / waiting - steps_per_part) * std::min(1.0, waiting / parts_averaged);
  return next.empty();
}

// Most links lead to the hub of a tree, so the part at their other end hangs below it. The others are followed from the parts that hang
// already, and in groups without a hub from any of their parts.
void dynamic_components::reunion::finish() {
  std::vector<unsigned char> is_placed(parts(), 0);
  for (std::uint32_t part = cuts_; part < parts(); ++part) {
    const std::uint32_t hub = hub_of(part);
    is_placed[hub] = 1;
    if (hub == part) continue;
    const std::uint32_t record = graph_.record_of(roots_[hub]);
    graph_.records_[record].root = roots_[hub];
    graph_.lists_.part(record);
  }
  std::vector<joint> joints;
  const auto hang_below_hubs = [this, &is_placed](std::size_t begin, std::size_t end, std::vector<joint>& here) {
    for (worker& its : std::span{workers_}.subspan(begin, end - begin)) {
      std::erase_if(its.links, [&](const link& edge) {
        const std::uint32_t hub = hub_of(edge.from_part);
        if (edge.to_part != hub && edge.from_part != hub) return false;
        here.push_back(edge.to_part == hub ? joint{edge.from, edge.to} : joint{edge.to, edge.from});
        is_placed[edge.to_part == hub ? edge.from_part : edge.to_part] = 1;
        return true;
      });
    }
  };
  std::size_t links = 0;
  for (const worker& its : workers_) links += its.links.size();
  gather(joints, workers_.size(), 1, hang_below_hubs, links < links_worth_threads ? 1 : graph_.threads_);
  std::vector<std::uint32_t> begins(parts() + std::size_t{1}, 0);
  for (const worker& its : workers_) {
    for (const link& edge : its.links) {
      ++begins[edge.from_part + 1];
      ++begins[edge.to_part + 1];
    }
  }
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<link> ends(begins.back());  // both directions of the links that are left, sorted by the part that they lead from
  for (std::vector<std::uint32_t> next = begins; const worker& its : workers_) {
    for (const auto& [from, to, from_part, to_part] : its.links) {
      ends[next[from_part]++] = {from, to, from_part, to_part};
      ends[next[to_part]++] = {to, from, to_part, from_part};
    }
  }
  std::vector<std::uint32_t> queue, fresh;  // `fresh`: the roots of new components
  const auto hang_on = [&](std::uint32_t start) {
    queue.assign(1, start);
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (std::uint32_t e = begins[queue[i]]; e < begins[queue[i] + 1]; ++e) {
        const std::uint32_t part = ends[e].to_part;
        if (std::exchange(is_placed[part], 1) != 0) continue;
        queue.push_back(part);
        joints.push_back({ends[e].to, ends[e].from});
      }
    }
  };
  for (const bool has_hub : {true, false}) {
    for (std::uint32_t part = 0; part < parts(); ++part) {
      if ((is_placed[part] != 0) != has_hub) continue;
      is_placed[part] = 1;
      if (begins[part] != begins[part + 1]) hang_on(part);
      if (!has_hub) fresh.push_back(roots_[part]);
    }
  }
  graph_.take_together(joints);
  graph_.part_together(fresh);
}

}  // namespace copse::dynamics
