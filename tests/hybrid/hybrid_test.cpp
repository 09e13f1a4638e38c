// The CPU and a device together: every share of every animal of the zoo, with threads in place of the GPU, against breadth-first
// search.
#include <copse/build.hpp>
#include <copse/generate.hpp>
#include <copse/variants.hpp>
#include <hybrid/cpu_part.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "hybrid/ways.hpp"
#include "support/rows.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

template <class Backend, class Offset>
void solve_shares(const solved_graph& g, row_state state, unsigned ways) {
  const auto rows = make_test_rows<id, Offset>(g.edges.view(), state);
  for (unsigned share = 0; share <= 100; share += quick() ? 4 : 1) {
    const id cut = hybrid::cut_at(rows.view().vertices(), share);
    for (unsigned k = 0; k < ways; ++k) {
      const hybrid_way way = way_number(share + 7 * k);
      hybrid_report report;
      ASSERT_TRUE(same_labels(solve_hybrid_on_host<Backend>(rows.view(), cut, way, report), g))
          << share << " % to the CPU by " << hybrid::cpu_part_names[static_cast<std::size_t>(way.part)] << ", the GPU by "
          << way.gpu_variant << ", " << cross_rule_names[static_cast<std::size_t>(way.cross)] << ", "
          << context(g, way.threads, to_string(state));
    }
  }
}

TEST(hybrid, every_share_of_every_animal) {
  for (const auto& g : solved_zoo()) {
    solve_shares<small_blocks<parents::atomic>, id>(g, row_state::simple, quick() || g.seed != 1 ? 1 : 4);
    if (HasFatalFailure()) return;
  }
}

TEST(hybrid, rows_in_any_order_with_loops_and_repeats) {
  for (const auto& g : solved_zoo()) {
    if (g.seed == 1) solve_shares<small_blocks<parents::atomic>, std::uint64_t>(g, row_state::raw, 1);
    if (HasFatalFailure()) return;
  }
}

TEST(hybrid, every_variant_of_a_gpu_part_that_keeps_its_cross_arcs) {
  std::vector<std::string_view> names;
  for (const auto& variant : variants()) {
    if (variant.backend != "threads" || variant.input != input_kind::csr) continue;
    const bool both_directions = variant.finish == "ligra" || variant.finish == "bfs_cc";
    if (variant.finish != "fast" && !both_directions)
      names.push_back(variant.name);  // the fast path has another driver: it is tried on the GPU
  }
  ASSERT_GT(names.size(), 400u);
  for (const auto& g : solved_zoo()) {
    if (g.seed != 1) continue;
    const auto rows = make_test_rows<id, id>(g.edges.view(), row_state::simple);
    const id cut = hybrid::cut_at(rows.view().vertices(), 35);
    for (std::size_t k = quick() ? cut % 8 : 0; k < names.size(); k += quick() ? 8 : 1) {
      hybrid_report report;
      ASSERT_TRUE(same_labels(solve_hybrid_on_host<small_blocks<parents::atomic>>(rows.view(), cut, {.gpu_variant = names[k]}, report), g))
          << names[k] << ", " << context(g, 2, "simple");
    }
  }
}

TEST(hybrid, where_the_cpu_has_all_no_variant_is_asked) {
  for (const auto& g : solved_zoo()) {
    if (g.seed != 1) continue;
    const auto rows = make_test_rows<id, id>(g.edges.view(), row_state::simple);
    for (const auto rule : {cross_rule::keep, cross_rule::unite}) {
      hybrid_report report;
      const hybrid_way way{.cross = rule, .gpu_variant = "none that there is"};
      ASSERT_TRUE(same_labels(solve_hybrid_on_host<small_blocks<parents::atomic>>(rows.view(), rows.view().vertices(), way, report), g))
          << g.name;
    }
  }
}

