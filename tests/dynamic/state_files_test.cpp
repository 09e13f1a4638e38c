// The files of states: which of them the folder has after each step of writing one, and what readers see while a writer drops them.
#include <gtest/gtest.h>
#include <copse/dynamic.hpp>
#include <copse/errors.hpp>
#include <dynamic/batch_store.hpp>

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dynamic/stored.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

using dynamics::batch_store;
using dynamics::byte_sink;
using dynamics::byte_source;
using dynamics::database_access;
using sparse = basic_dynamic<std::uint64_t>;
using names = std::vector<std::string>;

/// The names of the files of states in a folder, sorted.
names states_in(const std::filesystem::path& folder) {
  names found;
  for (const auto& entry : std::filesystem::directory_iterator{folder})
    if (const std::string name = entry.path().filename(); name.starts_with("state.")) found.push_back(name);
  std::sort(found.begin(), found.end());
  return found;
}

/// A store of batches and states that are texts.
class texts {
public:
  explicit texts(const std::filesystem::path& folder, database_access access = database_access::write)
      : store{folder, access, durability::full} {
    if (!store.described()) store.describe({"header", ""});
  }
  void put_batches(std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t number = first; number <= last; ++number) store.append(number, "batch", {});
  }
  void put_state(std::uint64_t number, std::uint64_t history, const std::string& text) {
    store.put_state(number, history, [&](byte_sink& to) { to.bytes(text); }, {number, number + 1, [](std::uint64_t) { return "log"; }});
  }
  void finish_state(std::uint64_t number, std::uint64_t history) {
    store.finish_state(history, {number, number + 1, [](std::uint64_t) { return "log"; }});
  }
  std::string state(std::uint64_t number, std::size_t size) {
    std::string text(size, ' ');
    store.read_state(number, [&](byte_source& from) { from.bytes(text.data(), size); });
    return text;
  }
  batch_store store;
};

TEST(dynamic_state_files, are_those_that_the_history_needs) {
  NEEDS_STORE;
  const temporary_folder folder;
  texts writer{folder / "g"};
  for (std::uint64_t batch = 1; batch <= 6; ++batch) {
    writer.put_batches(batch, batch);
    writer.put_state(batch, 4, "state " + std::to_string(batch));
  }
  EXPECT_EQ(states_in(folder / "g"), (names{"state.1.sqlite", "state.4.sqlite", "state.6.sqlite"}));
  EXPECT_EQ(writer.store.horizon(), 1u);
  for (const std::uint64_t batch : {1, 4, 6}) EXPECT_EQ(writer.state(batch, 7), "state " + std::to_string(batch));
  writer.put_batches(7, 20);
  writer.put_state(20, 4, "state 20");
  EXPECT_EQ(states_in(folder / "g"), (names{"state.20.sqlite", "state.6.sqlite"}));
  writer.put_batches(21, 21);
  writer.put_state(21, 0, "state 21");
  EXPECT_EQ(states_in(folder / "g"), names{"state.21.sqlite"});
}

TEST(dynamic_state_files, one_that_is_there_is_not_written_again) {
  NEEDS_STORE;
  const temporary_folder folder;
  texts writer{folder / "g"};
  writer.put_batches(1, 3);
  writer.put_state(3, 1, "first");
  writer.put_state(3, 1, "other");
  EXPECT_EQ(writer.state(3, 5), "first");
  sparse graph = sparse::open(folder / "h");
  graph.compact();
  EXPECT_EQ(states_in(folder / "h"), names{}) << "an empty graph needs no state";
  graph.insert(1, 2);
  graph.compact();
  const auto before = std::filesystem::last_write_time(folder / "h/state.1.sqlite");
  graph.compact();
  EXPECT_EQ(std::filesystem::last_write_time(folder / "h/state.1.sqlite"), before);
}

