// Streams of inserts and queries about negative ids, cut anywhere and resumed: the answers of the definition.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

using number = std::int64_t;

/// The smallest member of every id, by relabelling.
class naive {
public:
  void insert(number u, number v) {
    const number a = find(u), b = find(v);
    for (auto& [id, label] : labels_) {
      if (label == std::max(a, b)) label = std::min(a, b);
    }
  }
  [[nodiscard]] bool connected(number u, number v) const {
    const auto a = labels_.find(u), b = labels_.find(v);
    return u == v || (a != labels_.end() && b != labels_.end() && a->second == b->second);
  }
  [[nodiscard]] const std::map<number, number>& labels() const noexcept { return labels_; }

private:
  number find(number id) { return labels_.emplace(id, id).first->second; }
  std::map<number, number> labels_;
};

struct stream_case {
  std::string text;
  std::vector<bool> answers;
  std::map<number, number> labels;
};

/// Dense at first in half of the cases, so that the structure changes what its ids are before the first minus.
stream_case random_case(std::uint64_t seed) {
  std::mt19937_64 random{seed};
  constexpr std::array<number, 5> ends{-1, 0, std::numeric_limits<number>::min(), std::numeric_limits<number>::max(), -2};
  naive expected;
  stream_case all;
  for (int i = 0; i < 400; ++i) {
    const auto id = [&] {
      if (i < 200 && seed % 2 == 0) return static_cast<number>(random() % 60);
      return random() % 4 == 0 ? ends[random() % ends.size()] : static_cast<number>(random() % 200) - 100;
    };
    const number u = id(), v = id();
    const bool query = random() % 3 == 0;
    const std::string pair = std::to_string(u) + " " + std::to_string(v) + "\n";
    all.text += (query ? "? " : u < 0 || random() % 2 == 0 ? "+ " : "") + pair;
    if (query) {
      all.answers.push_back(expected.connected(u, v));
    } else {
      expected.insert(u, v);
    }
  }
  all.labels = expected.labels();
  return all;
}

std::map<number, number> labels_of(const incremental& stream) {
  const labelling labels = stream.labels();
  const auto name = [&](std::uint64_t v) { return static_cast<number>(labels.names().integer(v)); };
  std::map<number, number> found;
  for (std::uint64_t v = 0; v < labels.slots(); ++v) {
    if (labels.present(v)) found[name(v)] = name(labels.label(v));
  }
  return found;
}

class signed_streams : public ::testing::Test {
protected:
  std::filesystem::path write(const std::string& name, const std::string& bytes) {
    write_bytes(folder / name, bytes);
    return folder / name;
  }
  /// The refusal of a stream, by its reader or by the structure.
  std::string refusal(const std::string& text, unsigned threads = 1) {
    const auto path = write("bad.txt", text);
    return thrown<input_error>([&] {
      io::operation_reader reader{path, {}, {.threads = threads}};
      incremental stream{{}, {.threads = threads}};
      io::operation_batch batch;
      while (reader.next(batch, 3)) static_cast<void>(stream.apply(batch));
    });
  }
  temporary_folder folder;
};

TEST_F(signed_streams, cut_anywhere_answer_as_the_definition_does) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const stream_case expected = random_case(seed);
    const auto path = write("s.txt", expected.text);
    for (const unsigned threads : {1u, 7u}) {
      std::mt19937_64 random{seed};
      const incremental_options options{.how = mixing::concurrent, .batch = 1};  // a query sees what stands before it
      const execution on{.threads = threads};
      incremental stream{options, on};
      io::operation_reader reader{path, {}, on};
      io::operation_batch batch;
      std::vector<bool> answers;
      while (reader.next(batch, 1)) {
        const query_answers now = stream.apply(batch);
        if (batch.kinds()[0] == operation::query) answers.push_back(now[0]);
        if (random() % 50 != 0) continue;
        stream.checkpoint(folder / "c.ck");
        stream = incremental::resume(folder / "c.ck", options, on);
      }
      EXPECT_EQ(answers, expected.answers) << "seed " << seed;
      EXPECT_EQ(labels_of(stream), expected.labels) << "seed " << seed;
    }
  }
}