/// The edges among vertices on one side of a cut.
coo<id> among(const coo<id>& edges, id cut, bool below) {
  std::vector<edge<id>> kept;
  for (const auto e : edges.view().edges) {
    if ((e.u < cut) == below && (e.v < cut) == below) kept.push_back(e);
  }
  return make_coo(edges.view().vertices(), kept);
}

TEST(hybrid, contracts_cross_edges_to_one_a_pair_of_components) {
  for (const auto& g : solved_zoo()) {
    if (g.seed != 1) continue;
    const auto rows = make_test_rows<id, id>(g.edges.view(), row_state::simple);
    for (const unsigned share : {10u, 43u, 75u}) {
      const id cut = hybrid::cut_at(rows.view().vertices(), share);
      const auto below = reference_labels(among(g.edges, cut, true).view()), above = reference_labels(among(g.edges, cut, false).view());
      std::set<std::pair<id, id>> arcs, pairs;
      for (const auto [u, v] : g.edges.view().edges) {
        if ((u < cut) == (v < cut)) continue;
        arcs.emplace(std::min(u, v), std::max(u, v));
        pairs.emplace(below[std::min(u, v)], above[std::max(u, v)]);
      }
      for (const auto rule : {cross_rule::unite, cross_rule::min_label}) {
        hybrid_report report;
        solve_hybrid_on_host<small_blocks<parents::atomic>>(rows.view(), cut, {.cross = rule, .threads = 3}, report);
        EXPECT_EQ(report.cross_arcs, arcs.size()) << g.name << ", " << share << " %";
        EXPECT_EQ(report.super_edges, cut == 0 ? 0 : pairs.size()) << g.name << ", " << share << " %";
      }
    }
  }
}

TEST(hybrid, a_table_of_pairs_that_is_too_small_is_made_anew) {
  // 100 vertices with one edge to each of 100 others: 10,000 pairs, where 1,024 slots are made at first.
  std::vector<edge<id>> edges;
  for (id u = 0; u < 100; ++u) {
    for (id v = 100; v < 200; ++v) edges.push_back({u, v});
  }
  const solved_graph g{1, "bipartite", make_coo(200, edges), std::vector<id>(200, 0)};
  const auto rows = make_test_rows<id, id>(g.edges.view(), row_state::simple);
  ASSERT_LT(hybrid::slots_for(edges.size(), 200), edges.size());
  hybrid_report report;
  EXPECT_TRUE(same_labels(solve_hybrid_on_host<backend::threads>(rows.view(), id{100}, {.cross = cross_rule::unite}, report), g));
  EXPECT_EQ(report.super_edges, edges.size());
}

TEST(hybrid, depth_first_searches_label_the_part_alone) {
  for (const auto& g : solved_zoo()) {
    const auto rows = make_test_rows<id, id>(g.edges.view(), g.seed == 2 ? row_state::raw : row_state::simple);
    for (const unsigned threads : {1u, 2u, 7u}) {
      for (const unsigned share : {3u, 50u, 100u}) {
        const id cut = hybrid::cut_at(rows.view().vertices(), share);
        const auto expected = reference_labels(among(g.edges, cut, true).view());
        std::vector<id> words(expected.size(), 77);
        hybrid::label_cpu_part(cpu_part::dfs, rows.view(), rows.view().vertices(), cut, std::span{words}, {{}, {.threads = threads}});
        for (id v = 0; v < cut; ++v) ASSERT_EQ(words[v], expected[v]) << "vertex " << v << ", " << context(g, threads, "part");
        for (id v = cut; v < words.size(); ++v) ASSERT_EQ(words[v], 77u) << "written beyond the cut";
      }
    }
  }
}

