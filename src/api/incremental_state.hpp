// The state of copse::incremental: the structure for its ids, whether these are signed, and the position in its stream.
#pragma once
#include <api/id_batches.hpp>
#include <api/named_incremental.hpp>
#include <api/stream_checkpoint.hpp>
#include <api/wide_incremental.hpp>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>
#include <core/request.hpp>
#include <ids/id_signs.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace copse {
namespace api {
class engine_on_gpu;
}

struct incremental::state {
  template <class Ids, class... Arguments>
  state(const request<incremental_options>& asked, std::in_place_type_t<Ids> which, Arguments&&... arguments)
      : options{asked}, ids{which, asked, std::forward<Arguments>(arguments)...}, open{asked.memory} {}

  /// Calls f with the structure, whatever its type.
  template <class F>
  decltype(auto) with_ids(F f) {
    return std::visit(f, ids);
  }
  template <class F>
  decltype(auto) with_ids(F f) const {
    return std::visit(f, ids);
  }

  [[nodiscard]] unsigned threads() const {
    return with_ids([](const auto& structure) { return structure.threads(); });
  }

  [[nodiscard]] bool is_between_batches(std::uint64_t records) const noexcept { return options.batch == 0 || records % options.batch == 0; }

  [[nodiscard]] std::string place_of(std::size_t record) const { return "stream: record " + std::to_string(at.records + record + 1); }

  /// Throws input_error if a negative id and one above INT64_MAX, which have the same bits, would come together: both in `batch`, or one
  /// there and the other among the ids of the vertices or of the queries that wait for the end of the same batch.
  void check_signs(const io::operation_batch& batch) const {
    ids::id_signs answered_together;
    const auto check = [&](const io::operation_batch& records, auto place_at) {
      const std::size_t negative = records.first_negative(), large = records.first_large();
      for (const bool second : {false, true}) {
        const bool is_negative = (negative < large) != second;
        const std::size_t record = is_negative ? negative : large;
        if (record == records.size()) continue;
        const auto [u, v] = records.pairs()[record];
        const std::uint64_t id = has_sign_bit(u) ? u : v;
        const auto place = [&] { return place_at(record); };
        signs.check(id, is_negative, place);
        answered_together.expect(id, is_negative, place);
      }
    };
    if (!is_between_batches(at.records)) check(open, [](std::size_t) { return std::string{"a query of the same batch"}; });
    check(batch, [this](std::size_t record) { return place_of(record); });
  }

  /// Notes whether ids of inserts are signed; queries make no vertices, so they do not count. Precondition: check_signs() of the same
  /// batch.
  void note_signs(const io::operation_batch& batch) {
    for (std::size_t i = std::min(batch.first_negative(), batch.first_large()); i < batch.size(); ++i) {
      const auto [u, v] = batch.pairs()[i];
      if (batch.kinds()[i] == operation::query || !has_sign_bit(u | v)) continue;
      note_sign(has_sign_bit(u) ? u : v, batch.any_negative(), [&] { return place_of(i); });
      return;
    }
  }

  /// Notes that an id with the sign bit was inserted, which is negative if `is_negative`, and otherwise above INT64_MAX. Throws input_error
  /// if an id of the other sign was inserted before; place() returns where the id stands, for the error.
  template <class Place>
  void note_sign(std::uint64_t id, bool is_negative, Place place) {
    signs.expect(id, is_negative, place);
    if (is_negative) with_ids([](auto& structure) { structure.ids_are_signed(); });
  }

  void expect_whole_batch(const std::string& call) const {
    if (is_between_batches(at.records)) return;
    throw usage_error{call + " cannot be used while a batch of the stream is incomplete; apply all of its " +
                      std::to_string(options.batch) + " records first"};
  }

  template <class Batch>
  void insert(const Batch& edges) {
    expect_whole_batch("insert");
    if (edges.size() == 0) return;
    with_ids([&](auto& structure) {
      const api::id_spread seen = structure.look_at(edges);
      if (seen.has_sign_bit()) {
        if (const auto id = id_with_sign_bit_in(edges)) note_sign(id->id, Batch::is_signed, [&] { return "insert: " + id->place; });
      }
      structure.insert(edges, seen);
    });
  }
  template <class Batch>
  query_answers connected(const Batch& queries) {
    expect_whole_batch("connected");
    if (const auto id = id_with_sign_bit_in(queries)) signs.check(id->id, Batch::is_signed, [&] { return "connected: " + id->place; });
    return with_ids([&](auto& structure) { return structure.connected(queries); });
  }
  template <class Batch>
  query_answers apply(const Batch& batch, std::span<const operation> kinds, mixing how) {
    expect_whole_batch("apply");
    if (const auto first = id_with_sign_bit_in(batch)) {
      signs.check(first->id, Batch::is_signed, [&] { return "apply: " + first->place; });
      const auto is_insert = [kinds](std::size_t i) { return kinds[i] == operation::insert; };
      if (const auto id = id_with_sign_bit_in(batch, is_insert)) note_sign(id->id, Batch::is_signed, [&] { return "apply: " + id->place; });
    }
    return with_ids([&](auto& structure) { return structure.apply(batch, kinds, how); });
  }

  /// Returns the structure on a GPU; from then on its ids index an array. Throws usage_error if it is not on a GPU, or if its ids cannot
  /// index an array. Exists only in builds with the GPU part.
  [[nodiscard]] api::engine_on_gpu& on_gpu(const std::string& call);

  /// Opens a saved file. `goes_on`: the file must be a checkpoint, whose stream is to be continued.
  static std::unique_ptr<state> read(const std::filesystem::path& file, bool goes_on, const request<incremental_options>& asked);
  /// Reads the names of the vertices, and the position of the stream if it goes on, from the extra bytes of a file.
  void restore(std::span<const std::byte> bytes, const std::string& name, bool goes_on);

  struct placed_id {
    std::uint64_t id;
    std::string place;
  };
  template <class Batch>
  [[nodiscard]] std::optional<placed_id> id_with_sign_bit_in(const Batch& batch) const {
    if constexpr (std::same_as<typename Batch::id, std::string_view>) {
      return std::nullopt;
    } else {
      return placed(batch, api::first_with_sign_bit(batch, threads()));
    }
  }
  template <class Batch, class Counts>
  [[nodiscard]] std::optional<placed_id> id_with_sign_bit_in(const Batch& batch, Counts counts) const {
    if constexpr (std::same_as<typename Batch::id, std::string_view>) {
      return std::nullopt;
    } else {
      std::size_t i = 0;
      while (i < batch.size() && !(counts(i) && has_sign_bit(batch[i].u | batch[i].v))) ++i;
      return placed(batch, i);
    }
  }
  template <class Batch>
  [[nodiscard]] static std::optional<placed_id> placed(const Batch& batch, std::size_t i) {
    if (i == batch.size()) return std::nullopt;
    const auto [u, v] = batch[i];
    const bool second = !has_sign_bit(u);
    return placed_id{second ? v : u, Batch::place(i, second)};
  }

  request<incremental_options> options;
  ids::id_signs signs;  ///< the signs of the ids of vertices
  std::variant<api::named_incremental, api::wide_incremental> ids;
  stream_position at;
  api::record_sum applied;  ///< the checksum of all records that were applied
  api::record_sum replayed;
  std::uint64_t replayed_records = 0;
  io::operation_batch open;     ///< the queries of the current batch, while it is incomplete
  std::size_t open_before = 0;  ///< how many queries of the incomplete batch there were before the last apply()
};

}  // namespace copse