TEST_F(signed_streams, begin_with_a_sign_where_the_first_id_has_a_minus) {
  EXPECT_NE(refusal("1 2\n-5 7\n").find("bad.txt:2: found \"-5 7\", expected a sign before an id that is negative, such as + -5 7"),
            std::string::npos);
  EXPECT_EQ(refusal("+ -5 7\n? -5 7\n7 -5\n"), "");
}

TEST_F(signed_streams, refuse_the_other_sign_wherever_it_stands) {
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
  for (const unsigned threads : {1u, 7u}) {
    EXPECT_NE(refusal("1 2\n3 18446744073709551615\n" + many + "? 3 -1\n", threads)
                  .find("bad.txt:20003: found the id -1, expected ids of 0 or more, as "),
              std::string::npos);
    EXPECT_NE(refusal("1 2\n3 -1\n" + many + "? 3 18446744073709551615\n", threads)
                  .find("bad.txt:20003: found the id 18446744073709551615, expected ids up to 9223372036854775807, as "),
              std::string::npos);
    EXPECT_NE(refusal("1 2\n+ -1 18446744073709551615\n", threads).find("bad.txt:2: found"), std::string::npos);
  }
}

TEST_F(signed_streams, remember_signs_in_checkpoints) {
  io::operation_batch batch;
  batch.clear(false);
  batch.add(operation::insert, {static_cast<std::uint64_t>(-1), 5}, true);
  incremental stream{incremental_options{}};
  static_cast<void>(stream.apply(batch));
  stream.checkpoint(folder / "c.ck");
  incremental resumed = incremental::resume(folder / "c.ck", {});
  EXPECT_EQ(labels_of(resumed), (std::map<number, number>{{-1, -1}, {5, -1}}));
  io::operation_batch large;
  large.clear(false);
  large.add(operation::query, {UINT64_MAX, 5});
  EXPECT_NE(thrown<input_error>([&] { static_cast<void>(resumed.apply(large)); }).find("found the id 18446744073709551615"),
            std::string::npos);
}

io::operation_batch batch_of(operation kind, number u, number v, bool are_signed) {
  io::operation_batch batch;
  batch.clear(false);
  batch.add(kind, {static_cast<std::uint64_t>(u), static_cast<std::uint64_t>(v)}, are_signed);
  return batch;
}

/// Adds the first record of another batch.
void append_first(io::operation_batch& to, const io::operation_batch& from) {
  const io::operation_batch::part first{&from, 0, 1};
  to.append({&first, 1}, 1);
}

bool asked(incremental& stream, number u, number v, bool are_signed) {
  return stream.apply(batch_of(operation::query, u, v, are_signed))[0];
}
void insert(incremental& stream, number u, number v, bool are_signed) {
  static_cast<void>(stream.apply(batch_of(operation::insert, u, v, are_signed)));
}

TEST_F(signed_streams, keep_no_sign_of_a_batch_that_is_refused) {
  for (const bool negative_first : {false, true}) {
    io::operation_batch both;
    both.clear(false);
    append_first(both, batch_of(operation::insert, -5, 1, negative_first));
    append_first(both, batch_of(operation::insert, -7, 1, !negative_first));
    incremental stream{incremental_options{}};
    EXPECT_NE(thrown<input_error>([&] { static_cast<void>(stream.apply(both)); }).find("stream: record 2: found the id "),
              std::string::npos);
    EXPECT_EQ(stream.vertices(), 0u);
    insert(stream, -9, 2, !negative_first);  // the sign of the first record that was refused would not go with it
    EXPECT_EQ(stream.vertices(), 2u);
    EXPECT_EQ(stream.labels().names().is_signed(), !negative_first);
  }
}

TEST_F(signed_streams, keep_no_sign_of_a_batch_whose_ids_are_too_large) {
  incremental stream{{.ids = vertex_ids::integers}};
  EXPECT_NE(thrown<input_error>([&] { insert(stream, -5, 1, true); }).find("found the id -5, expected ids from 0"), std::string::npos);
  EXPECT_NE(thrown<input_error>([&] { insert(stream, -5, 1, false); }).find("found the id 18446744073709551611, expected ids from 0"),
            std::string::npos);
}

