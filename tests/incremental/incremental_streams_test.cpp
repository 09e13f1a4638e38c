// Streams that are cut, fail, are cancelled, change what their ids are, and come back from checkpoints: always the answers and labels of
// one run over everything.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "support/failing_memory.hpp"
#include "support/impatient.hpp"
#include "support/signed_again.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

using io::operation_batch;

struct record {
  operation kind;
  std::uint64_t u, v;
};
using records = std::vector<record>;

/// The id as a stream of that kind has it.
std::string word(std::uint64_t id) { return "v" + std::to_string(id); }

operation_batch batch_of(const records& all, std::size_t begin, std::size_t end, bool named) {
  operation_batch batch;
  batch.clear(named);
  for (std::size_t i = begin; i < std::min(end, all.size()); ++i) {
    if (named) {
      batch.add(all[i].kind, io::named_edge{word(all[i].u), word(all[i].v)});
    } else {
      batch.add(all[i].kind, edge<std::uint64_t>{all[i].u, all[i].v});
    }
  }
  return batch;
}

/// Name -> name of the label.
std::map<std::string, std::string> labels_of(const incremental& stream) {
  const labelling labels = stream.labels();
  const auto& names = labels.names();
  const auto name = [&](std::uint64_t v) {
    return names.what() == vertex_names::kind::strings ? std::string{names.string(v)} : std::to_string(names.integer(v));
  };
  std::map<std::string, std::string> found;
  for (std::uint64_t v = 0; v < labels.slots(); ++v) {
    if (labels.present(v)) found[name(v)] = name(labels.label(v));
  }
  return found;
}

struct run {
  std::vector<bool> answers;
  std::map<std::string, std::string> labels;
  friend bool operator==(const run&, const run&) = default;
};

/// Applies records [begin, end) as the command line does; answers that come again replace the earlier ones.
void go_on(incremental& stream, const records& all, std::size_t end, bool named, std::vector<bool>& answers) {
  while (stream.position().records < end) {
    const std::uint64_t at = stream.position().records, answered = stream.position().answers;
    const operation_batch batch = batch_of(all, at, std::min<std::uint64_t>(end, at + stream.room()), named);
    const query_answers now = stream.apply(batch), again = stream.answers_again();
    answers.resize(answered);
    for (std::size_t i = 0; i < again.size(); ++i) answers[answered - again.size() + i] = again[i];
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (batch.kinds()[i] == operation::query) answers.push_back(now[i]);
    }
    EXPECT_EQ(answers.size(), stream.position().answers);
  }
}

run run_of(const records& all, bool named, const incremental_options& options, const execution& on) {
  incremental stream{options, on};
  run found;
  go_on(stream, all, all.size(), named, found.answers);
  found.labels = labels_of(stream);
  return found;
}

records random_records(std::size_t count, std::uint64_t ids, std::uint32_t seed, std::uint64_t scale = 1) {
  std::mt19937_64 random{seed};
  records all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back({random() % 3 == 0 ? operation::query : operation::insert, random() % ids * scale, random() % ids * scale});
  }
  return all;
}

class incremental_streams : public ::testing::Test {
protected:
  [[nodiscard]] std::filesystem::path file() const { return folder_ / "cp"; }
  [[nodiscard]] std::string bytes() const { return read_bytes(file()); }
  void write(std::string_view content) const { write_bytes(file(), content); }

  temporary_folder folder_;
};

constexpr vertex_ids every_kind[]{vertex_ids::automatic, vertex_ids::integers, vertex_ids::sparse, vertex_ids::strings};
const char* kind_text(vertex_ids kind) {
  constexpr std::array<const char*, 4> texts{"any ids", "integers", "sparse ids", "strings"};
  return texts[static_cast<std::size_t>(std::find(std::begin(every_kind), std::end(every_kind), kind) - std::begin(every_kind))];
}

TEST_F(incremental_streams, answers_do_not_depend_on_where_it_was_cut) {
  const records all = random_records(27, 14, 7);
  for (const auto kind : every_kind) {
    for (const auto how : {mixing::phased, mixing::concurrent}) {
      const bool named = kind == vertex_ids::strings;
      const incremental_options options{.ids = kind, .how = how, .batch = 8};
      const execution on{.threads = 1};
      const run whole = run_of(all, named, options, on);
      for (std::size_t cut = 0; cut <= all.size(); ++cut) {
        run parts;
        {
          incremental begun{options, on};
          go_on(begun, all, cut, named, parts.answers);
          begun.checkpoint(file());
        }
        incremental resumed = incremental::resume(file(), {.how = how}, on);
        EXPECT_EQ(resumed.position().records, cut);
        const std::size_t second = std::min(all.size(), cut + 5);
        go_on(resumed, all, second, named, parts.answers);
        resumed.checkpoint(file());
        resumed = incremental::resume(file(), options, on);
        go_on(resumed, all, all.size(), named, parts.answers);
        parts.labels = labels_of(resumed);
        EXPECT_EQ(parts, whole) << "cut at " << cut;
      }
    }
  }
}

