// Every variant on mixed batches, of both kinds of mixing, against structures of one thread that insert all of a batch or none of it; and
// that it goes on from a file, from labels and from a part.
#include <gtest/gtest.h>
#include <copse/copse.hpp>

#include <random>
#include <span>
#include <vector>

#include "incremental/backends.hpp"
#include "support/recorded_edges.hpp"
#include "support/temporary_folder.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

using id = std::uint32_t;

const execution on{.threads = 3};

class every_mixing_variant : public ::testing::TestWithParam<variant_info> {
protected:
  [[nodiscard]] static incremental_options options(bool forest = false, std::uint64_t vertices = 0) {
    return {.variant = GetParam().name, .record_forest = forest, .vertices = vertices};
  }
  [[nodiscard]] static bool records() {
    const bool splices = GetParam().backend != "serial" && GetParam().splice == "splice_atomic";
    return !splices && GetParam().finish != "liu_tarjan" && GetParam().finish != "shiloach_vishkin";
  }
};

struct mixed_batch {
  std::vector<edge<id>> pairs, inserts;
  std::vector<operation> kinds;
};

/// Ids may be those of vertices to come, and of none.
mixed_batch drawn(std::mt19937& random, id vertices, std::size_t size, unsigned inserts_in_8) {
  mixed_batch batch;
  for (std::size_t i = 0; i < size; ++i) {
    const bool insert = random() % 8 < inserts_in_8;
    const auto any = [&] { return static_cast<id>(random() % (insert ? vertices : vertices + 10)); };
    const id u = any();
    batch.pairs.push_back({u, random() % 50 == 0 ? u : any()});
    batch.kinds.push_back(insert ? operation::insert : operation::query);
    if (insert) batch.inserts.push_back(batch.pairs.back());
  }
  return batch;
}

/// Trees as deep as can be: the answers of a no take a long way.
mixed_batch path(std::mt19937& random, id vertices) {
  mixed_batch batch;
  for (id v = 1; v < vertices; ++v) {
    batch.pairs.push_back({v - 1, v});
    batch.kinds.push_back(operation::insert);
    batch.inserts.push_back({v - 1, v});
    batch.pairs.push_back({static_cast<id>(random() % vertices), v});
    batch.kinds.push_back(operation::query);
  }
  return batch;
}

void expect_between(const mixed_batch& batch, const query_answers& earliest, const query_answers& answers, const query_answers& latest) {
  ASSERT_EQ(answers.size(), batch.pairs.size());
  for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
    const auto [u, v] = batch.pairs[i];
    if (batch.kinds[i] == operation::insert) {
      ASSERT_FALSE(answers[i]) << "pair " << i << " is an insert";
    } else {
      ASSERT_LE(earliest[i], answers[i]) << u << " and " << v << " were connected before, and stay so";
      ASSERT_LE(answers[i], latest[i]) << u << " and " << v << " are not connected after the batch";
    }
  }
  if (answers.size() % 64 != 0) {
    ASSERT_EQ(answers.words().back() >> (answers.size() % 64), 0u);
  }
}

TEST_P(every_mixing_variant, answers_and_labels_of_mixed_batches_are_right) {
  COPSE_NEEDS_ITS_DEVICE(GetParam());
  for (const auto how : {mixing::phased, mixing::concurrent}) {
    if (incremental_refusal(GetParam().name, how)) continue;
    std::mt19937 random{7};
    incremental live{options(), on}, before{{}, {.threads = 1}}, after{{}, {.threads = 1}};
    for (int round = 0; round < 8; ++round) {
      const mixed_batch batch = round == 3 ? path(random, 2000)
                                           : drawn(random, 1000 * (1 + static_cast<id>(round)), 63 + 911 * static_cast<std::size_t>(round),
                                                   1 + static_cast<unsigned>(round) % 8);
      after.insert(batch.inserts);
      const auto latest = after.connected(batch.pairs);
      const auto earliest = how == mixing::phased ? after.connected(batch.pairs) : before.connected(batch.pairs);
      expect_between(batch, earliest, live.apply(batch.pairs, batch.kinds, how), latest);
      if (HasFatalFailure()) FAIL() << GetParam().name << ", round " << round << (how == mixing::phased ? ", phased" : ", concurrent");
      before.insert(batch.inserts);
      ASSERT_EQ(live.count(), after.count()) << GetParam().name << ", round " << round;
      ASSERT_EQ(live.vertices(), after.vertices());
      ASSERT_EQ(live.slots(), after.slots());
      ASSERT_EQ(checksum(live.labels()), checksum(after.labels()));
    }
  }
}

