// copse stream --forest: answers are weakest links by the definition, however the stream is batched and cut, and the file is the forest.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

struct record {
  bool query;
  unsigned u, v;
  int weight;
};

std::vector<record> random_records(unsigned seed, std::size_t count) {
  std::mt19937 random{seed};
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::vector<record> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back({below(4) == 0, below(24), below(24), static_cast<int>(below(9)) - 4});
  return all;
}

std::string id_of(unsigned v, bool strings) { return strings ? fmt::format("person {}", v) : std::to_string(v * 1000003ULL); }

/// As CSV, with a sign before each record.
std::string text_of(const std::vector<record>& records, bool strings) {
  std::string text;
  for (const record& r : records) {
    text += fmt::format("{},{},{}", r.query ? "?" : "+", id_of(r.u, strings), id_of(r.v, strings));
    text += r.query ? "\n" : fmt::format(",{}\n", r.weight * 0.25);
  }
  return text;
}

/// Inserts the edges from the heaviest down until the two are together.
std::optional<int> weakest_link(const std::vector<record>& inserts, unsigned u, unsigned v) {
  std::vector<record> edges = inserts;
  std::ranges::stable_sort(edges, std::greater{}, &record::weight);
  std::vector<unsigned> group(24);
  std::iota(group.begin(), group.end(), 0U);
  for (const record& e : edges) {
    const unsigned from = group[e.u], to = group[e.v];
    std::ranges::replace(group, from, to);
    if (group[u] == group[v]) return e.weight;
  }
  return std::nullopt;
}

/// The answers when `batch` records are a batch.
std::string expected_answers(const std::vector<record>& records, std::size_t batch) {
  std::string text;
  std::vector<record> inserts;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < records.size(); begin += batch) {
    const std::size_t end = std::min(begin + batch, records.size());
    for (std::size_t i = begin; i < end; ++i) {
      if (!records[i].query) inserts.push_back(records[i]);
    }
    for (std::size_t i = begin; i < end; ++i) {
      if (!records[i].query) continue;
      const auto link = weakest_link(inserts, records[i].u, records[i].v);
      text += fmt::format("{}\t{}\n", ++number, records[i].u == records[i].v ? "inf" : link ? fmt::format("{}", *link * 0.25) : "no");
    }
  }
  return text;
}

TEST(weighted_stream, answers_are_the_weakest_links_of_all_that_came) {
  const workplace place;
  for (const bool strings : {false, true}) {
    const auto records = random_records(strings ? 5 : 4, 160);
    place.write("s.csv", text_of(records, strings));
    std::string edges;
    for (const record& r : records) {
      if (!r.query) edges += fmt::format("{},{},{}\n", id_of(r.u, strings), id_of(r.v, strings), r.weight * 0.25);
    }
    place.write("edges.csv", edges);
    EXPECT_EQ(place.run({"forest", "edges.csv", "--weight", "3", "--header", "no", "--maximum", "-o", "expected.csv"}).exit_code, 0);
    for (const std::size_t batch : {1u, 7u, 1000u}) {
      EXPECT_EQ(place.output({"stream", "s.csv", "--weight", "3", "--header", "no", "--forest", "f.csv", "--batch", std::to_string(batch),
                              "--every", "10", "--progress", "never"}),
                expected_answers(records, batch))
          << "batches of " << batch;
      EXPECT_EQ(place.read("f.csv"), place.read("expected.csv"));
    }
  }
}