// Threads number ids as they meet them; nothing that can be seen depends on it, the bytes of a checkpoint included.
TEST_F(incremental_streams, threads_number_ids_and_nobody_sees_in_which_order) {
  const records all = random_records(60'000, 9'000, 11, 0x9E3779B97F4A7C15u >> 2);
  for (const auto kind : {vertex_ids::sparse, vertex_ids::strings}) {
    const bool named = kind == vertex_ids::strings;
    const incremental_options options{.ids = kind, .batch = 20'000};
    std::string one_threads_file;
    const run expected = run_of(all, named, options, {.threads = 1});
    for (const unsigned threads : {1u, 2u, 7u}) {
      incremental stream{options, {.threads = threads}};
      run found;
      go_on(stream, all, 35'000, named, found.answers);
      stream.checkpoint(file());
      if (threads == 1) one_threads_file = bytes();
      EXPECT_TRUE(bytes() == one_threads_file) << threads << " threads, " << kind_text(kind);
      incremental resumed = incremental::resume(file(), options, {.threads = threads});
      EXPECT_EQ(labels_of(resumed), labels_of(stream));
      go_on(resumed, all, all.size(), named, found.answers);
      found.labels = labels_of(resumed);
      EXPECT_TRUE(found == expected) << threads << " threads, " << kind_text(kind);
    }
  }
}

TEST_F(incremental_streams, knows_the_records_that_it_was_made_of) {
  const records all = random_records(40, 25, 8);
  for (const bool named : {false, true}) {
    incremental begun{{.batch = 16}};
    std::vector<bool> answers;
    go_on(begun, all, 36, named, answers);
    begun.checkpoint(file());
    for (std::size_t changed = 0; changed <= 36; ++changed) {
      records other = all;
      if (changed < 36 && changed % 2 == 0) other[changed].v += 1;
      if (changed < 36 && changed % 2 == 1) {
        other[changed].kind = other[changed].kind == operation::insert ? operation::query : operation::insert;
      }
      incremental resumed = incremental::resume(file(), {});
      bool same = true;
      for (std::size_t at = 0; resumed.replayed() < 36; at += 5)
        same = resumed.replay(batch_of(other, at, std::min<std::size_t>(at + 5, 36), named));
      EXPECT_EQ(same, changed == 36) << changed;
    }
  }
}

TEST_F(incremental_streams, a_checkpoint_that_is_opened_is_the_structure_alone) {
  const records all = random_records(40, 25, 8);
  for (const bool named : {false, true}) {
    incremental begun{{.how = mixing::concurrent, .batch = 16}, {.threads = 1}};
    std::vector<bool> answers;
    go_on(begun, all, 36, named, answers);
    begun.checkpoint(file());
    EXPECT_THROW(static_cast<void>(incremental::resume(file())), usage_error) << "of the other mixing";
    incremental opened = incremental::open(file());
    EXPECT_EQ(labels_of(opened), labels_of(begun));
    EXPECT_EQ(opened.position().records, 0u);
    EXPECT_EQ(opened.batch(), 0u);
    EXPECT_THROW(begun.merge(opened), usage_error) << "its batch is not complete";
    EXPECT_NO_THROW(opened.merge(begun));
  }
}

TEST_F(incremental_streams, integers_become_sparse_and_dense_again) {
  std::mt19937_64 random{5};
  records all;
  const auto add = [&](std::size_t count, std::uint64_t ids) {
    for (std::size_t i = 0; i < count; ++i) {
      all.push_back({random() % 4 == 0 ? operation::query : operation::insert, random() % ids, random() % ids});
    }
  };
  add(2000, 1000);
  add(3000, 4500000);  // sparse: few of 4,500,000
  add(1000, 2000);
  for (std::uint64_t v = 0; v < 900000; ++v) all.push_back({operation::insert, v * 5, v * 5 + 5});  // dense: a fifth of them
  add(2000, 4500000);
  std::vector<vertex_ids> kinds;
  incremental changing{{.batch = 1000}, {.threads = 1}};
  std::vector<bool> answers;
  for (std::size_t end = 1000; end <= all.size(); end += 1000) {
    go_on(changing, all, end, false, answers);
    if (kinds.empty() || kinds.back() != changing.id_kind()) kinds.push_back(changing.id_kind());
  }
  EXPECT_EQ(kinds, (std::vector{vertex_ids::integers, vertex_ids::sparse, vertex_ids::integers}));
  incremental fixed{{.ids = vertex_ids::sparse, .batch = 1000}, {.threads = 1}};
  std::vector<bool> expected;
  go_on(fixed, all, all.size(), false, expected);
  EXPECT_EQ(answers, expected);
  EXPECT_EQ(checksum(changing.labels()), checksum(fixed.labels()));
}

TEST_F(incremental_streams, sparse_ids_are_noticed_before_they_cost_memory) {
  records all = random_records(1097, 210647824, 3);
  all.push_back({operation::insert, 210647824, 1});
  tracked_memory memory;
  incremental stream{{}, {.threads = 1, .memory = &memory}};
  static_cast<void>(stream.apply(batch_of(all, 0, 500, false)));
  static_cast<void>(stream.apply(batch_of(all, 500, all.size(), false)));
  EXPECT_EQ(stream.id_kind(), vertex_ids::sparse);
  EXPECT_LT(memory.peak_bytes(), std::uint64_t{2} << 20);
  const records wide{{operation::insert, no_vertex<std::uint32_t>, 1}, {operation::query, 210647824, no_vertex<std::uint32_t>}};
  incremental narrow_first{incremental_options{}};
  static_cast<void>(narrow_first.apply(batch_of(random_records(10, 5, 1), 0, 10, false)));
  EXPECT_EQ(narrow_first.id_kind(), vertex_ids::integers);
  EXPECT_FALSE(narrow_first.apply(batch_of(wide, 0, 2, false))[1]) << "an id of more than 32 bits makes it sparse";
}

TEST_F(incremental_streams, what_has_fixed_ids_refuses_others) {
  incremental integers{{.ids = vertex_ids::integers}};
  const records wide{{operation::insert, 1, 2}, {operation::insert, no_vertex<std::uint32_t>, 1}};
  EXPECT_THROW(static_cast<void>(integers.apply(batch_of(wide, 0, 2, false))), input_error);
  EXPECT_THROW(static_cast<void>(integers.apply(batch_of(wide, 0, 1, true))), usage_error);
  EXPECT_EQ(integers.position().records, 0u);
  incremental batches{{.batch = 2}};
  EXPECT_THROW(static_cast<void>(batches.apply(batch_of(random_records(3, 3, 1), 0, 3, false))), usage_error) << "more than a batch";
}

TEST_F(incremental_streams, a_batch_that_found_no_memory_leaves_nothing_behind) {
  const records lost = random_records(3000, 5000, 1, 1000003), kept = random_records(3000, 900, 2, 1000033);
  for (const auto kind : every_kind) {
    const bool named = kind == vertex_ids::strings;
    const auto scale = [&](records all) {
      for (auto& r : all) {
        if (kind == vertex_ids::integers) r = {r.kind, r.u / 1000003, r.v / 1000003};
      }
      return all;
    };
    const operation_batch first = batch_of(scale(lost), 0, lost.size(), named), second = batch_of(scale(kept), 0, kept.size(), named);
    incremental untouched{{.ids = kind}, {.threads = 1}};
    const query_answers expected = untouched.apply(second);
    std::uint64_t failures = 0;
    for (std::uint64_t nth = 0;; ++nth) {
      failing_memory memory;
      incremental stream{{.ids = kind}, {.threads = 1, .memory = &memory}};
      memory.fail_after(nth);
      try {
        static_cast<void>(stream.apply(first));
        break;
      } catch (const resource_error&) {
        ++failures;
      }
      memory.never_fail();
      EXPECT_EQ(stream.position().records, 0u);
      const query_answers found = stream.apply(second);
      EXPECT_TRUE(std::ranges::equal(found.words(), expected.words()));
      EXPECT_EQ(labels_of(stream), labels_of(untouched)) << "allocation " << nth;
      stream.checkpoint(file());
      EXPECT_EQ(labels_of(incremental::resume(file(), {})), labels_of(untouched)) << "allocation " << nth;
    }
    EXPECT_GE(failures, 3u);
    std::cout << failures << " allocations failed in a batch of " << kind_text(kind) << "\n";
  }
}

TEST_F(incremental_streams, a_cancelled_batch_can_be_followed_by_others_and_applied_again) {
  const records lost = random_records(60000, 30000, 1), kept = random_records(3000, 900, 2);
  for (const auto kind : every_kind) {
    const bool named = kind == vertex_ids::strings;
    const operation_batch first = batch_of(lost, 0, lost.size(), named), second = batch_of(kept, 0, kept.size(), named);
    incremental undisturbed{{.ids = kind}};
    static_cast<void>(undisturbed.apply(first));
    static_cast<void>(undisturbed.apply(second));
    int cancellations = 0;
    for (std::uint64_t patience = 0;; patience += 1 + patience / 2) {
      impatient watcher{patience};
      incremental stream{{.ids = kind}, {.threads = 2, .observer = &watcher}};
      bool ended = true;
      try {
        static_cast<void>(stream.apply(first));
      } catch (const cancelled&) {
        ended = false;
        ++cancellations;
      }
      watcher.calm_down();
      static_cast<void>(stream.apply(second));
      stream.checkpoint(file());
      incremental resumed = incremental::resume(file(), {}, {.threads = 2});
      EXPECT_EQ(checksum(resumed.labels()), checksum(stream.labels())) << patience;
      static_cast<void>(stream.apply(first));
      static_cast<void>(resumed.apply(first));
      EXPECT_EQ(checksum(stream.labels()), checksum(undisturbed.labels())) << patience;
      EXPECT_EQ(checksum(resumed.labels()), checksum(undisturbed.labels())) << patience;
      if (ended) break;
    }
    EXPECT_GT(cancellations, 2);
    std::cout << cancellations << " batches cancelled, of " << kind_text(kind) << "\n";
  }
}

TEST_F(incremental_streams, a_checkpoint_without_batches_goes_on_in_any) {
  const records all = random_records(30, 20, 4);
  incremental begun{incremental_options{}};
  static_cast<void>(begun.apply(batch_of(all, 0, 7, false)));
  begun.checkpoint(file());
  EXPECT_EQ(incremental::resume(file(), {}).batch(), 0u);
  incremental resumed = incremental::resume(file(), {.batch = 10});
  EXPECT_EQ(resumed.batch(), 10u);
  EXPECT_EQ(resumed.room(), 3u);
}

/// How the bytes of a checkpoint are changed: in all ways in the long form of the tests (docs/measurements/reliability.md).
std::vector<int> changes() {
  if (const char* form = std::getenv("COPSE_RELIABILITY"); form == nullptr || std::string_view{form} != "long") return {1, 0x80};
  std::vector<int> all;
  for (int change = 1; change < 256; ++change) all.push_back(change);
  return all;
}

/// Every byte of a checkpoint, changed; with a checksum that was made right again, too: refused, or as good as any other.
TEST_F(incremental_streams, a_damaged_checkpoint_is_refused_or_harmless) {
  const records all = random_records(30, 12, 6);
  for (const auto kind : every_kind) {
    const bool named = kind == vertex_ids::strings;
    incremental begun{{.ids = kind, .batch = 8}};
    std::vector<bool> answers;
    go_on(begun, all, 30, named, answers);
    begun.checkpoint(file());
    const std::string good = bytes();
    int refused = 0, opened = 0;
    for (std::size_t at = 0; at < good.size(); ++at) {
      for (const int change : changes()) {
        std::string damaged = good;
        damaged[at] = static_cast<char>(damaged[at] ^ change);
        write(damaged);
        EXPECT_THROW(static_cast<void>(incremental::resume(file(), {})), input_error) << "byte " << at;
        write(signed_again(damaged));
        try {
          incremental resumed = incremental::resume(file(), {}, {.threads = 1});
          const auto labels = labels_of(resumed);
          EXPECT_EQ(labels.size(), resumed.vertices());
          if (resumed.batch() != 0 && resumed.room() >= 8) static_cast<void>(resumed.apply(batch_of(all, 0, 8, named)));
          static_cast<void>(resumed.answers_again());
          ++opened;
        } catch (const error&) {
          ++refused;
        }
      }
    }
    std::cout << good.size() * changes().size() << " checkpoints damaged, of " << kind_text(kind)
              << ", and as many signed again: " << refused << " refused, " << opened << " harmless; " << good.size() << " cut off\n";
    EXPECT_GT(refused, 100);
    EXPECT_GT(opened, 0) << "counts of records may be anything";
    for (std::size_t size = 0; size < good.size(); ++size) {
      write(good.substr(0, size));
      EXPECT_THROW(static_cast<void>(incremental::resume(file(), {})), input_error) << size << " bytes";
    }
  }
}

TEST_F(incremental_streams, a_checkpoint_whose_first_label_is_absent_is_refused) {
  for (const bool named : {false, true}) {
    incremental begun{{.ids = named ? vertex_ids::strings : vertex_ids::sparse}};
    static_cast<void>(begun.apply(batch_of({{operation::insert, 7, 7}, {operation::insert, 8, 9}}, 0, 2, named)));
    begun.checkpoint(file());
    std::string lying = bytes();
    std::memset(lying.data() + 48, 0xFF, 4);  // the first label
    write(signed_again(lying));
    const std::string said = thrown<input_error>([&] { static_cast<void>(incremental::resume(file(), {})); });
    EXPECT_NE(said.find("found names that do not fit the structure, expected an undamaged file"), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace copse::test
