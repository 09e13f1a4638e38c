#include <api/named_incremental.hpp>
#include <copse/errors.hpp>
#include <core/parallel.hpp>
#include <core/team.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <functional>
#include <string>

namespace copse::api {
namespace {

using id = named_incremental::id;

constexpr std::size_t fewest_numbered_at_once =
    512;  // records in a block: smaller ones would take the locks of the map for too few ids each

/// True if the ids of a batch have the type that the structure takes; signed ids may still be negative.
template <class Batch>
constexpr bool are_narrow = requires(const Batch& batch) {
  std::span<const edge<id>>{batch.edges};
};

/// Collects the queries, or the inserts, among the records [begin, end): writes the ids of both ends to the array from which `map` takes
/// the ids of its next call, and their positions, less `begin`, to `places`. Returns how many records there are.
template <class Map, class Records>
std::size_t gather(const Records& records, bool queries, std::size_t begin, std::size_t end, Map& map,
                   std::array<std::uint32_t, ids::piece_edges>& places) {
  const auto ends = map.room(worker_number());
  std::size_t count = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (records.is_query(i) != queries) continue;
    const auto [u, v] = records[i];
    ends[2 * count] = u;
    ends[2 * count + 1] = v;
    places[count++] = static_cast<std::uint32_t>(i - begin);
  }
  return count;
}

}  // namespace

template <class Records>
void named_incremental::expect_kind() const {
  if (Records::named == (kind_ == vertex_ids::strings)) return;
  throw usage_error{Records::call()
                        .append(": ids must be ")
                        .append(to_string(kind_))
                        .append(", as before, not ")
                        .append(Records::named ? "strings" : "integers")};
}

template <class Records>
std::span<const edge<id>> named_incremental::numbered(const Records& records) {
  expect_kind<Records>();
  pairs_.resize(records.size());
  if constexpr (Records::named) {
    number_names(*std::get<std::unique_ptr<string_map>>(map_), records);
  } else if (const auto* integers = std::get_if<std::unique_ptr<integer_map>>(&map_)) {
    number_names(**integers, records);
  } else {
    number_integers<id>(records, threads_, std::span{pairs_});
  }
  return pairs_;
}

template <class Records>
std::span<const edge<id>> named_incremental::decided_and_numbered(const Records& records) {
  if constexpr (Records::named) {
    decide(true, {});
  } else if (automatic_) {
    decide(false, spread_of(records, threads_));
  }
  return numbered(records);
}

void named_incremental::number(const io::operation_batch& batch, std::uint64_t first_record) {
  if (batch.named()) {
    decided_and_numbered(operation_records<true>{&batch, first_record});
  } else {
    decided_and_numbered(operation_records<false>{&batch, first_record});
  }
}

template <class Batch>
id_spread named_incremental::look_at(const Batch& edges) {
  narrowed_ = false;
  if constexpr (std::same_as<typename Batch::id, std::string_view>) {
    return {};
  } else if constexpr (are_narrow<Batch>) {
    if (!automatic_ && !Batch::is_signed) return {};
    // The bitwise or of all ids is at least the largest id, and takes a third of the time to compute.
    const std::uint64_t bits = joined_of_blocks<std::bit_or<>>(edges.size(), threads_, [&](std::size_t begin, std::size_t end) {
      id all = 0;
      for (const auto [u, v] : edges.edges.subspan(begin, end - begin)) all |= u | v;
      return std::uint64_t{all};
    });
    const id_spread bound{slots_up_to(bits), edges.size()};
    const bool may_be_negative = Batch::is_signed && bits > INT32_MAX;
    if (!may_be_negative && can_index_an_array() && stays_dense(bound)) return bound;
    return spread_of(edges, threads_, [](std::size_t, std::size_t) {});
  } else {
    if (!can_index_an_array()) return spread_of(edges, threads_, [](std::size_t, std::size_t) {});
    pairs_.resize(edges.size());
    narrowed_ = true;
    return spread_of(edges, threads_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) pairs_[i] = {static_cast<id>(edges[i].u), static_cast<id>(edges[i].v)};
    });
  }
}

template <class Batch>
void named_incremental::insert(const Batch& edges, const id_spread& seen) {
  using records = uniform_records<Batch, false>;
  decide(records::named, seen);
  const bool fit = kind_ == vertex_ids::integers && seen.slots <= no_vertex<id>;
  if constexpr (!records::named && are_narrow<Batch>) {
    if (fit) return live_.insert(edges.edges);  // also excludes negative ids, which are above every 32-bit id when read as unsigned
  }
  live_.insert(fit && narrowed_ ? std::span<const edge<id>>{pairs_} : numbered(records{edges}));
}

