// Saved files of all kinds at the commands that read them, crafted ones, and those that unpack to more than --memory allows.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "run_copse.hpp"
#include "support/sanitized.hpp"
#include "support/signed_again.hpp"

namespace copse::cli_test {
namespace {

using words = std::vector<std::string>;

std::filesystem::path case_file(const std::string& name) { return std::filesystem::path{COPSE_ROOT} / "tests/corpus/cases" / name; }

/// One file of each kind: the same two components.
void save_all_kinds(const workplace& folder) {
  folder.write("g.el", "1 2\n5 5\n");
  folder.write("s.el", "9000000000 9000000001\n7000000000 7000000000\n");
  folder.write("n.el", "amy bob\ncat cat\n");
  folder.write("w.csv", "1,2,0.5\n5,5,1\n");
  for (const words& command : std::vector<words>{{"reduce", "g.el", "-o", "dense.forest"},
                                                 {"reduce", "s.el", "-o", "sparse.forest"},
                                                 {"reduce", "n.el", "-o", "string.forest"},
                                                 {"reduce", "g.el", "-o", "packed.forest.gz"},
                                                 {"reduce", "w.csv", "--weight", "3", "-o", "weighted.forest"},
                                                 {"reduce", "w.csv", "--weight", "3", "-o", "weighted.forest.zst"},
                                                 {"stream", "g.el", "--checkpoint", "int.ck"},
                                                 {"stream", "s.el", "--ids", "sparse", "--checkpoint", "sparse.ck"},
                                                 {"stream", "n.el", "--checkpoint", "string.ck"},
                                                 {"stream", "g.el", "--checkpoint", "packed.ck.gz"}}) {
    ASSERT_EQ(folder.run(command).exit_code, 0) << command[0] << " " << command.back();
  }
}

TEST(saved_files, are_read_by_the_commands_that_understand_them_and_refused_by_all_others) {
  const workplace folder;
  save_all_kinds(folder);
  const std::vector<std::pair<std::string, words>> commands{{"merge", {"merge", "FILE", "--json"}},
                                                            {"curve", {"merge", "FILE", "--curve", "-"}},
                                                            {"resume", {"stream", "-", "--resume", "FILE"}},
                                                            {"about", {"stream", "--about", "FILE"}},
                                                            {"info", {"info", "FILE"}},
                                                            {"components", {"components", "FILE"}}};
  const std::vector<std::pair<std::string, std::string>> kinds{{"dense.forest", "merge"},           {"sparse.forest", "merge"},
                                                               {"string.forest", "merge"},          {"packed.forest.gz", "merge"},
                                                               {"weighted.forest", "merge curve"},  {"weighted.forest.zst", "merge curve"},
                                                               {"int.ck", "merge resume about"},    {"sparse.ck", "merge resume about"},
                                                               {"string.ck", "merge resume about"}, {"packed.ck.gz", "merge resume about"},
                                                               {"g.el", "info components"}};
  for (const auto& [file, understood] : kinds) {
    for (const auto& [name, command] : commands) {
      words filled = command;
      std::ranges::replace(filled, "FILE", file);
      const outcome ended = folder.run(filled);
      const bool expected = understood.find(name) != std::string::npos;
      EXPECT_EQ(ended.exit_code, expected ? 0 : 2) << name << " " << file << ": " << ended.err;
      const bool needs_weights = ended.err ==
                                 "copse: --curve, --edges and --label-columns need forests with weights, which copse reduce "
                                 "--weight or --maximum writes\n";
      const bool has_reason = (name == "curve" && needs_weights) || ended.err.find(": found ") != std::string::npos;
      EXPECT_TRUE(expected || has_reason) << name << " " << file << ": " << ended.err;
      EXPECT_NE(ended.out.find(name == "merge" && expected ? "\"components\": 2" : ""), std::string::npos) << file << ": " << ended.out;
    }
  }
}

TEST(saved_files, that_name_the_largest_id_are_understood_wherever_they_are_read) {
  const workplace folder;
  std::filesystem::copy(case_file("checkpoint-all-ones/input.ck"), folder.folder() / "input.ck");
  for (const words& command : std::vector<words>{{"merge", "input.ck", "-o", "out.csv"},
                                                 {"merge", "input.ck", "input.ck", "--verify"},
                                                 {"merge", "input.ck", "-o", "all.forest"},
                                                 {"merge", "all.forest", "-o", "again.csv"},
                                                 {"stream", "-", "--resume", "input.ck", "--ids", "sparse", "-o", "labels.csv"},
                                                 {"stream", "--about", "input.ck"}}) {
    EXPECT_EQ(folder.run(command, "1 2\n").exit_code, 0) << command[0] << " " << command[2];
  }
  EXPECT_NE(folder.read("out.csv").find("18446744073709551615,"), std::string::npos);
  EXPECT_EQ(folder.read("again.csv"), folder.read("out.csv"));
  EXPECT_EQ(folder.refusal({"stream", "-", "--resume", "input.ck"}, "5 -1\n"),
            "copse: note: resumed after 3 records, 1 answers, 4 vertices, 2 components\nstream: record 4: found the id -1, expected ids of "
            "0 or more, as input.ck has 18446744073709551615, which is above 2^63 - 1\n");
}

/// A .gz of so many zero bytes behind `first`.
std::string gzip_bomb(std::string_view first, std::size_t zeros) {
  std::string packed(zeros / 500 + 10000, '\0');
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  std::string piece{first};
  for (std::size_t done = 0; done < zeros; done += piece.size()) {
    piece.resize(std::size_t{1} << 20);
    stream.next_in = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_in = static_cast<uInt>(piece.size());
    deflate(&stream, done + piece.size() >= zeros ? Z_FINISH : Z_NO_FLUSH);
    piece.assign(piece.size(), '\0');
  }
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

/// Runs a command to its end without a GPU; the most memory that it held, in bytes. A small process starts it, since Linux counts the
/// memory of the process that starts another one as the other's.
std::pair<outcome, std::uint64_t> run_measured(const workplace& folder, const words& command) {
  std::string line = "cd '" + folder.folder().string() + "' && CUDA_VISIBLE_DEVICES= python3 -c '" + R"(
import resource, subprocess, sys
with open(".harness.out", "wb") as out, open(".harness.err", "wb") as err:
    ended = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=out, stderr=err)
print(ended.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))" +
                     "' '" + COPSE_BINARY + "'";
  for (const std::string& word : command) line += " '" + word + "'";
  outcome ended;
  std::uint64_t kibibytes = 0;
  FILE* const pipe = popen(line.c_str(), "r");
  if (std::fscanf(pipe, "%d %" SCNu64, &ended.exit_code, &kibibytes) != 2) ADD_FAILURE() << line;
  pclose(pipe);
  ended.err = folder.read(".harness.err");
  ended.out = folder.read(".harness.out");
  return {ended, kibibytes * 1024};
}

constexpr std::uint64_t megabyte = std::uint64_t{1} << 20;
constexpr std::uint64_t process_bytes = 25 * megabyte;  // the program, its libraries and its buffers

TEST(memory, holds_while_whole_files_are_unpacked) {
  if (test::sanitized) GTEST_SKIP() << "shadow memory is not the program's";
  const workplace folder;
  const std::string header{"copse-cc\1\0\0\0\4\0\0\0\0\0\0\x20\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 32};
  const std::string bomb = gzip_bomb(header, 512 * megabyte);
  folder.write("g.el", "1 2\n");
  folder.write("dense.forest", "");
  ASSERT_EQ(folder.run({"reduce", "g.el", "-o", "dense.forest"}).exit_code, 0);
  const words files{"bomb.forest.gz", "bomb.ck.gz",  "bomb.npy.gz", "bomb.sg.gz", "bomb.egr.gz",
                    "bomb.npz.gz",    "bomb.coo.gz", "bomb.bin.gz", "bomb.txt.gz"};
  for (const std::string& file : files) folder.write(file, bomb);
  for (const words& command : std::vector<words>{{"merge", "bomb.forest.gz"},
                                                 {"merge", "dense.forest", "bomb.forest.gz"},
                                                 {"merge", "bomb.ck.gz", "--verify"},
                                                 {"stream", "-", "--resume", "bomb.ck.gz"},
                                                 {"stream", "--about", "bomb.ck.gz"},
                                                 {"components", "bomb.sg.gz"},
                                                 {"info", "bomb.egr.gz"},
                                                 {"convert", "bomb.npz.gz", "out.el"},
                                                 {"plan", "bomb.sg.gz"},
                                                 {"rank", "bomb.bin.gz"},
                                                 {"verify", "g.el", "bomb.txt.gz"},
                                                 {"verify", "g.el", "bomb.npy.gz"}}) {
    words limited = command;
    limited.insert(limited.end(), {"--memory", "50M"});
    const auto [ended, held] = run_measured(folder, limited);
    const auto file = std::ranges::find_if(command, [](const std::string& word) { return word.starts_with("bomb"); });
    EXPECT_EQ(ended.exit_code, 3) << command[0] << " " << *file << ": " << ended.err;
    EXPECT_LT(held, 50 * megabyte + process_bytes) << command[0] << " " << *file;
    EXPECT_TRUE(ended.err.starts_with("copse: " + *file + ": reading: memory limit: ")) << command[0] << ": " << ended.err;
  }
  EXPECT_FALSE(folder.has("out.el"));
  const auto [streamed, held] = run_measured(folder, {"reduce", "bomb.coo.gz", "-o", "out.forest", "--memory", "50M"});
  EXPECT_EQ(streamed.exit_code, 0) << "pairs are not held: " << streamed.err;
  EXPECT_LT(held, 50 * megabyte + process_bytes);
  const outcome no_array = folder.run({"components", "bomb.npy.gz", "--memory", "50M"});
  EXPECT_EQ(no_array.exit_code, 2) << "it is refused by its first bytes: " << no_array.err;
}

TEST(memory, of_a_plan_is_that_of_planning_too) {
  if (test::sanitized) GTEST_SKIP() << "shadow memory is not the program's";
  const workplace folder;
  folder.write("g.el", "1 2\n");
  for (const words& command : std::vector<words>{{"plan", "g.el"},
                                                 {"plan", "--vertices", "1000", "--edges", "1000"},
                                                 {"plan", "--vertices", "1000", "--edges", "1000", "--shape", "strings"},
                                                 {"plan", "--vertices", "1000", "--edges", "1000", "--shape", "sparse", "--threads", "1"},
                                                 {"plan", "karate.mtx"},
                                                 {"plan", "g.el", "--workers", "3"}}) {
    words limited = command;
    if (limited[1] == "karate.mtx") folder.write("karate.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 1\n");
    limited.insert(limited.end(), {"--memory", "14M"});
    const auto [ended, held] = run_measured(folder, limited);
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    EXPECT_LT(held, 14 * megabyte + process_bytes) << command[1];
  }
}

TEST(memory, that_ends_names_the_file_and_the_step) {
  const workplace folder;
  ASSERT_EQ(folder.run({"generate", "er:n=300000,m=300000", "-o", "er.el"}).exit_code, 0);
  std::string weighted, keyed;
  for (int i = 0; i < 200000; ++i) weighted += std::to_string(i) + "," + std::to_string(i / 2) + ",1\n";
  folder.write("w.csv", weighted);
  ASSERT_EQ(folder.run({"reduce", "er.el", "-o", "er.forest"}).exit_code, 0);
  for (const auto& [command, begin] : std::vector<std::pair<words, std::string>>{
           {{"components", "er.el"}, "er.el: reading: "},
           {{"components", "er.el", "--ids", "string"}, "er.el: reading: "},
           {{"stream", "er.el"}, "er.el: "},
           {{"group", "w.csv", "--id", "1", "--by", "2", "--header", "no"}, "w.csv: "},
           {{"thresholds", "w.csv", "--weight", "3"}, "w.csv: "},
           {{"forest", "w.csv", "--weight", "3", "--maximum"}, "w.csv: "},
           {{"bridges", "er.el"}, "er.el: "},
           {{"info", "er.el"}, "er.el: "},
           {{"merge", "er.forest"}, "er.forest: merging: "},
           {{"generate", "er:n=300000,m=300000", "-o", "out.el"}, "er:n=300000,m=300000: generate: "}}) {
    words limited = command;
    limited.insert(limited.end(), {"--memory", "1000K"});
    const outcome ended = folder.run(limited);
    EXPECT_EQ(ended.exit_code, 3) << command[0] << ": " << ended.err;
    EXPECT_TRUE(ended.err.starts_with("copse: " + begin)) << command[0] << ": " << ended.err;
    EXPECT_NE(ended.err.find("memory"), std::string::npos) << command[0] << ": " << ended.err;
  }
}

}  // namespace
}  // namespace copse::cli_test
