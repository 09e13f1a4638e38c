// Forests as bytes: what comes back, and that nothing but whole and unchanged bytes of this version are taken for one.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/partial.hpp>

#include "partial/pieces.hpp"
#include "support/signed_again.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

using bytes = std::vector<std::byte>;

template <class Answer = labelling>
std::string refusal_of(const bytes& content) {
  return thrown<input_error>([&] { static_cast<void>(partial<Answer>::from_bytes(content, "part.forest")); });
}

void expect_refused(const bytes& content, std::string_view because) {
  EXPECT_NE(refusal_of(content).find(because), std::string::npos) << refusal_of(content);
}

template <class Answer>
class answer_bytes : public ::testing::Test {};
TYPED_TEST_SUITE(answer_bytes, answers);

TYPED_TEST(answer_bytes, come_back_at_any_address) {
  for (const naming kind : all_namings) {
    const bytes content = bytes_of(part_of<TypeParam>(random_pairs(100, 80, 2), kind));
    bytes shifted(1);
    shifted.insert(shifted.end(), content.begin(), content.end());
    EXPECT_EQ(bytes_of(partial<TypeParam>::from_bytes(std::span{shifted}.subspan(1))), content);
  }
}

TYPED_TEST(answer_bytes, are_refused_when_any_byte_is_changed_or_missing) {
  for (const naming kind : all_namings) {
    const bytes good = bytes_of(part_of<TypeParam>(random_pairs(12, 8, 2), kind));
    ASSERT_EQ(refusal_of<TypeParam>(good), "");
    for (std::size_t size = 0; size < good.size(); ++size) {
      EXPECT_NE(refusal_of<TypeParam>(bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size))), "") << "cut at " << size;
    }
    for (std::size_t at = 0; at < good.size(); ++at) {
      for (const std::byte flip : {std::byte{1}, std::byte{0x80}}) {
        bytes damaged = good;
        damaged[at] = damaged[at] ^ flip;
        EXPECT_NE(refusal_of<TypeParam>(damaged), "") << "byte " << at;
      }
    }
    bytes longer = good;
    longer.push_back(std::byte{0});
    EXPECT_NE(refusal_of<TypeParam>(longer).find("behind the checksum"), std::string::npos);
  }
}

TEST(forest_bytes, of_other_versions_and_foreign_files_are_refused_plainly) {
  bytes other = bytes_of(forest_of(id_pairs{{1, 2}}, naming::dense));
  other[8] = std::byte{2};
  EXPECT_EQ(refusal_of(signed_again(other)), "part.forest: found version 2, expected version 1");
  EXPECT_EQ(refusal_of(bytes(100)),
            "part.forest: found no saved connectivity, expected a file that copse has saved (it begins with \"copse-cc\")");
  bytes names = bytes_of(forest_of(id_pairs{{1, 2}}, naming::sparse));
  names[64 - 8 + 6] = std::byte{'2'};  // names-2
  expect_refused(signed_again(names), "found bytes of another version beside the structure, expected a forest of parts");
}

TEST(forest_bytes, that_lie_although_the_checksum_agrees_are_refused) {
  const bytes sparse = bytes_of(forest_of(id_pairs{{1, 2}}, naming::sparse));  // two labels end at 56
  const auto changed = [](bytes content, std::size_t at, int value) {
    content[at] = static_cast<std::byte>(value);
    return signed_again(content);
  };
  expect_refused(changed(sparse, 48, 1), "the smallest vertex of its component");
  expect_refused(changed(sparse, 56 + 8, 9), "the code 9 for the kind of the names");
  expect_refused(changed(sparse, 56 + 8, 2), "2 names in");
  expect_refused(changed(sparse, 56 + 16, 3), "3 names in");
  expect_refused(changed(sparse, 56 + 32 + 5, 0), "ascending ids");
  const bytes strings = bytes_of(forest_of(id_pairs{{1, 2}}, naming::strings));
  expect_refused(changed(strings, 56 + 32, 200), "strings of more bytes than there are");
  expect_refused(changed(strings, 56 + 32, 1), "strings");
  expect_refused(changed(strings, 56 + 40 + 1, 'z'), "strings out of order");
}

TEST(forest_files, replace_an_older_one_as_a_whole) {
  const temporary_folder folder;
  const auto file = folder / "part.forest";
  const partial<labelling> first = forest_of(random_edges(50, 40, 1), naming::sparse), second = forest_of(id_pairs{{1, 2}}, naming::dense);
  first.save(file);
  EXPECT_EQ(bytes_of(partial<labelling>::open(file)), bytes_of(first));
  EXPECT_THROW(first.save(folder / "missing" / "part.forest"), input_error);
  second.save(file);
  EXPECT_EQ(bytes_of(partial<labelling>::open(file)), bytes_of(second));
  EXPECT_THROW(partial<labelling>::open(folder / "none.forest"), input_error);
}

}  // namespace
}  // namespace copse::test