TEST(hybrid, pieces_have_equally_many_vertices_and_the_gpu_gets_the_edges_between_them) {
  for (const auto& g : solved_zoo()) {
    const auto rows = make_test_rows<id, id>(g.edges.view(), g.seed == 2 ? row_state::raw : row_state::simple);
    for (const unsigned threads : {1u, 2u, 7u}) {
      const id cut = hybrid::cut_at(rows.view().vertices(), 60);
      const auto piece_of = [&](id v) {
        unsigned k = 0;
        while (v >= static_cast<std::uint64_t>(cut) * (k + 1) / threads) ++k;
        return k;
      };
      std::vector<edge<id>> inside;
      std::set<std::pair<id, id>> expected;
      for (const auto [u, v] : g.edges.view().edges) {
        if (u >= cut || v >= cut) continue;
        if (piece_of(u) == piece_of(v)) {
          inside.push_back({u, v});
        } else {
          expected.emplace(std::min(u, v), std::max(u, v));
        }
      }
      const auto labels = reference_labels(make_coo(rows.view().vertices(), inside).view());
      std::vector<id> words(labels.size(), 77);
      const auto between =
          hybrid::label_cpu_part(cpu_part::pieces, rows.view(), rows.view().vertices(), cut, std::span{words}, {{}, {.threads = threads}});
      for (id v = 0; v < cut; ++v) ASSERT_EQ(words[v], labels[v]) << "vertex " << v << ", " << context(g, threads, "pieces");
      for (id v = cut; v < words.size(); ++v) ASSERT_EQ(words[v], 77u) << "written beyond the cut";
      std::set<std::pair<id, id>> found;
      for (const auto e : between.span()) found.emplace(e.u, e.v);
      ASSERT_EQ(found, expected) << context(g, threads, "pieces");
    }
  }
}

TEST(hybrid, the_part_needs_no_rows_but_its_own) {
  for (const auto& g : solved_zoo()) {
    if (g.seed != 1) continue;
    auto rows = make_test_rows<id, id>(g.edges.view(), row_state::simple);
    const id cut = hybrid::cut_at(rows.view().vertices(), 40);
    if (cut == 0) continue;
    const auto expected = g.labels;
    const std::vector<id> offsets(rows.offsets.begin(), rows.offsets.begin() + cut + 1),
        targets(rows.targets.begin(), rows.targets.begin() + offsets.back());
    const auto least = reference_labels(among(g.edges, cut, true).view());
    for (const auto part : {cpu_part::dfs, cpu_part::fast}) {
      for (const auto& given : {csr_view<id, id>{offsets, targets, symmetry::yes, true}, rows.view()}) {
        std::vector<id> words(cut);  // nor words
        hybrid::label_cpu_part(part, given, static_cast<id>(g.labels.size()), cut, std::span{words}, {{}, {.threads = 3}});
        for (id v = 0; v < cut; ++v) {
          ASSERT_LE(words[v], least[v]) << g.name;
          ASSERT_EQ(g.labels[words[v]], g.labels[v]) << g.name;  // connected indeed
        }
      }
    }
  }
}

TEST(hybrid, a_part_that_no_cache_holds_keeps_to_its_words) {
  const graph g = build_csr(gen::generate("er:n=600000,m=1200000"));
  const auto rows = std::get<csr<id, id>>(g.shape()).view();
  const id cut = 300000;
  for (const unsigned threads : {1u, 3u}) {
    std::vector<id> exact(cut), all(rows.vertices());  // the address sanitizer sees what lies behind
    hybrid::label_cpu_part(cpu_part::fast, rows, rows.vertices(), cut, std::span{exact}, {{}, {.threads = threads}});
    hybrid::label_cpu_part(cpu_part::dfs, rows, rows.vertices(), cut, std::span{all}, {{}, {.threads = threads}});
    EXPECT_TRUE(std::equal(exact.begin(), exact.end(), all.begin())) << threads << " threads";
  }
}