TEST(weighted_stream, goes_on_from_its_file) {
  const workplace place;
  const auto records = random_records(6, 200);
  const std::vector<record> before{records.begin(), records.begin() + 90}, after{records.begin() + 90, records.end()};
  place.write("all.csv", text_of(records, false));
  place.write("before.csv", text_of(before, false));
  const std::vector<std::string> options{"--weight", "3", "--header", "no", "--batch", "1", "--progress", "never"};
  const auto stream = [&](const std::string& file, const std::string& forest) {
    std::vector<std::string> arguments{"stream", file, "--forest", forest};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return place.output(arguments);
  };
  std::string whole = stream("all.csv", "whole.csv");
  stream("before.csv", "so_far.csv");
  std::string lines = place.read("so_far.csv");
  place.write("rest.csv", lines.substr(lines.find('\n') + 1) + text_of(after, false));
  const std::string rest = stream("rest.csv", "both.csv");
  const auto weights = [](const std::string& text, std::size_t skipped) {  // without their numbers
    std::vector<std::string> found;
    for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
      const std::string line = text.substr(at, end - at);
      found.push_back(line.substr(line.find('\t') + 1));
    }
    found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(skipped));
    return found;
  };
  const auto answered = static_cast<std::size_t>(std::ranges::count(before, true, &record::query));
  EXPECT_EQ(weights(rest, 0), weights(whole, answered));
  EXPECT_GT(weights(rest, 0).size(), 10u);
  const auto sorted = [](std::string text) {
    std::vector<std::string> all;
    for (std::size_t end = 0; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) all.push_back(text.substr(0, end));
    std::ranges::sort(all);
    return all;
  };
  EXPECT_EQ(sorted(place.read("both.csv")), sorted(place.read("whole.csv")));
}

TEST(weighted_stream, takes_queries_before_the_first_edge_and_no_records) {
  const workplace place;
  const outcome ended = place.run({"stream", "--weight", "3", "--forest", "f.txt", "--batch", "1", "--every", "1", "--progress", "never"},
                                  "? anna bert\n? anna anna\n+ anna bert .5\n? bert anna\n");
  EXPECT_EQ(ended.out, "1\tno\n2\tinf\n3\t0.5\n") << ended.err;
  EXPECT_EQ(place.read("f.txt"), "anna bert 0.5\n");
  EXPECT_EQ(place.run({"stream", "--weight", "3", "--forest", "f.csv", "--progress", "never"}, "").exit_code, 0);
  EXPECT_EQ(place.read("f.csv"), "u,v,weight\n");
  const outcome numbered = place.run({"stream", "--weight", "3", "--forest", "f.mtx", "--progress", "never"}, "7 9 .5\n");
  EXPECT_TRUE(place.read("f.mtx").ends_with("\n1 2 0.5\n")) << numbered.err;
  EXPECT_NE(numbered.err.find("f.mtx"), std::string::npos) << "its vertices are called otherwise";
  const outcome heavy = place.run({"stream", "--weight", "3", "--min-weight", "1", "--forest", "f.csv"}, "a b 2\nb c .5\n? a c\n? a b\n");
  EXPECT_EQ(heavy.out, "1\tno\n2\t2\n");
  EXPECT_NE(heavy.err.find("copse: stream: 3 records, 2 answers, 2 vertices, 1 components; "), std::string::npos) << heavy.err;
}

TEST(weighted_stream, refuses_what_it_has_not_and_weights_that_are_none) {
  const workplace place;
  const std::map<std::string, std::vector<std::string>> cases{
      {"--weight", {}},
      {"--checkpoint cannot be used with --forest", {"--weight", "3", "--checkpoint", "c"}},
      {"--resume cannot be used with --forest", {"--weight", "3", "--resume", "c"}},
      {"-o cannot be used with --forest", {"--weight", "3", "-o", "l.csv"}},
      {"--mixed", {"--weight", "3", "--mixed", "concurrent"}},
      {"--variant", {"--weight", "3", "--variant", "serial.none.fast"}},
      {"raw pairs", {"--weight", "3", "--format", "coo"}},
  };
  for (const auto& [reason, arguments] : cases) {
    std::vector<std::string> all{"stream", "--forest", "f.csv"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const std::string complaint = place.refusal(all, "1 2 .5\n");
    EXPECT_NE(complaint.find(reason), std::string::npos) << complaint;
  }
  for (const std::string weight : {"nan", "heavy", "", "NaN"}) {
    const std::string ended =
        place.refusal({"stream", "--weight", "3", "--delimiter", ",", "--forest", "f.csv"}, "1,2,.5\n1,3," + weight + "\n");
    EXPECT_NE(ended.find("<stdin>:2: found "), std::string::npos) << ended;
  }
  EXPECT_FALSE(place.has("f.csv"));
  EXPECT_EQ(place.run({"stream", "--weight", "3", "--forest", "f.json"}, "").exit_code, 2);
  EXPECT_EQ(place.run({"stream", "--weight", "3"}, "1 2 .5\n").exit_code, 2) << "nothing looks at the weights";
}

}  // namespace
}  // namespace copse::cli_test
