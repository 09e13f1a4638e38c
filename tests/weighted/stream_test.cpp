// Forests of edges that are not held, against those of all edges at once: the same edges in the same order, however they are cut into
// batches and whoever brings them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <api/forest_sink.hpp>
#include <api/numbered_forest.hpp>
#include <copse/errors.hpp>
#include <core/request.hpp>
#include <io/request.hpp>
#include <support/sweep_length.hpp>
#include <support/temporary_folder.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "weighted.hpp"

namespace copse::test {
namespace {

/// Names and weights of the edges, in their order, as text.
std::string listed(const graph& edges, const weight_column& weights) {
  std::string all;
  const auto name = [&](std::uint64_t v) {
    return edges.names().what() == vertex_names::kind::strings ? std::string{edges.names().string(v)}
                                                               : std::to_string(edges.names().integer(v));
  };
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.edges; }) {
          for (std::size_t i = 0; i < shape.edges.size(); ++i)
            all += fmt::format("{} {} {}\n", name(shape.edges[i].u), name(shape.edges[i].v),
                               weights[i] + 0.0);  // readers take minus zero for zero
        }
      },
      edges.shape());
  all += "vertices:";
  for (std::uint64_t v = 0; v < edges.vertices(); ++v) all += " " + name(v);
  return all;
}

std::string listed(const weighted_forest_result& found) { return listed(found.edges, found.weights); }

/// The file of an animal, its ids made sparse or strings.
std::string text_of(const zoo_graph& animal, const weighting& how, const std::string& prefix, std::uint64_t factor) {
  std::string text;
  for (const auto e : animal.edges.edges)
    text += fmt::format("{}{} {}{} {}\n", prefix, e.u * factor, prefix, e.v * factor, how.weight(hash_of(e)));
  return text;
}