TEST(dynamic_state_files, are_written_while_batches_are_appended_and_count_when_they_are_finished) {
  NEEDS_STORE;
  const temporary_folder folder;
  std::optional<texts> writer{folder / "g"};
  writer->put_batches(1, 3);
  writer->store.begin_state(3, {"th", "ree"});
  writer->put_batches(4, 5);
  EXPECT_EQ(writer->store.newest_state(UINT64_MAX), 0u);
  writer->finish_state(3, 1);
  EXPECT_FALSE(writer->store.has_state_ahead());
  EXPECT_EQ(writer->store.newest_state(UINT64_MAX), 3u);
  EXPECT_EQ(writer->state(3, 5), "three");
  EXPECT_EQ(writer->store.read_log(3), "log");
  EXPECT_EQ(texts(folder / "g", database_access::read).state(3, 5), "three");
  writer->store.begin_state(5, {"five"});
  writer.reset();
  EXPECT_EQ(states_in(folder / "g"), (names{"state.3.sqlite", "state.5.sqlite"})) << "whole, but nothing names it";
  EXPECT_EQ(texts(folder / "g", database_access::read).store.newest_state(UINT64_MAX), 3u);
  writer.emplace(folder / "g");
  EXPECT_EQ(states_in(folder / "g"), names{"state.3.sqlite"});
  std::filesystem::create_directories(folder / "g/state.5.sqlite/full");  // no file can have this name
  writer->store.begin_state(5, {"five"});
  writer->put_batches(6, 6);
  EXPECT_NE(thrown<uncommitted_batch>([&] { writer->finish_state(5, 1); }).find("the state as of batch 5"), std::string::npos);
  EXPECT_FALSE(writer->store.has_state_ahead());
  writer->put_state(6, 1, "six");
  EXPECT_EQ(writer->state(6, 3), "six");
}

TEST(dynamic_state_files, that_nothing_names_are_removed_by_the_next_writer_and_not_by_readers) {
  NEEDS_STORE;
  const temporary_folder folder;
  { texts{folder / "g"}.put_batches(1, 3); }
  { texts{folder / "g"}.put_state(3, 1, "three"); }
  // A process that ended before it named its file, whole or not, and one that ended before it removed what it had ceased to name.
  std::filesystem::copy_file(folder / "g/state.3.sqlite", folder / "g/state.4.sqlite");
  write_bytes(folder / "g/state.5.sqlite", "SQLite format");
  write_bytes(folder / "g/state.2.sqlite", "");
  for (const char* const other : {"state.sqlite", "state.x.sqlite", "state.7", "states.7.sqlite"}) write_bytes(folder / "g" / other, "");
  const names all = states_in(folder / "g");
  {
    texts reader{folder / "g", database_access::read};
    EXPECT_EQ(reader.store.newest_state(UINT64_MAX), 3u);
    EXPECT_EQ(reader.state(3, 5), "three");
  }
  EXPECT_EQ(states_in(folder / "g"), all);
  texts writer{folder / "g"};
  EXPECT_EQ(states_in(folder / "g"), (names{"state.3.sqlite", "state.7", "state.sqlite", "state.x.sqlite"}));
  EXPECT_EQ(writer.state(3, 5), "three");
}

