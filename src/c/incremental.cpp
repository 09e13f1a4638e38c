// Edges in batches, with questions in between.
#include <copse/live_stream.hpp>
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

constexpr std::size_t pairs_at_once = std::size_t{1} << 17;

live_stream_options stream_options(const caller_options& options) { return {.live = {.variant = options.solve().variant}}; }

std::filesystem::path file_at(const char* path) { return &expect_given(path, "path"); }

}  // namespace

struct copse_incremental {
  explicit copse_incremental(const copse_options* given)
      : options{std::make_shared<caller_options>(given)}, live{stream_options(*options), options->on()}, batch{options->on().memory} {}
  copse_incremental(const std::filesystem::path& path, const copse_options* given)
      : options{std::make_shared<caller_options>(given)},
        live{live_stream::resume(path, stream_options(*options), options->on())},
        batch{options->on().memory} {}

  /// Pairs of integers or strings as inserts, or as queries, whose answers go to `answers`.
  template <class Id>
  void apply(operation kind, std::span<const Id> sources, std::span<const Id> targets, std::uint8_t* answers,
             bool are_signed = std::is_signed_v<Id>) {
    for (std::size_t begin = 0; begin < sources.size(); begin += pairs_at_once) {
      const std::size_t end = std::min(begin + pairs_at_once, sources.size());
      batch.clear(std::is_same_v<Id, std::string_view>);
      batch.reserve(end - begin);
      for (std::size_t i = begin; i < end; ++i) {
        if constexpr (std::is_same_v<Id, std::string_view>) {
          batch.add(kind, io::named_edge{sources[i], targets[i]});
        } else {
          batch.add(kind, edge<std::uint64_t>{static_cast<std::uint64_t>(sources[i]), static_cast<std::uint64_t>(targets[i])}, are_signed);
        }
      }
      const query_answers bits = live.apply(batch);
      if (answers == nullptr) continue;
      for (std::size_t i = begin; i < end; ++i) answers[i] = bits[i - begin] ? 1 : 0;
    }
  }

  void apply(operation kind, copse_type type, const void* sources, const void* targets, std::uint64_t count, std::uint8_t* answers) {
    with_columns(type, sources, targets, count, [&](auto from, auto to) { apply(kind, from, to, answers); });
  }

  std::shared_ptr<caller_options> options;
  live_stream live;
  io::operation_batch batch;
  bool binary = false;
};

copse_status copse_incremental_new(const copse_options* options, copse_incremental** live, copse_error* error) {
  return made(live, "live", error, [&] { return std::make_unique<copse_incremental>(options); });
}

copse_status copse_incremental_open(const char* path, const copse_options* options, copse_incremental** live, copse_error* error) {
  return made(live, "live", error, [&] { return std::make_unique<copse_incremental>(file_at(path), options); });
}

copse_status copse_incremental_save(const copse_incremental* live, const char* path, copse_error* error) {
  return guarded(error, [&] { expect_given(live, "live").live.checkpoint(file_at(path)); });
}

copse_status copse_incremental_insert(copse_incremental* live, copse_type type, const void* sources, const void* targets, uint64_t count,
                                      copse_error* error) {
  return guarded(error, [&] { expect_given(live, "live").apply(operation::insert, type, sources, targets, count, nullptr); });
}

copse_status copse_incremental_insert_stream(copse_incremental* live, struct ArrowArrayStream* from, const copse_table* table,
                                             copse_table_counts* counts, copse_error* error) {
  return guarded(error, [&] {
    given_table given{from};
    copse_incremental& to = expect_given(live, "live");
    const arrow::row_rules rules = given.rules(table, false);
    to.binary |= has_binaries(rules);
    tell_counts(counts, take_rows(given, rules, to.options->watcher(), [&](auto sources, auto targets, const arrow::taken_facts& facts) {
                  to.apply(operation::insert, sources, targets, nullptr, facts.are_signed);
                }));
  });
}

copse_status copse_incremental_connected(copse_incremental* live, copse_type type, const void* sources, const void* targets, uint64_t count,
                                         uint8_t* answers, copse_error* error) {
  return guarded(error, [&] {
    array_of(answers, count, "answers");
    expect_given(live, "live").apply(operation::query, type, sources, targets, count, answers);
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
      throw usage_error{
          "table: found rows that may be left out, expected an answer for each: neither drop_nulls, a threshold nor vertices_only"};
    }
    std::uint64_t done = 0;
    const auto refuse = [count](const std::string& found) {
      throw usage_error{"count: found " + std::to_string(count) + " answers and " + found + " rows, expected as many"};
    };
    take_rows(given, rules, to.options->watcher(), [&](auto sources, auto targets, const arrow::taken_facts& facts) {
      if (sources.size() > count - done) refuse("more");
      to.apply(operation::query, sources, targets, answers + done, facts.are_signed);
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