TEST_F(signed_streams, keep_no_sign_of_queries) {
  incremental stream{incremental_options{}};
  EXPECT_TRUE(asked(stream, -5, -5, true));
  EXPECT_FALSE(asked(stream, -5, 1, true));
  stream.checkpoint(folder / "c.ck");
  stream = incremental::resume(folder / "c.ck", {});
  insert(stream, -5, 1, false);
  EXPECT_FALSE(stream.labels().names().is_signed());
  EXPECT_TRUE(asked(stream, -5, 1, false));
  EXPECT_THROW(asked(stream, -5, 1, true), input_error);
}

// The answer to a query is that of its whole batch, so that a vertex of the other sign would be taken for the one that is asked for.
TEST_F(signed_streams, keep_the_sign_of_a_query_until_its_batch_is_complete) {
  for (const bool again : {false, true}) {
    incremental stream{{.batch = 3}};
    EXPECT_FALSE(asked(stream, -5, 1, true));
    if (again) {
      stream.checkpoint(folder / "c.ck");
      stream = incremental::resume(folder / "c.ck", {});
    }
    EXPECT_NE(thrown<input_error>([&] { insert(stream, -5, 1, false); }).find("as a query of the same batch has -5"), std::string::npos);
    insert(stream, 1, 2, false);
    insert(stream, 2, 3, false);
    EXPECT_FALSE(stream.answers_again()[0]);
    insert(stream, -5, 1, false);
    EXPECT_FALSE(stream.labels().names().is_signed());
  }
}

TEST(operation_batch, knows_the_signs_of_what_it_keeps) {
  io::operation_batch batch = batch_of(operation::insert, 1, 2, true);
  append_first(batch, batch_of(operation::query, -5, 1, true));
  io::operation_batch queries;
  queries.clear(false);
  queries.add_queries_of(batch);
  EXPECT_TRUE(queries.any_negative());
  EXPECT_EQ(queries.first_large(), queries.size());
  for (const bool are_signed : {false, true}) {
    io::operation_batch cut = batch_of(operation::insert, 1, 2, are_signed);
    append_first(cut, batch_of(operation::insert, -5, 1, are_signed));
    cut.shrink(1);
    for (int i = 0; i < 3; ++i) append_first(cut, batch_of(operation::insert, 3, 4, are_signed));
    EXPECT_EQ(cut.first_negative(), 4u);
    EXPECT_EQ(cut.first_large(), 4u);
  }
}

TEST(operation_batch, counts_its_queries) {
  for (const bool named : {false, true}) {
    io::operation_batch all, whole, parts;
    for (io::operation_batch* const batch : {&all, &whole, &parts}) batch->clear(named);
    const auto kind_of = [](std::uint64_t i) { return i % 3 == 1 ? operation::query : i % 7 == 0 ? operation::erase : operation::insert; };
    for (std::uint64_t i = 0; i < 30; ++i) {
      if (named) {
        all.add(kind_of(i), io::named_edge{"a", "b"});
      } else {
        all.add(kind_of(i), {i, i + 1});
      }
    }
    EXPECT_EQ(all.queries(), 10u);
    const std::vector<io::operation_batch::part> pieces{{&all, 0, 2}, {&all, 2, 0}, {&all, 2, 3}, {&all, 11, 19}};  // 1, none, 1 and 6
    parts.append(pieces, 2);
    EXPECT_EQ(parts.queries(), 8u);
    parts.shrink(5);
    EXPECT_EQ(parts.queries(), 2u);
    whole.add_queries_of(all);
    EXPECT_EQ(whole.queries(), 10u);
    EXPECT_EQ(whole.size(), 10u);
    all.clear(named);
    EXPECT_EQ(all.queries(), 0u);
  }
}

TEST_F(signed_streams, of_raw_pairs_are_signed_where_they_are_said_to_be) {
  const std::array<number, 4> ids{-1, 5, 5, std::numeric_limits<number>::min()};
  const auto path = write("s.coo64", {reinterpret_cast<const char*>(ids.data()), sizeof ids});
  io::stream_read_options options;
  options.signed_ids = true;
  io::operation_reader reader{path, options};
  io::operation_batch batch;
  ASSERT_TRUE(reader.next(batch, 10));
  incremental stream{incremental_options{}};
  static_cast<void>(stream.apply(batch));
  EXPECT_EQ(labels_of(stream).begin()->first, std::numeric_limits<number>::min());
  EXPECT_THROW((io::operation_reader{write("s.txt", "1 2\n"), options}), usage_error);
}

}  // namespace
}  // namespace copse::test