TEST(weighted_stream, gives_the_forest_of_all_edges_at_once) {
  const temporary_folder folder;
  const auto path = folder.path() / "edges.el";
  for (const zoo_graph& animal : zoo(31)) {
    if (animal.edges.vertex_count > 900) continue;
    for (const weighting& how : weightings()) {
      if (how.name == "infinite") continue;
      for (const auto& [prefix, factor] : {std::pair{"", 1ull}, std::pair{"", 1'000'000'007ull}, std::pair{"v", 1ull}}) {
        std::ofstream{path} << text_of(animal, how, prefix, factor);
        io::read_request reading;
        reading.weight_column = 3u;
        reading.threads = 3;
        reading.block_bytes = 64;
        const request<weighted_forest_options> options{{.goal = forest_goal::maximum}, {.threads = 2}};
        const weighted_graph held = io::read_weighted_graph(path, reading.options(), reading.on());
        const auto expected = listed(weighted_forest(held, options.options(), options.on()));
        reading.min_weight = -1e300;
        for (const std::uint64_t least : {1u, 10u, 300u}) {
          api::forest_sink sink{reading, options, least};
          io::parse(path, reading, sink);
          const auto found = std::move(sink).take();
          ASSERT_EQ(listed(found), expected) << animal.name << ", " << how.name << ", prefix " << prefix << ", least " << least;
          ASSERT_EQ(found.report.edges, held.weights.size());
          if (least == 1 && held.weights.size() > 3000) {
            EXPECT_GT(found.merges, 2u) << animal.name;
          }
        }
      }
    }
  }
}

TEST(weighted_stream, keeps_vertices_without_edges_of_the_forest) {
  const temporary_folder folder;
  const auto path = folder.path() / "e.el", more = folder.path() / "v.el";
  std::ofstream{path} << "5 5 1\n7 9 2\n9 9 1\n3 3 8\n9 7 3\n";
  std::ofstream{more} << "11\n7\n";
  for (const bool declared : {false, true}) {
    io::read_request reading;
    reading.weight_column = 3u;
    reading.min_weight = 0;
    reading.block_bytes = 1;
    if (declared) {
      reading.vertices = 12;
      reading.first_vertex = 2;
    } else {
      reading.vertex_tables = {{more}};
    }
    const auto expected = listed(weighted_forest(io::read_weighted_graph(path, reading.options()), {}));
    const request<weighted_forest_options> options{{}, {.threads = 2}};
    api::forest_sink sink{reading, options, 1};
    io::parse(path, reading, sink);
    const auto found = std::move(sink).take();
    EXPECT_EQ(listed(found), expected);
    EXPECT_GT(found.merges, 2u);
    EXPECT_EQ(listed(weighted_forest(path, reading.options())), expected);
  }
}

TEST(weighted_stream, of_formats_that_are_not_text_reads_them) {
  const temporary_folder folder;
  const auto path = folder.path() / "w.mtx";
  std::ofstream{path} << "%%MatrixMarket matrix coordinate real symmetric\n4 4 3\n2 1 -1e300\n3 2 5\n3 1 2\n";
  EXPECT_EQ(listed(weighted_forest(path, {})), "2 1 -1e+300\n3 1 2\nvertices: 1 2 3 4");
  EXPECT_THROW(weighted_forest(path, {}, {.positions = true}), usage_error);
}

TEST(weighted_edge_sink, can_be_asked_at_any_moment) {
  const auto animals = zoo(32);
  const zoo_graph& animal = animals.back();
  const auto weights = weights_for<double>(animal.edges.view(), weightings().front());
  weighted_edge_sink sink{{.goal = forest_goal::maximum}, {.threads = 2}};
  EXPECT_EQ(sink.forest().edge_count(), 0u);
  std::vector<std::int64_t> u, v;
  for (const auto e : animal.edges.edges) {
    u.push_back(e.u);
    v.push_back(e.v);
  }
  const std::size_t step = u.size() / 5 + 1;
  for (std::size_t i = 0; i < u.size(); i += step) {
    const std::size_t count = std::min(step, u.size() - i), end = i + count;
    sink.add({std::span<const std::int64_t>{u}.subspan(i, count), std::span<const std::int64_t>{v}.subspan(i, count)},
             std::span{weights}.subspan(i, count));
    const coo_view<std::uint32_t> begun{animal.edges.vertex_count, animal.edges.edges.span().first(end)};
    const auto& found = sink.forest();
    weighted_set named;
    for (const auto& [a, b, w] : set_of(found)) named.emplace_back(found.edges.names().integer(a), found.edges.names().integer(b), w);
    EXPECT_EQ(named,
              reference_weighted_forest(begun, std::vector<double>{weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(end)},
                                        forest_goal::maximum));
    EXPECT_EQ(&sink.forest(), &found);
    EXPECT_EQ(found.report.edges, end);
  }
}

TEST(weighted_edge_sink, of_strings_can_be_asked_at_any_moment) {
  const auto animals = zoo(33);
  const zoo_graph& animal = animals.back();
  for (const weighting& how : weightings()) {  // some have many edges of one weight, which names put in order
    const auto weights = weights_for<double>(animal.edges.view(), how);
    weighted_edge_sink sink{{.goal = forest_goal::maximum}, {.threads = 3}}, untroubled{{.goal = forest_goal::maximum}, {.threads = 2}};
    std::vector<std::string> u, v;
    for (const auto e : animal.edges.edges) {
      u.push_back(fmt::format("v{}", e.u * 7919ull % 10007));  // names are not in the order of arrival
      v.push_back(fmt::format("v{}", e.v * 7919ull % 10007));
    }
    const std::vector<std::string_view> from{u.begin(), u.end()}, to{v.begin(), v.end()};
    const auto add = [&](weighted_edge_sink& sink_of, std::size_t begin, std::size_t count) {
      sink_of.add({std::span{from}.subspan(begin, count), std::span{to}.subspan(begin, count)}, std::span{weights}.subspan(begin, count));
    };
    const std::size_t step = u.size() / 4 + 1;
    for (std::size_t i = 0; i < u.size(); i += step) {
      const std::size_t count = std::min(step, u.size() - i);
      add(sink, i, count);
      weighted_edge_sink begun{{.goal = forest_goal::maximum}, {.threads = 1}};
      add(begun, 0, i + count);
      ASSERT_EQ(listed(sink.forest()), listed(std::move(begun).take())) << how.name << ", " << i + count << " edges";
      ASSERT_EQ(sink.forest().report.edges, i + count);
    }
    add(untroubled, 0, u.size());
    EXPECT_EQ(listed(std::move(sink).take()), listed(std::move(untroubled).take())) << how.name;
  }
}

struct edge_columns {
  std::vector<std::uint64_t> u, v;
  std::vector<double> weights;

  void add(std::uint64_t a, std::uint64_t b, double weight) {
    u.push_back(a);
    v.push_back(b);
    weights.push_back(weight);
  }
};

/// The forest of these edges, read from a file of all of them.
std::string listed_of_file(const edge_columns& all, const std::filesystem::path& path) {
  std::string text;
  for (std::size_t i = 0; i < all.u.size(); ++i) text += fmt::format("{} {} {}\n", all.u[i], all.v[i], all.weights[i]);
  std::ofstream{path} << text;
  io::read_options reading;
  reading.weight_column = 3u;
  return listed(weighted_forest(io::read_weighted_graph(path, reading), {.goal = forest_goal::maximum}));
}

TEST(numbered_forest, is_that_of_all_edges_at_once) {
  const temporary_folder folder;
  const request<weighted_forest_options> options{{.goal = forest_goal::maximum}, {.threads = 3}};
  for (const zoo_graph& animal : zoo(33)) {
    if (animal.edges.vertex_count > (quick() ? 100 : 900)) continue;
    for (const weighting& how : weightings()) {
      if (how.name == "infinite") continue;
      for (const std::uint32_t factor : {1u, 3u}) {
        edge_columns all;
        for (const auto e : animal.edges.edges) all.add(e.u * factor, e.v * factor, how.weight(hash_of(e)));
        const auto expected = listed_of_file(all, folder.path() / "e.el");
        for (const std::size_t room : {std::size_t{1}, std::size_t{10}, std::size_t{300}, all.u.size() + 1}) {
          api::numbered_forest forest{options, room};
          const std::size_t step = all.u.size() / 3 + 1;
          for (std::size_t i = 0; i < all.u.size(); i += step) {
            const std::size_t count = std::min(step, all.u.size() - i);
            const auto some = [&]<class T>(const std::vector<T>& column) { return std::span{column}.subspan(i, count); };
            ASSERT_TRUE(forest.add(some(all.u), some(all.v), some(all.weights)));
            if (i == 0) {
              ASSERT_EQ(forest.so_far().report.edges, count);
            }
          }
          const auto& found = forest.so_far();
          ASSERT_EQ(listed(found), expected) << animal.name << ", " << how.name << ", room " << room;
          ASSERT_EQ(found.report.edges, all.u.size());
        }
      }
    }
  }
}

/// Ends and weights, in their order.
auto edges_of(const weighted_forest_result& found) {
  std::vector<std::tuple<std::uint64_t, std::uint64_t, double>> all;
  const auto& edges = std::get<coo<std::uint32_t>>(found.edges.shape()).edges;
  for (std::size_t i = 0; i < edges.size(); ++i)
    all.emplace_back(found.edges.names().integer(edges[i].u), found.edges.names().integer(edges[i].v), found.weights[i]);
  return all;
}

// More edges than there is room for, so that the sink merges by itself.
TEST(weighted_edge_sink, gives_the_forest_of_columns) {
  zoo_detail::dice random{35};
  constexpr std::uint32_t ids = 50'000;
  constexpr std::size_t count = 2'600'000, batch = 700'000;
  std::vector<std::uint32_t> u(count), v(count);
  std::vector<double> weights(count);
  for (std::size_t i = 0; i < count; ++i) {
    u[i] = random.below(ids) / 2 * 2;  // half of the ids do not occur
    v[i] = random.below(ids) / 2 * 2;
  }
  for (const weighting& how : weightings()) {
    if (how.name != "distinct" && how.name != "few" && how.name != "infinite") continue;
    for (std::size_t i = 0; i < count; ++i) weights[i] = how.weight(hash_of({u[i], v[i]}) * (1 + i % 3));
    const auto goal = how.name == "few" ? forest_goal::minimum : forest_goal::maximum;
    const auto whole = weighted_forest(edge_columns_view<std::uint32_t>{ids, u, v}, weights_view{std::span{weights}}, {.goal = goal});
    for (const unsigned threads : {1u, 4u}) {
      weighted_edge_sink sink{{.goal = goal}, {.threads = threads}};
      for (std::size_t i = 0; i < count; i += batch) {
        const auto some = [&]<class T>(const std::vector<T>& column) { return std::span{column}.subspan(i, std::min(batch, count - i)); };
        sink.add({some(u), some(v)}, some(weights));
      }
      const auto& found = sink.forest();
      EXPECT_TRUE(edges_of(found) == edges_of(whole)) << how.name << ", threads " << threads;
      EXPECT_EQ(found.report.edges, count);
      EXPECT_GE(found.merges, 3u);
    }
  }
}

TEST(weighted_edge_sink, goes_on_when_ids_become_sparse) {
  const temporary_folder folder;
  for (const zoo_graph& animal : zoo(34)) {
    if (animal.edges.vertex_count > 900) continue;
    const std::uint64_t half = animal.edges.vertex_count / 2;
    for (const std::uint64_t far : {std::uint64_t{10'000'000}, std::uint64_t{1} << 33}) {
      edge_columns all;  // those of small ids first
      std::size_t near = 0;
      for (const bool is_near : {true, false}) {
        for (const auto e : animal.edges.edges) {
          if ((e.u < half && e.v < half) != is_near) continue;
          all.add(e.u < half ? e.u : e.u + far, e.v < half ? e.v : e.v + far, weightings().front().weight(hash_of(e)));
        }
        if (is_near) near = all.u.size();
      }
      weighted_edge_sink sink{{.goal = forest_goal::maximum}, {.threads = 2}};
      const std::size_t cuts[] = {0, near / 2, near, near + (all.u.size() - near) / 2, all.u.size()};
      for (std::size_t k = 0; k < 4; ++k) {
        const auto some = [&]<class T>(const std::vector<T>& column) {
          return std::span<const T>{column}.subspan(cuts[k], cuts[k + 1] - cuts[k]);
        };
        sink.add({some(all.u), some(all.v)}, some(all.weights));
        if (k == 0) static_cast<void>(sink.forest());
      }
      EXPECT_EQ(listed(sink.forest()), listed_of_file(all, folder.path() / "e.el")) << animal.name << ", " << far;
      EXPECT_EQ(sink.forest().report.edges, all.u.size());
    }
  }
}

TEST(weighted_edge_sink, takes_strings_and_refuses_what_is_wrong) {
  using texts = std::vector<std::string_view>;
  weighted_edge_sink sink;
  const std::vector<double> one{1}, nan{std::numeric_limits<double>::quiet_NaN()};
  const texts a{"a"}, b{"b"}, none;
  sink.add({a, b}, one);
  EXPECT_THROW(sink.add({a, none}, one), usage_error);
  EXPECT_THROW(sink.add({a, b}, nan), input_error);
  const std::vector<std::uint32_t> two{2};
  EXPECT_THROW(sink.add({two, two}, one), usage_error);
  EXPECT_EQ(listed(sink.forest()), "a b 1\nvertices: a b");
  weighted_edge_sink numbers;
  const std::vector<std::int64_t> negative{-2}, three{3};
  numbers.add({three, three}, one);
  EXPECT_THROW(numbers.add({negative, negative}, nan), input_error);
  EXPECT_EQ(listed(numbers.forest()), "vertices: 3");
  EXPECT_THROW(weighted_edge_sink({.positions = true}), usage_error);
}

/// Room for three edges per id is a wish: where memory ends before that, less does.
TEST(numbered_forest, a_limit_of_memory_makes_the_room_smaller) {
  constexpr std::uint32_t ids = 6'000'000, count = 200'000;
  std::vector<std::uint32_t> sources(count), targets(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    sources[i] = i * 29;
    targets[i] = ids - 1 - i;
  }
  const std::vector<double> weights(count, 1);
  const auto bytes_within = [&](std::uint64_t limit) {
    tracked_memory memory{limit};
    const request<weighted_forest_options> options{{}, {.threads = 2, .memory = &memory}};
    api::numbered_forest forest{options};
    EXPECT_TRUE(
        forest.add(std::span<const std::uint32_t>{sources}, std::span<const std::uint32_t>{targets}, std::span<const double>{weights}));
    EXPECT_EQ(forest.came(), count);
    return memory.current_bytes();
  };
  const std::uint64_t wished = bytes_within(UINT64_MAX);
  EXPECT_LT(bytes_within(wished / 2), wished / 2);
}

}  // namespace
}  // namespace copse::test