TEST(dynamic_state_files, a_writer_begins_anew_where_one_ended_before_it_named_its_file) {
  NEEDS_STORE;
  const temporary_folder folder;
  texts writer{folder / "g"};
  writer.put_batches(1, 2);
  const dynamics::state_files files{folder / "g"};
  files.write(2, [](byte_sink& to) { to.bytes(std::string(100'000, 'x')); });
  EXPECT_EQ(writer.store.newest_state(2), 0u);
  writer.put_state(2, 1, "two");
  EXPECT_EQ(writer.state(2, 3), "two");
}

TEST(dynamic_state_files, a_reader_takes_a_newer_one_where_the_writer_drops_the_one_that_it_saw) {
  NEEDS_STORE;
  const temporary_folder folder;
  texts writer{folder / "g"};
  writer.put_batches(1, 2);
  writer.put_state(2, 0, "two");
  texts reader{folder / "g", database_access::read};
  std::vector<std::uint64_t> seen;
  std::string text;
  reader.store.view([&] {
    seen.push_back(reader.store.newest_state(UINT64_MAX));
    if (seen.size() < 3) {
      writer.put_batches(seen.back() + 1, seen.back() + 1);
      writer.put_state(seen.back() + 1, 0, "next");
    }
    text = reader.state(seen.back(), 4);
  });
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{2, 3, 4}));
  EXPECT_EQ(text, "next");
  // Outside a transaction.
  const std::uint64_t newest = reader.store.newest_state(UINT64_MAX);
  writer.put_batches(5, 5);
  writer.put_state(5, 0, "last");
  EXPECT_THROW(reader.state(newest, 4), dynamics::missing_state);
  EXPECT_EQ(reader.state(reader.store.newest_state(UINT64_MAX), 4), "last");
}

TEST(dynamic_state_files, a_reader_goes_on_in_one_that_is_removed_while_it_is_open) {
  NEEDS_STORE;
  const temporary_folder folder;
  texts writer{folder / "g"};
  writer.put_batches(1, 2);
  std::string large(3 * byte_sink::piece_bytes + 5, '\0');
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * 7919 >> 8);
  writer.put_state(2, 0, large);
  texts reader{folder / "g", database_access::read};
  std::string found(large.size(), '\0');
  reader.store.view([&] {
    reader.store.read_state(reader.store.newest_state(UINT64_MAX), [&](byte_source& from) {
      from.bytes(found.data(), 10);
      writer.put_batches(3, 3);
      writer.put_state(3, 0, "next");
      EXPECT_EQ(states_in(folder / "g"), names{"state.3.sqlite"});
      from.bytes(found.data() + 10, found.size() - 10);
    });
  });
  EXPECT_EQ(found, large);
}

TEST(dynamic_state_files, one_that_is_named_and_not_there_is_refused) {
  NEEDS_STORE;
  const temporary_folder folder;
  {
    sparse graph = sparse::open(folder / "g");
    graph.insert(1, 2);
    graph.compact();
  }
  std::filesystem::remove(folder / "g/state.1.sqlite");
  for (const bool read_only : {true, false}) {
    EXPECT_EQ(thrown<input_error>([&] { static_cast<void>(sparse::open(folder / "g", {}, {.read_only = read_only})); }),
              (folder / "g/state.1.sqlite").string() + ": found no file, expected the state as of batch 1");
  }
}

TEST(dynamic_state_files, of_another_batch_are_refused) {
  NEEDS_STORE;
  const temporary_folder folder;
  {
    sparse graph = sparse::open(folder / "g", dynamic_options{.history = 5});
    for (const std::uint64_t v : {1, 2}) {
      graph.insert(v, v + 1);
      graph.compact();
    }
  }
  std::filesystem::rename(folder / "g/state.1.sqlite", folder / "g/state.2.sqlite");
  EXPECT_THROW(static_cast<void>(sparse::open(folder / "g")), input_error);
}

/// Files of this process can have at most `bytes` while this exists, as on a disk that is full.
class file_limit {
public:
  explicit file_limit(std::uint64_t bytes) : handler_{std::signal(SIGXFSZ, SIG_IGN)} {
    getrlimit(RLIMIT_FSIZE, &before_);
    struct rlimit small = before_;
    small.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &small);
  }
  file_limit(const file_limit&) = delete;
  ~file_limit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

private:
  void (*handler_)(int);
  struct rlimit before_ {};
};

std::vector<dynamic_edge<std::uint64_t>> path_from(std::uint64_t first, std::uint64_t edges) {
  std::vector<dynamic_edge<std::uint64_t>> path(edges);
  for (std::uint64_t i = 0; i < edges; ++i) path[i] = {.u = first + i, .v = first + i + 1};
  return path;
}

TEST(dynamic_state_files, a_full_disk_keeps_the_batch_and_leaves_no_part_of_a_state) {
  NEEDS_STORE;
  const temporary_folder folder;
  sparse graph = sparse::open(folder / "g", dynamic_options{.history = 0}), twin;
  const auto insert = [&](std::uint64_t number) {
    graph.insert(path_from(number * 10'000, 10'000));
    twin.insert(path_from(number * 10'000, 10'000));
  };
  for (std::uint64_t number = 0; number < 40; ++number) insert(number);
  graph.compact();
  const names before = states_in(folder / "g");
  {
    // The batches fit, the state does not.
    const file_limit full{std::filesystem::file_size(folder / "g" / before.front()) / 4 * 3};
    insert(40);
    EXPECT_NE(thrown<uncommitted_batch>([&] { graph.compact(); }).find("the state as of batch 41 was not written"), std::string::npos);
    EXPECT_EQ(states_in(folder / "g"), before);
    for (std::uint64_t number = 41; number < 60; ++number) insert(number);
    EXPECT_THROW(graph.compact(), uncommitted_batch);  // it waits for one that is being written
    EXPECT_EQ(states_in(folder / "g"), before) << "those that are written by themselves";
  }
  EXPECT_EQ(sparse::open(folder / "g", {}, {.read_only = true}).last_batch(), 60u);
  for (std::uint64_t number = 60; states_in(folder / "g") == before && number < 200; ++number) insert(number);
  EXPECT_NE(states_in(folder / "g"), before) << "the next attempt is made later";
  EXPECT_EQ(sparse::open(folder / "g", {}, {.read_only = true}).labels(), twin.labels());
}