template <class Batch>
query_answers named_incremental::connected(const Batch& queries) {
  using records = uniform_records<Batch, true>;
  query_answers answers{queries.size(), options_.memory};
  if (kind_ == vertex_ids::automatic) {
    // As there is no vertex yet, a pair is connected only if its ends are equal. Queries do not decide of which kind ids are.
    for (std::size_t i = 0; i < queries.size(); ++i) {
      if (queries[i].u == queries[i].v) answers.words()[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    return answers;
  }
  constexpr std::size_t whole_words = std::size_t{1} << 30;  // a multiple of 64, so that the answers of a part, a bit each, are whole words
  in_parts(queries, std::min(live_.step(), whole_words), [&](std::size_t first, const Batch& part) {
    const auto words = answers.words().subspan(first / 64, (part.size() + 63) / 64);
    if constexpr (std::same_as<Batch, interleaved_batch<std::uint32_t, edge<id>>>) {
      if (kind_ == vertex_ids::integers) return live_.connected(part.edges, words);
    }
    live_.connected(numbered(records{part}), words);
  });
  return answers;
}

template <class Batch>
query_answers named_incremental::apply(const Batch& batch, std::span<const operation> kinds, mixing how) {
  return live_.apply(decided_and_numbered(mixed_records<Batch>{batch, kinds}), kinds, how);
}

std::optional<id> named_incremental::if_vertex(id number) const {
  return number != no_vertex<id> && live_.contains(number) ? std::optional{number} : std::nullopt;
}

std::optional<id> named_incremental::find(const vertex_id& vertex) const {
  if (vertex.is_string() != (kind_ == vertex_ids::strings)) return std::nullopt;
  if (vertex.is_string()) {
    string_map& strings = *std::get<std::unique_ptr<string_map>>(map_);
    strings.room(0)[0] = vertex.string();
    return if_vertex(strings.find(0, 1)[0]);
  }
  if (has_sign_bit(vertex.integer()) && vertex.is_negative() != signed_) return std::nullopt;
  if (const auto* const integers = std::get_if<std::unique_ptr<integer_map>>(&map_)) {
    (*integers)->room(0)[0] = vertex.integer();
    return if_vertex((*integers)->find(0, 1)[0]);
  }
  return kind_ == vertex_ids::integers && vertex.integer() < no_vertex<id> ? if_vertex(static_cast<id>(vertex.integer())) : std::nullopt;
}

// Numbers the names of inserts first, so that queries of the same batch find them wherever they stand.
template <class Map, class Records>
void named_incremental::number_names(Map& map, const Records& records) {
  // Cuts the batch into several blocks per thread to balance the load.
  const std::size_t block =
      std::clamp<std::size_t>(records.size() / (std::size_t{4} * threads_) + 1, fewest_numbered_at_once, ids::piece_edges);
  const auto in_blocks = [&](bool queries, auto number) {
    parallel_blocks(threads_, records.size(), block, [&](std::size_t begin, std::size_t end) {
      std::array<std::uint32_t, ids::piece_edges> places;
      const std::size_t count = gather(records, queries, begin, end, map, places);
      const auto numbers = number(2 * count);
      for (std::size_t k = 0; k < count; ++k) pairs_[begin + places[k]] = {numbers[2 * k], numbers[2 * k + 1]};
    });
  };
  const bool shared = threads_ > 1;
  in_blocks(false, [&](std::size_t count) { return map.number(worker_number(), count, shared); });
  if (!records.has_queries()) return;
  in_blocks(true, [&](std::size_t count) { return map.find(worker_number(), count); });
  parallel_blocks(threads_, records.size(), records_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!records.is_query(i)) continue;
      edge<id>& pair = pairs_[i];
      const auto [u, v] = records[i];
      if (u == v) {
        pair = itself<id>;
      } else if (pair.u == no_vertex<id> || pair.v == no_vertex<id>) {
        pair = apart<id>;
      }
    }
  });
}

#define COPSE_BATCH(...)                                                                    \
  template id_spread named_incremental::look_at(const __VA_ARGS__& edges);                  \
  template void named_incremental::insert(const __VA_ARGS__& edges, const id_spread& seen); \
  template query_answers named_incremental::connected(const __VA_ARGS__& queries);          \
  template query_answers named_incremental::apply(const __VA_ARGS__& batch, std::span<const operation> kinds, mixing how)
COPSE_BATCH(column_batch<std::int32_t>);
COPSE_BATCH(column_batch<std::uint32_t>);
COPSE_BATCH(column_batch<std::int64_t>);
COPSE_BATCH(column_batch<std::uint64_t>);
COPSE_BATCH(column_batch<std::string_view>);
COPSE_BATCH(interleaved_batch<std::string_view, io::named_edge>);
COPSE_BATCH(interleaved_batch<std::int32_t, edge<std::uint32_t>>);
COPSE_BATCH(interleaved_batch<std::uint32_t, edge<std::uint32_t>>);
COPSE_BATCH(interleaved_batch<std::int64_t, edge<std::uint64_t>>);
COPSE_BATCH(interleaved_batch<std::uint64_t, edge<std::uint64_t>>);
#undef COPSE_BATCH

}  // namespace copse::api
