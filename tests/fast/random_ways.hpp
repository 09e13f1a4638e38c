// The ideas of the fast path as switches, and the ways in which one random case is solved: all ideas on, all off, and each of them turned
// in a combination drawn at random. What is no idea (thresholds, sizes of chunks) is drawn such that small graphs take every way.
#pragma once
#include <drivers/incremental/insert_options.hpp>
#include <drivers/streaming/stream_giant.hpp>
#include <fast/options.hpp>
#include <fast/solve_list.hpp>

#include <initializer_list>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "fast/random_graphs.hpp"

namespace copse::test {

template <class Options>
struct idea {
  const char* name;
  void (*turn)(Options&, bool on);
};

/// `all`: the ideas; draw_limits(options, random): the rest.
template <class Options>
struct ideas_of;

inline double one_of(dice& random, std::initializer_list<double> values) { return values.begin()[random.below(values.size())]; }

template <>
struct ideas_of<fast::fast_options> {
  using options = fast::fast_options;
  static constexpr idea<options> all[] = {
      {"second_hook", [](options& o, bool on) { o.hook_arcs = on ? 2 : 0; }},
      {"flat_hooks", [](options& o, bool on) { o.flat_hooks = on; }},
      {"top_up", [](options& o, bool on) { o.top_up = on; }},
      {"early_exit", [](options& o, bool on) { o.early_exit = on; }},
      {"fused_finish", [](options& o, bool on) { o.fused_finish = on; }},
      {"prefetch", [](options& o, bool on) { o.prefetch = on; }},
      {"touch", [](options& o, bool on) { o.touch = on; }},
  };
  static void draw_limits(options& o, dice& random) {
    o.way = random.below(4) == 0 ? fast::route::automatic : random.below(3) == 0 ? fast::route::unsampled : fast::route::sampled;
    o.chunk_vertices = 64 * random.below(4);
    o.least_coverage = one_of(random, {0, 0, .25, 1.1});
    o.least_scattered = one_of(random, {0, .75});
  }
};

/// What lists and inserts have in common.
template <class Options>
struct ideas_of_edges {
  static constexpr idea<Options> all[] = {
      {"prefetch", [](Options& o, bool on) { o.prefetch = on; }},     {"grandparents", [](Options& o, bool on) { o.grandparents = on; }},
      {"past_giant", [](Options& o, bool on) { o.past_giant = on; }}, {"wide_filter", [](Options& o, bool on) { o.wide_filter = on; }},
      {"name_giant", [](Options& o, bool on) { o.name_giant = on; }}, {"early_looks", [](Options& o, bool on) { o.early_looks = on; }},
      {"by_ranges", [](Options& o, bool on) { o.by_ranges = on; }},
  };
};

template <>
struct ideas_of<fast::list_options> : ideas_of_edges<fast::list_options> {
  static void draw_limits(fast::list_options& o, dice& random) {
    o.least_inside = one_of(random, {0, .05, .3});
    o.first_edges = random.below(3) == 0 ? 0 : 1 + random.below(64);
    o.any_ranges = true;
    o.look_at_ends = random.below(2) == 0;
  }
};

template <>
struct ideas_of<drivers::insert_options> : ideas_of_edges<drivers::insert_options> {
  static void draw_limits(drivers::insert_options& o, dice& random) {
    o.least_inside = one_of(random, {.001, .05, .3});
    o.fewest_edges = 1 + random.below(64);
    o.any_ranges = true;
    o.worth_a_thread = 1 + random.below(32);
  }
};

template <>
struct ideas_of<streaming::stream_options> {
  using options = streaming::stream_options;
  static constexpr idea<options> all[] = {
      {"prefetch", [](options& o, bool on) { o.prefetch = on; }},
      {"past_giant", [](options& o, bool on) { o.past_giant = on; }},
  };
  static void draw_limits(options& o, dice& random) {
    o.least_inside = one_of(random, {.001, .05, .3});
    o.fewest_ids = 1 + random.below(64);
    o.chunk_ids = 64u << random.below(4);
  }
};

template <class Options>
struct way {
  Options options;
  std::string name;
};

template <class Options>
std::vector<way<Options>> draw_ways(dice& random) {
  const auto& ideas = ideas_of<Options>::all;
  Options limits;
  ideas_of<Options>::draw_limits(limits, random);
  std::vector<way<Options>> ways;
  const auto add = [&](auto is_on) {
    way<Options> w{limits, {}};
    for (std::size_t i = 0; i < std::size(ideas); ++i) {
      const bool on = is_on(i);
      ideas[i].turn(w.options, on);
      if (on) w.name.append(w.name.empty() ? "" : " ").append(ideas[i].name);
    }
    if (w.name.empty()) w.name = "none";
    ways.push_back(std::move(w));
  };
  const auto drawn = random.below(1u << std::size(ideas));
  add([](std::size_t) { return true; });
  add([](std::size_t) { return false; });
  add([drawn](std::size_t i) { return (drawn >> i & 1) != 0; });
  for (std::size_t turned = 0; turned < std::size(ideas); ++turned) {
    add([drawn, turned](std::size_t i) { return ((drawn >> i & 1) != 0) != (i == turned); });
  }
  return ways;
}

}  // namespace copse::test