TEST(dynamic_state_files, a_purge_that_cannot_be_written_leaves_the_states_as_they_were) {
  NEEDS_STORE;
  const temporary_folder folder;
  sparse graph = sparse::open(folder / "g");
  graph.insert(path_from(0, 200'000));
  graph.compact();
  const names before = states_in(folder / "g");
  {
    const file_limit full{std::filesystem::file_size(folder / "g" / before.front()) / 2};
    EXPECT_THROW(graph.purge_vertices(std::vector<std::uint64_t>{7}), uncommitted_batch);
    EXPECT_EQ(states_in(folder / "g"), before);
  }
  EXPECT_EQ(sparse::open(folder / "g", {}, {.read_only = true}).last_batch(), 2u);
  graph.purge_vertices(std::vector<std::uint64_t>{8});
  EXPECT_EQ(states_in(folder / "g"), names{"state.3.sqlite"});
}

TEST(dynamic_state_files, a_purge_says_so_where_an_older_one_cannot_be_removed) {
  NEEDS_STORE;
  const temporary_folder folder;
  sparse graph = sparse::open(folder / "g");
  graph.insert(1, 2);
  std::filesystem::create_directories(folder / "g/state.7.sqlite/full");  // a folder that is not empty stays
  EXPECT_NE(thrown<uncommitted_batch>([&] { graph.purge_vertices(std::vector<std::uint64_t>{1}); }).find("purge again"), std::string::npos);
  std::filesystem::remove_all(folder / "g/state.7.sqlite");
  EXPECT_EQ(graph.purge_vertices(std::vector<std::uint64_t>{1}).number, 3u);
}

TEST(dynamic_state_files, are_read_where_the_file_system_cannot_be_written_to) {
  NEEDS_STORE;
  const temporary_folder folder;
  {
    sparse graph = sparse::open(folder / "g");
    for (std::uint64_t batch = 1; batch <= 3; ++batch) {
      graph.insert(batch, batch + 1);
      if (batch == 2) graph.compact();
    }
  }
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const std::string path = folder / "g";
    constexpr int no_mounts = 77;
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount(path.c_str(), path.c_str(), nullptr, MS_BIND, nullptr) != 0 ||
        mount("none", path.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr) != 0)
      _exit(no_mounts);
    std::string failure;
    try {
      if (std::ofstream{path + "/new"}) _exit(2);
      const sparse graph = sparse::open(path, {}, {.read_only = true});
      _exit(graph.last_batch() == 3 && graph.connected(1, 4) ? 0 : 3);
    } catch (const error& refusal) {
      std::fprintf(stderr, "%s\n", refusal.what());
    }
    _exit(4);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "mounting needs the rights of the superuser";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(dynamic_state_files, a_folder_of_another_version_is_refused_and_left_as_it_is) {
  NEEDS_STORE;
  const temporary_folder folder;
  { sparse::open(folder / "g").insert(1, 2); }
  {
    dynamics::sqlite_database database{(folder / "g/batches.sqlite").string(), database_access::write};
    database.run("UPDATE graph SET version = 2");
  }
  write_bytes(folder / "g/state.1.sqlite", "");
  EXPECT_EQ(thrown<input_error>([&] { static_cast<void>(sparse::open(folder / "g")); }),
            (folder / "g/batches.sqlite").string() + ": found version 2, expected version 3; another version of copse may read it");
  EXPECT_EQ(states_in(folder / "g"), names{"state.1.sqlite"});
}

}  // namespace
}  // namespace copse::test
