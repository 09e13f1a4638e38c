// The C API of incremental components: edges in batches, with queries in between.
#include <copse/incremental.hpp>
#include <copse/operations.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "c/call.hpp"
#include "c/labels.hpp"
#include "c/tables.hpp"

using namespace copse;
using namespace copse::c;

namespace {

incremental_options solve_options_of(const caller_options& options) { return {.variant = options.solve().variant}; }

std::filesystem::path file_at(const char* path) { return &expect_given(path, "path"); }

}  // namespace

struct copse_incremental {
  explicit copse_incremental(const copse_options* given)
      : options{std::make_shared<caller_options>(given)}, live{solve_options_of(*options), options->on()} {}
  copse_incremental(const std::filesystem::path& path, const copse_options* given)
      : options{std::make_shared<caller_options>(given)}, live{incremental::open(path, solve_options_of(*options), options->on())} {}

  /// Makes id_pairs of two columns; if `are_signed`, 64-bit ids are read as signed integers.
  template <class Id>
  static id_pairs pairs_of(std::span<const Id> sources, std::span<const Id> targets, bool are_signed) {
    if constexpr (std::is_same_v<Id, std::uint64_t>) {
      const auto as_signed = [](std::span<const Id> ids) {
        return std::span{reinterpret_cast<const std::int64_t*>(ids.data()), ids.size()};
      };
      if (are_signed) return {as_signed(sources), as_signed(targets)};
    }
    return {sources, targets};
  }
  template <class Id>
  void insert(std::span<const Id> sources, std::span<const Id> targets, bool are_signed = false) {
    live.insert(pairs_of(sources, targets, are_signed));
  }
  template <class Id>
  void connected(std::span<const Id> sources, std::span<const Id> targets, std::uint8_t* answers, bool are_signed = false) {
    const query_answers bits = live.connected(pairs_of(sources, targets, are_signed));
    for (std::size_t i = 0; i < bits.size(); ++i) answers[i] = bits[i] ? 1 : 0;
  }

  std::shared_ptr<caller_options> options;
  copse::incremental live;
  bool binary = false;
};

copse_status copse_incremental_new(const copse_options* options, copse_incremental** live, copse_error* error) {
  return made(live, "live", error, [&] { return std::make_unique<copse_incremental>(options); });
}

copse_status copse_incremental_open(const char* path, const copse_options* options, copse_incremental** live, copse_error* error) {
  return made(live, "live", error, [&] { return std::make_unique<copse_incremental>(file_at(path), options); });
}

copse_status copse_incremental_save(const copse_incremental* live, const char* path, copse_error* error) {
  return guarded(error, [&] { expect_given(live, "live").live.save(file_at(path)); });
}

copse_status copse_incremental_insert(copse_incremental* live, copse_type type, const void* sources, const void* targets, uint64_t count,
                                      copse_error* error) {
  return guarded(error, [&] {
    copse_incremental& to = expect_given(live, "live");
    with_columns(type, sources, targets, count, [&](auto from, auto with) { to.insert(from, with); });
  });
}

copse_status copse_incremental_insert_stream(copse_incremental* live, struct ArrowArrayStream* from, const copse_table* table,
                                             copse_table_counts* counts, copse_error* error) {
  return guarded(error, [&] {
    given_table given{from};
    copse_incremental& to = expect_given(live, "live");
    const arrow::row_rules rules = given.rules(table, false);
    to.binary |= has_binaries(rules);
    tell_counts(counts, take_rows(given, rules, to.options->watcher(), [&](auto sources, auto targets, const arrow::taken_facts& facts) {
                  to.insert(sources, targets, facts.are_signed);
                }));
  });
}

copse_status copse_incremental_connected(copse_incremental* live, copse_type type, const void* sources, const void* targets, uint64_t count,
                                         uint8_t* answers, copse_error* error) {
  return guarded(error, [&] {
    array_of(answers, count, "answers");
    copse_incremental& from = expect_given(live, "live");
    with_columns(type, sources, targets, count, [&](auto queried, auto with) { from.connected(queried, with, answers); });
  });
}

copse_status copse_incremental_connected_stream(copse_incremental* live, struct ArrowArrayStream* from, const copse_table* table,
                                                uint64_t count, uint8_t* answers, copse_error* error) {
  return guarded(error, [&] {
    given_table given{from};
    copse_incremental& to = expect_given(live, "live");
    array_of(answers, count, "answers");
    const arrow::row_rules rules = given.rules(table, false);
    if (rules.nulls.drop || rules.threshold || rules.ids.size() != 2) {
      throw usage_error{"table: each row gets an answer, so drop_nulls, a threshold and vertices_only cannot be used"};
    }
    std::uint64_t done = 0;
    const auto refuse = [count](const std::string& found) {
      throw usage_error{"count must be the number of rows: there are " + found + " rows for " + std::to_string(count) + " answers"};
    };
    take_rows(given, rules, to.options->watcher(), [&](auto sources, auto targets, const arrow::taken_facts& facts) {
      if (sources.size() > count - done) refuse("more");
      to.connected(sources, targets, answers + done, facts.are_signed);
      done += sources.size();
    });
    if (done != count) refuse(std::to_string(done));
  });
}

void copse_incremental_count(const copse_incremental* live, uint64_t* vertices, uint64_t* components) {
  if (vertices != nullptr) *vertices = live == nullptr ? 0 : live->live.vertices();
  if (components != nullptr) *components = live == nullptr ? 0 : live->live.count();
}

copse_status copse_incremental_labels(copse_incremental* live, copse_labels** labels, copse_error* error) {
  return made(labels, "labels", error, [&] {
    copse_incremental& from = expect_given(live, "live");
    return labels_handle(from.options, from.live.labels(), from.binary);
  });
}

void copse_incremental_free(copse_incremental* live) { delete live; }
