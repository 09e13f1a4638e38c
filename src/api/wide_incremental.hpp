// Edges and queries with 64-bit integer ids that index an array: for more vertices than named_incremental can number.
#pragma once
#include <api/dense_incremental.hpp>
#include <api/id_records.hpp>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>
#include <core/request.hpp>

#include <cstdint>
#include <filesystem>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copse::api {

/// A structure of 64-bit ids, with the same functions as named_incremental.
class wide_incremental {
public:
  using id = std::uint64_t;

  wide_incremental(const request<incremental_options>& options, dense_incremental<id> live)
      : threads_{usable_threads(options.threads)}, live_{std::move(live)}, pairs_{options.memory} {
    if (options.ids > vertex_ids::integers) {
      throw usage_error{
          "incremental: with 2^32 - 1 vertices or more, ids must be integers that index an array; use ids integers or automatic"};
    }
  }

  void number(const io::operation_batch& batch, std::uint64_t first_record) {
    if (batch.named()) refuse_strings("stream");
    pairs_.resize(batch.size());
    number_integers<id>(operation_records<false>{&batch, first_record}, threads_, std::span{pairs_});
  }
  query_answers apply_numbered(std::span<const operation> kinds, mixing how) { return live_.apply(pairs_, kinds, how); }
  query_answers connected_numbered(std::size_t count) { return live_.connected(std::span{pairs_}.first(count)); }

  template <class Batch>
  [[nodiscard]] id_spread look_at(const Batch& edges) const {
    if constexpr (std::same_as<typename Batch::id, std::string_view>) {
      return {};
    } else {
      return spread_of(edges, threads_, [](std::size_t, std::size_t) {});
    }
  }
  template <class Batch>
  void insert(const Batch& edges, const id_spread& /*seen*/) {
    if constexpr (std::same_as<Batch, interleaved_batch<id, edge<id>>>) return live_.insert(edges.edges);
    live_.insert(numbered(uniform_records<Batch, false>{edges}));
  }
  template <class Batch>
  query_answers connected(const Batch& queries) {
    return live_.connected(numbered(uniform_records<Batch, true>{queries}));
  }
  template <class Batch>
  query_answers apply(const Batch& batch, std::span<const operation> kinds, mixing how) {
    return live_.apply(numbered(mixed_records<Batch>{batch, kinds}), kinds, how);
  }
  [[nodiscard]] std::optional<id> find(const vertex_id& vertex) const {
    const bool can_exist = !vertex.is_string() && !vertex.is_negative() && vertex.integer() != no_vertex<id>;
    return can_exist && live_.contains(vertex.integer()) ? std::optional{vertex.integer()} : std::nullopt;
  }

  [[nodiscard]] dense_incremental<id>& live() noexcept { return live_; }
  [[nodiscard]] const dense_incremental<id>& live() const noexcept { return live_; }
  [[nodiscard]] static vertex_ids kind() noexcept { return vertex_ids::integers; }
  [[nodiscard]] static bool can_index_an_array() noexcept { return true; }
  static void index_an_array() noexcept {}
  [[nodiscard]] static bool is_signed() noexcept { return false; }
  static void ids_are_signed() noexcept {}
  [[nodiscard]] unsigned threads() const noexcept { return threads_; }
  [[nodiscard]] labelling labels() const { return live_.labels(); }
  [[nodiscard]] static bool is_automatic() noexcept { return false; }
  [[nodiscard]] static std::uint64_t names() noexcept { return 0; }
  [[nodiscard]] static std::uint64_t id_with_sign_bit() noexcept { return 0; }
  void save(const std::filesystem::path& file, const std::pmr::vector<std::byte>& beside) const { live_.save(file, beside); }
  [[nodiscard]] static std::string restore(vertex_ids kind, bool /*automatic*/, std::span<const std::byte>& /*bytes*/,
                                           std::uint64_t count) {
    return count == 0 && kind == vertex_ids::integers ? "" : "names that do not fit the structure";
  }

private:
  [[noreturn]] static void refuse_strings(const std::string& call) {
    throw usage_error{call + ": ids must be integers as before, not strings"};
  }
  template <class Records>
  std::span<const edge<id>> numbered(const Records& records) {
    if constexpr (Records::named) {
      refuse_strings(Records::call());
    } else {
      pairs_.resize(records.size());
      number_integers<id>(records, threads_, std::span{pairs_});
      return pairs_;
    }
  }

  unsigned threads_;
  dense_incremental<id> live_;
  std::pmr::vector<edge<id>> pairs_;
};

}  // namespace copse::api
