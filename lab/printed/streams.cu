#include "streams.hpp"

#include <copse/extend/rules/find/halve.hpp>
#include <copse/extend/rules/unite/async.hpp>
#include <copse/memory.hpp>
#include <drivers/incremental/cuda/rounds.cuh>
#include <drivers/incremental/cuda/rule_batches.cuh>

#include <memory>
#include <utility>

#include "first_touch.hpp"

namespace copse::lab {
namespace {

using drivers::device_forest;
using drivers::gpu_batch;
using drivers::gpu_id;

std::uint64_t inspected = 0;

/// The edges of a batch, all of them in every round. That they are moved to the roots of their ends first is no part of the rule: rounds
/// begin with flat trees, as GConn's do.
class counted_batch : public drivers::device_root_edges {
public:
  counted_batch(device_forest& trees, gpu_batch batch, bool moving)
      : device_root_edges{trees, batch, moving, drivers::round_edges::whole_batch} {}

  template <class F>
  void for_each(F f) const {
    inspected += size();
    device_root_edges::for_each(f);
  }
  template <class F>
  void for_each_moving(F f) const {
    inspected += moving_size();
    device_root_edges::for_each_moving(f);
  }
};

template <class Rule>
void insert_whole_batch(device_forest& trees, gpu_batch batch) {
  if (batch.count == 0) return;
  using rounds = drivers::rounds_of<Rule>;
  counted_batch edges{trees, batch, rounds::moving};
  rounds::run(edges, trees);
  edges.count_links(trees);
}

/// Words of zeros in addition to those of the forest, which are not changed.
class first_touch_words final : public drivers::rule_state {
public:
  explicit first_touch_words(device_forest& trees) : loops_{trees.loops()} {}

  void fit(std::size_t vertices) override {
    words_ = buffer<gpu_id>{vertices, loops_.memory()};
    loops_.clear(words_.data(), words_.size() * sizeof(gpu_id));
  }
  void resized() noexcept override {}
  bool insert_small(std::span<const edge<gpu_id>>) override { return false; }

  [[nodiscard]] auto parents() noexcept { return first_touch_parents{copse::parents::cached<gpu_id>{words_.data()}}; }

private:
  const backend::cuda& loops_;
  buffer<gpu_id> words_;
};

std::unique_ptr<drivers::rule_state> first_touch_state(device_forest& trees) { return std::make_unique<first_touch_words>(trees); }

/// The kernel of the library's rules, whose loads and swaps ask for a word here.
void insert_at_first_touch(device_forest& trees, gpu_batch batch) {
  if (batch.count == 0) return;
  const auto& loops = trees.loops();
  const auto p = static_cast<first_touch_words&>(*trees.state()).parents();
  const drivers::whole_batch reader{batch.pairs, batch.count};
  loops.before_launch();
  drivers::insert_by_rule<unite::async<find::halve>, false>
      <<<drivers::blocks_for_pairs(loops, batch.count), backend::threads_a_block, 0, loops.stream()>>>(reader, p, p, trees.slots(),
                                                                                                       trees.notes());
  loops.launched();
}

template <class Rule>
constexpr printed_stream_rule whole_batch(std::string_view name) {
  return {name, Rule::traits, {.insert = insert_whole_batch<Rule>}};
}

using connect = finish::liu_tarjan_connect;
using update = finish::liu_tarjan_update;
using shortcut = finish::liu_tarjan_shortcut;

const printed_stream_rule rules[] = {
    whole_batch<finish::shiloach_vishkin>("way.whole_batch.shiloach_vishkin"),
    whole_batch<finish::liu_tarjan<connect::parents, update::roots, shortcut::once, false>>("way.whole_batch.liu_tarjan.PRS"),
    whole_batch<finish::liu_tarjan<connect::parents, update::roots, shortcut::fully, false>>("way.whole_batch.liu_tarjan.PRF"),
    whole_batch<finish::liu_tarjan<connect::parents, update::roots, shortcut::once, true>>("way.whole_batch.liu_tarjan.PRSA"),
    whole_batch<finish::liu_tarjan<connect::parents, update::roots, shortcut::fully, true>>("way.whole_batch.liu_tarjan.PRFA"),
    whole_batch<finish::liu_tarjan<connect::ends, update::roots, shortcut::once, true>>("way.whole_batch.liu_tarjan.CRSA"),
    whole_batch<finish::liu_tarjan<connect::ends, update::roots, shortcut::fully, true>>("way.whole_batch.liu_tarjan.CRFA"),
    {"way.first_touch.async", unite::async<find::halve>::traits, {.insert = insert_at_first_touch, .state = first_touch_state}},
};

}  // namespace

std::span<const printed_stream_rule> printed_stream_rules() noexcept { return rules; }
std::uint64_t inspected_in_rounds() noexcept { return std::exchange(inspected, 0); }

}  // namespace copse::lab