TEST_P(every_mixing_variant, is_as_before_after_a_call_that_is_refused) {
  COPSE_NEEDS_ITS_DEVICE(GetParam());
  incremental_options dense = options(false, 4);
  dense.ids = vertex_ids::integers;
  incremental live{dense, on};
  const std::vector<edge<id>> good{{0, 1}, {6, 6}}, bad{{2, 3}, {1, no_vertex<id>}};
  live.insert(good);
  EXPECT_THROW(live.insert(bad), input_error);
  const std::vector<operation> kinds{operation::insert, operation::insert};
  EXPECT_THROW(static_cast<void>(live.apply(bad, kinds)), input_error);
  EXPECT_EQ(live.count(), 4u);
  EXPECT_EQ(live.vertices(), 5u);
  EXPECT_FALSE(live.connected(2, 3));
  EXPECT_TRUE(live.contains(6));
  EXPECT_FALSE(live.contains(5));
  const std::vector<edge<id>> pairs{{0, 1}, {0, 77}, {77, 77}, {0, no_vertex<id>}, {1, 6}};
  const auto answers = live.connected(pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) EXPECT_EQ(answers[i], i == 0 || i == 2) << i;
}

TEST_P(every_mixing_variant, goes_on_from_a_file_and_takes_in_a_part) {
  COPSE_NEEDS_ITS_DEVICE(GetParam());
  const temporary_folder folder;
  const auto file = folder / "live.copse";
  std::mt19937 random{8};
  const auto first = drawn(random, 500, 400, 8), second = drawn(random, 900, 400, 8), part = drawn(random, 1200, 300, 8);
  incremental live{options(records(), 10), on}, reference{{.vertices = 10}, {.threads = 1}};
  live.insert(first.inserts);
  live.save(file);
  incremental opened = incremental::open(file, options(records()), on), other{options(records()), on};
  opened.insert(second.inserts);
  other.insert(part.inserts);
  opened.merge(other);
  for (const auto* batch : {&first, &second, &part}) reference.insert(batch->inserts);
  EXPECT_EQ(opened.count(), reference.count());
  EXPECT_EQ(opened.vertices(), reference.vertices());
  EXPECT_EQ(checksum(opened.labels()), checksum(reference.labels()));
  for (id v = 0; v < 1210; ++v) ASSERT_EQ(opened.contains(v), reference.contains(v)) << v;
  if (records()) {
    const graph forest = opened.forest();
    EXPECT_EQ(recorded_edges(forest).size(), opened.vertices() - opened.count());
    incremental spanned{{.vertices = 10}, {.threads = 1}};
    spanned.insert(recorded_edges(forest));
    EXPECT_EQ(spanned.count() - spanned.vertices() + reference.vertices(), reference.count()) << "no edge of the forest is one too many";
  }
  incremental from_graph = incremental::from(gen::generate_edges("er:n=700,m=500"), options(records()), on);
  EXPECT_EQ(checksum(from_graph.labels()), checksum(components(gen::generate("er:n=700,m=500")).labels));
}

INSTANTIATE_TEST_SUITE_P(incremental, every_mixing_variant,
                         testing::ValuesIn(variants(problem_kind::incremental).begin(), variants(problem_kind::incremental).end()),
                         [](const auto& tested) { return test_name(tested.param.name); });

}  // namespace
}  // namespace copse::test