TEST(hybrid, both_sides_are_at_work_at_the_same_time) {
  const auto rows = make_test_rows<id, id>(make_coo(10, {{0, 9}, {1, 2}, {7, 8}}).view(), row_state::simple);
  std::promise<void> cpu_at_work, device_at_work;
  struct side {
    using arcs = backend::arc_set<id>;
    std::function<void()> at_work;
    void split() {}
    [[nodiscard]] arcs inside() const {
      at_work();
      return arcs{csr_view<id, id>{}};
    }
    void take(const buffer<id>&) {}
    void give(const hybrid::cpu_answer&) {}
    buffer<id> join(hybrid_report&, phase_times&) { return {}; }
  };
  const auto solve = [](std::function<void()> cpu, std::function<void()> device, std::function<void()> load) {
    side gpu_part{std::move(device)};
    hybrid_report report;
    phase_times times;
    const auto until = [](const auto& done) {
      while (!done()) std::this_thread::yield();
    };
    const auto cpu_part = [&] {
      cpu();
      return hybrid::cpu_answer{};
    };
    hybrid::solve_on_both(
        gpu_part, id{5},
        hybrid::both_sides{[&](phase_times&) { load(); }, until, cpu_part, until, [](const side::arcs&) { return buffer<id>{}; }}, report,
        times);
    return report;
  };
  const auto meets = [](std::promise<void>& this_side, std::promise<void>& other_side) {
    this_side.set_value();
    ASSERT_EQ(other_side.get_future().wait_for(std::chrono::seconds{20}), std::future_status::ready) << "the other side waits for this one";
  };
  const auto nothing = [] {};
  const auto report = solve([&] { meets(cpu_at_work, device_at_work); }, [&] { meets(device_at_work, cpu_at_work); }, nothing);
  EXPECT_GT(report.cpu_seconds, 0);
  EXPECT_GT(report.gpu_seconds, 0);
  EXPECT_TRUE(report.cpu_idle() == 0 || report.gpu_idle() == 0);
  const auto fails = [] { throw std::runtime_error{"fails"}; };
  EXPECT_THROW(solve(fails, nothing, nothing), std::runtime_error);
  EXPECT_THROW(solve(nothing, fails, nothing), std::runtime_error);
  EXPECT_THROW(solve(nothing, nothing, fails), std::runtime_error);
}

TEST(hybrid, new_pages_are_touched_and_words_stay) {
  constexpr std::size_t page_bytes = 4096, page_words = page_bytes / sizeof(id);
  for (const std::size_t pages : {100u, 3000u}) {  // small ones, and such as huge pages hold
    buffer<id> words{pages * page_words};
    const auto other_side = [&] {
      std::vector<unsigned char> resident(pages);
      EXPECT_EQ(mincore(words.data(), words.size() * sizeof(id), resident.data()), 0);
      return static_cast<std::size_t>(std::count_if(resident.begin(), resident.end(), [](unsigned char page) { return (page & 1) != 0; }));
    };
    words[7 * page_words] = 5;
    words[8 * page_words + 1] = 6;
    hybrid::new_pages room{words.span(), page_words / 2};
    room.touch([] { return true; });
    EXPECT_LT(other_side(), pages) << "stopped before it began";
    room.touch_by(3, [] { return false; });
    EXPECT_EQ(other_side(), pages);
    EXPECT_EQ(words[7 * page_words], 5u);
    EXPECT_EQ(words[8 * page_words + 1], 6u);
  }
  hybrid::new_pages{{}}.touch([] { return false; });
}

TEST(hybrid, shares_become_cuts) {
  using hybrid::cut_at;
  EXPECT_EQ(cut_at(0, 50), 0u);
  EXPECT_EQ(cut_at(10, 0), 0u);
  EXPECT_EQ(cut_at(10, 19.9), 1u);
  EXPECT_EQ(cut_at(10, 99.9), 9u);
  EXPECT_EQ(cut_at(10, 100), 10u);
  EXPECT_EQ(cut_at(4294967294u, 100), 4294967294u);
  EXPECT_EQ(cut_at(4294967294u, 50), 2147483647u);
}

}  // namespace
}  // namespace copse::test
