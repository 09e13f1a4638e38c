// Files appear whole or not at all.
#include "io/binary_harness.hpp"
#include "io/temporaries.hpp"

#include <copse/io.hpp>

#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>
#include <thread>

namespace {

using namespace copse::testing;
using copse::io::output_file;

TEST(output_file, appears_on_commit_and_not_before) {
  const temporary_folder folder;
  {
    output_file file{folder / "a.txt"};
    file.write("abc", 3);
    EXPECT_FALSE(std::filesystem::exists(folder / "a.txt"));
    file.commit();
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.txt"});
  EXPECT_EQ(read_bytes(folder / "a.txt"), "abc");
}

TEST(output_file, leaves_nothing_without_commit) {
  const temporary_folder folder;
  write_bytes(folder / "a.txt", "old");
  {
    output_file file{folder / "a.txt"};
    file.write("new", 3);
    EXPECT_EQ(folder.names().size(), 2u);
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.txt"});
  EXPECT_EQ(read_bytes(folder / "a.txt"), "old");
}

TEST(output_file, large_and_small_pieces_keep_their_order) {
  const temporary_folder folder;
  std::string expected;
  {
    output_file file{folder / "a"};
    std::mt19937 random{1};
    for (const std::size_t size : {1u, 1'000'000u, 100'000u, 3'000'000u, 5u, 1'048'576u, 0u, 524'288u, 600'000u}) {
      const std::string piece(size, static_cast<char>('a' + random() % 26));
      expected += piece;
      file.write(piece.data(), piece.size());
    }
    file.commit();
  }
  EXPECT_EQ(read_bytes(folder / "a"), expected);
}

TEST(output_file, what_cannot_be_created_is_refused) {
  const temporary_folder folder;
  const auto missing = folder / "no_such_folder";
  try {
    output_file file{missing / "a.txt"};
    FAIL();
  } catch (const copse::input_error& e) {
    EXPECT_EQ(std::string{e.what()}, (missing / "a.txt").string() + ": the folder " + missing.string() + " does not exist");
  }
  EXPECT_THROW(output_file{folder.path()}, copse::input_error);
}

TEST(output_file, a_link_keeps_pointing) {
  const temporary_folder folder;
  write_bytes(folder / "real", "old");
  std::filesystem::create_symlink(folder / "real", folder / "link");
  output_file file{folder / "link"};
  file.write("new", 3);
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_bytes(folder / "real"), "new");
}

TEST(output_file, descriptor_1_is_a_descriptor_like_any_other) {
  const temporary_folder folder;
  const pid_t child = fork();
  if (child == 0) {
    close(STDOUT_FILENO);  // the temporary gets its number
    output_file file{folder / "a"};
    file.write("abc", 3);
    file.commit();
    _exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a"});
  EXPECT_EQ(read_bytes(folder / "a"), "abc");
}

TEST(output_file, a_kill_while_files_are_made_leaves_none) {
  const temporary_folder folder;
  for (int round = 0; round < 200; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      struct sigaction ours {};
      ours.sa_handler = [](int) {
        copse::io::remove_temporaries(true);
        _exit(0);
      };
      sigaction(SIGTERM, &ours, nullptr);
      std::thread other{[&] {
        for (;;) output_file{folder / "b"};
      }};
      for (;;) output_file{folder / "a"};
    }
    usleep(1500 + 37 * static_cast<unsigned>(round));
    kill(child, SIGTERM);
    int status = 1;
    waitpid(child, &status, 0);
    // A signal that came before there was a handler ended a process that had made nothing.
    EXPECT_TRUE(folder.names().empty()) << round << ": " << folder.names().front();
    if (!folder.names().empty()) break;
  }
}

TEST(output_file, a_device_is_written_not_replaced) {
  output_file file{"/dev/null"};
  file.write("abc", 3);
  file.commit();
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(output_file, a_full_disk_is_a_resource_error) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  output_file file{"/dev/full"};
  file.write("abc", 3);
  try {
    file.commit();
    FAIL();
  } catch (const copse::resource_error& e) {
    EXPECT_EQ(std::string{e.what()}, "/dev/full: found No space left on device after 0 bytes, expected room for 3 bytes more");
  }
}

TEST(output_file, a_small_file_system_fills_up_and_is_left_clean) {
  const temporary_folder folder;
  if (mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=1m") != 0) GTEST_SKIP() << "mounting a tmpfs needs root";
  {
    output_file file{folder / "a"};
    const std::string piece(3'000'000, 'x');
    EXPECT_THROW(file.write(piece.data(), piece.size()), copse::resource_error);
  }
  EXPECT_TRUE(folder.names().empty());
  umount(folder.path().c_str());
}

TEST(output_file, the_largest_file_allowed_is_a_resource_error) {
  const temporary_folder folder;
  const pid_t child = fork();
  if (child == 0) {  // the limit cannot be taken back
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1'000'000, 1'000'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    int code = 1;
    try {
      output_file file{folder / "a"};
      const std::string piece(3'000'000, 'x');
      file.write(piece.data(), piece.size());
    } catch (const copse::resource_error&) {
      code = 0;
    }
    _exit(code);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(folder.names().empty());
}

TEST(output_file, remove_temporaries_removes_those_that_are_open) {
  const temporary_folder folder;
  output_file done{folder / "done"};
  done.commit();
  output_file one{folder / "one"};
  output_file two{folder / "two"};
  EXPECT_EQ(folder.names().size(), 3u);
  copse::io::remove_temporaries();
  EXPECT_EQ(folder.names(), std::vector<std::string>{"done"});
}

}  // namespace
