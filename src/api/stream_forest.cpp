#include <api/stream_checkpoint.hpp>
#include <api/stream_forest.hpp>
#include <copse/errors.hpp>
#include <core/parallel.hpp>
#include <core/team.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <concepts>
#include <string>
#include <utility>

namespace copse::api {
namespace {

using id = stream_forest::id;

constexpr std::uint64_t worth_threads = 4096;  // records in a batch
constexpr std::uint64_t few_slots = std::uint64_t{1} << 22;
constexpr std::uint64_t slots_per_sparse_vertex = 12;  // from here on a map is smaller, by far
constexpr std::uint64_t slots_per_dense_vertex = 6;    // up to here an array is, by far

// Queries that need no structure: a vertex with itself, and one that does not exist with another.
constexpr edge<id> itself{0, 0}, apart{no_vertex<id>, 0};

/// Those of 2^64 - 1 have no number; negative ids have as many.
constexpr std::uint64_t slots_up_to(std::uint64_t largest) noexcept { return largest == UINT64_MAX ? largest : largest + 1; }

struct spread {
  std::uint64_t slots = 0;  ///< up to the largest id of the inserts
  std::uint64_t inserts = 0;
};

constexpr std::size_t records_per_block = std::size_t{1} << 15;  // where a thread does little with each

// Records by position, of a batch of operations or of a caller's ids of one column type. All say whether ids are named, what is an insert,
// and where a record stands.
template <bool Named>
struct operation_records {
  static constexpr bool named = Named;

  const io::operation_batch* batch;
  std::uint64_t first_record;

  [[nodiscard]] std::size_t size() const noexcept { return batch->size(); }
  [[nodiscard]] bool is_query(std::size_t i) const noexcept { return batch->kinds()[i] == operation::query; }
  [[nodiscard]] bool has_queries() const { return std::ranges::find(batch->kinds(), operation::query) != batch->kinds().end(); }
  [[nodiscard]] auto operator[](std::size_t i) const noexcept {
    if constexpr (Named) {
      return batch->names(i);
    } else {
      return batch->pairs()[i];
    }
  }
  [[nodiscard]] bool any_negative() const noexcept { return batch->any_negative(); }
  [[nodiscard]] static std::string call() { return "stream"; }
  [[nodiscard]] std::string place(std::size_t i, bool /*second*/) const { return "stream: record " + std::to_string(first_record + i); }
};

template <class Batch, bool Queries>
struct records_of {
  static constexpr bool named = std::same_as<typename Batch::id, std::string_view>;

  Batch batch;

  [[nodiscard]] std::size_t size() const noexcept { return batch.size(); }
  [[nodiscard]] static bool is_query(std::size_t /*i*/) noexcept { return Queries; }
  [[nodiscard]] static bool has_queries() noexcept { return Queries; }
  [[nodiscard]] auto operator[](std::size_t i) const { return batch[i]; }
  [[nodiscard]] static bool any_negative() noexcept { return std::signed_integral<typename Batch::id>; }
  [[nodiscard]] static std::string call() { return Queries ? "connected" : "insert"; }
  [[nodiscard]] std::string place(std::size_t i, bool second) const { return call() + ": " + Batch::place(i, second); }
};

template <class Records>
spread spread_of(const Records& records, unsigned threads) {
  std::atomic<std::uint64_t> slots{0}, inserts{0};
  parallel_blocks(threads, records.size(), records_per_block, [&](std::size_t begin, std::size_t end) {
    spread found;
    for (std::size_t i = begin; i < end; ++i) {
      if (records.is_query(i)) continue;
      const auto [u, v] = records[i];
      found.slots = std::max(found.slots, slots_up_to(std::max(u, v)));
      ++found.inserts;
    }
    inserts.fetch_add(found.inserts, std::memory_order_relaxed);
    std::uint64_t seen = slots.load(std::memory_order_relaxed);
    while (seen < found.slots && !slots.compare_exchange_weak(seen, found.slots, std::memory_order_relaxed)) {
    }
  });
  return {slots.load(), inserts.load()};
}

bool is_sparse(std::uint64_t slots, std::uint64_t vertices) {
  return slots > no_vertex<id> || slots > std::max(few_slots, slots_per_sparse_vertex * vertices);
}

/// The queries, or the inserts, among some of the records, and the ends of their pairs in the room of a map.
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

bool is_dense(std::uint64_t slots, std::uint64_t vertices) { return slots <= no_vertex<id> && slots <= slots_per_dense_vertex * vertices; }

}  // namespace

std::string_view to_string(stream_vertices kind) noexcept {
  switch (kind) {
    case stream_vertices::automatic:
      return "auto";
    case stream_vertices::integers:
      return "int";
    case stream_vertices::sparse:
      return "sparse";
    case stream_vertices::strings:
      return "string";
  }
  return {};
}

// Batches that no second thread would help with are quicker by the variant of one thread, which swaps nothing.
execution stream_forest::execution_for(const request<live_stream_options>& options) {
  execution on = options.on();
  if (options.live.variant == "auto" && options.batch != 0 && options.batch < worth_threads) on.threads = 1;
  return on;
}

stream_forest::stream_forest(const request<live_stream_options>& options, incremental live)
    : options_{options},
      threads_{usable_threads(execution_for(options).threads)},
      live_{std::move(live)},
      pairs_{options.memory},
      automatic_{options.vertices == stream_vertices::automatic} {
  become(options.vertices);
}

void stream_forest::become(stream_vertices kind) {
  kind_ = kind;
  if (kind == stream_vertices::sparse) map_ = new_integer_map();
  if (kind == stream_vertices::strings) map_ = std::make_unique<string_map>(threads_, options_.memory);
}

void stream_forest::index_an_array() {
  if (!can_index_an_array()) {
    throw usage_error{std::string{"incremental: found ids that are "}
                          .append(to_string(kind_))
                          .append(", expected integers that index an array where vertices are declared or a forest is recorded")};
  }
  kind_ = stream_vertices::integers;
  if (options_.live.record_forest) automatic_ = false;
}

std::span<const edge<id>> stream_forest::numbered(const io::operation_batch& batch, std::uint64_t first_record) {
  if (batch.named()) return number(operation_records<true>{&batch, first_record});
  return number(operation_records<false>{&batch, first_record});
}

template <class Records>
std::span<const edge<id>> stream_forest::number(const Records& records) {
  if (automatic_) decide(records);
  if (Records::named != (kind_ == stream_vertices::strings)) {
    throw usage_error{Records::call()
                          .append(Records::named ? ": found strings" : ": found integers")
                          .append(", expected ids as before: ")
                          .append(to_string(kind_))};
  }
  pairs_.resize(records.size());
  if constexpr (Records::named) {
    number_names(*std::get<std::unique_ptr<string_map>>(map_), records);
  } else if (const auto* integers = std::get_if<std::unique_ptr<integer_map>>(&map_)) {
    number_names(**integers, records);
  } else {
    number_integers(records);
  }
  return pairs_;
}

template <class Batch>
void stream_forest::insert(const Batch& edges) {
  const records_of<Batch, false> records{edges};
  if constexpr (std::same_as<Batch, interleaved_batch<id, edge<id>>>) {
    if (automatic_) decide(records);
    if (kind_ == stream_vertices::integers) return live_.insert(edges.edges);
  } else if constexpr (std::same_as<Batch, interleaved_batch<std::int32_t, edge<id>>>) {
    if (first_with_sign_bit(edges, threads_) == edges.size()) return insert(interleaved_batch<std::uint32_t, edge<id>>{edges.edges});
  }
  live_.insert(number(records));
}

template <class Batch>
query_answers stream_forest::connected(const Batch& queries) {
  const records_of<Batch, true> records{queries};
  if (kind_ != stream_vertices::automatic) return live_.connected(number(records));
  // There is no vertex yet, and queries do not decide what ids are.
  query_answers answers{records.size(), options_.memory};
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records[i].u == records[i].v) answers.words()[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  return answers;
}

std::optional<id> stream_forest::if_vertex(id number) const {
  return number != no_vertex<id> && live_.contains(number) ? std::optional{number} : std::nullopt;
}

std::optional<id> stream_forest::find(std::uint64_t vertex, bool negative) {
  if (has_sign_bit(vertex) && negative != signed_) return std::nullopt;
  if (auto* const integers = std::get_if<std::unique_ptr<integer_map>>(&map_)) {
    (*integers)->room(0)[0] = vertex;
    return if_vertex((*integers)->find(0, 1)[0]);
  }
  return kind_ == stream_vertices::integers && vertex < no_vertex<id> ? if_vertex(static_cast<id>(vertex)) : std::nullopt;
}

std::optional<id> stream_forest::find(std::string_view vertex) {
  auto* const strings = std::get_if<std::unique_ptr<string_map>>(&map_);
  if (strings == nullptr) return std::nullopt;
  (*strings)->room(0)[0] = vertex;
  return if_vertex((*strings)->find(0, 1)[0]);
}

template <class Records>
void stream_forest::decide(const Records& records) {
  if (kind_ == stream_vertices::automatic) become(Records::named ? stream_vertices::strings : stream_vertices::integers);
  if constexpr (!Records::named) decide_on_integers(records);
}

template <class Records>
void stream_forest::decide_on_integers(const Records& records) {
  if (kind_ == stream_vertices::strings) return;
  const auto [slots, inserts] = spread_of(records, threads_);
  const std::uint64_t at_most = live_.vertices() + 2 * inserts;
  if (kind_ == stream_vertices::integers) {
    if (is_sparse(std::max<std::uint64_t>(slots, live_.slots()), at_most)) to_sparse();
  } else {
    const integer_map& map = *std::get<std::unique_ptr<integer_map>>(map_);
    const std::uint64_t all_slots = std::max(slots, map.size() == 0 ? 0 : slots_up_to(map.largest()));
    if (is_dense(all_slots, live_.vertices())) to_integers(all_slots);
  }
}

// Numbers ascend as the ids do, so the smallest vertex of a component stays the smallest.
void stream_forest::to_sparse() {
  auto* const memory = options_.memory;
  buffer<id> number_of{live_.slots(), memory};  // first the labels
  live_.labels(number_of.span());
  auto map = new_integer_map();
  map->reserve(live_.vertices());
  buffer<id> renamed{live_.vertices(), memory};
  const auto room = map->room(0);
  id count = 0;
  for (std::uint64_t v = 0; v < number_of.size(); ++v) {
    if (number_of[v] == no_vertex<id>) continue;
    // A label is a vertex before this one, or this one: its number is known.
    renamed[count] = number_of[v] == v ? count : number_of[number_of[v]];
    number_of[v] = count;
    room[count++ % room.size()] = v;
    if (count % room.size() == 0) static_cast<void>(map->adopt(room.size()));
  }
  static_cast<void>(map->adopt(count % room.size()));
  live_ = incremental{labelling{std::move(renamed), vertex_names::identity(count)}, options_.live, execution_for(options_)};
  map_ = std::move(map);
  kind_ = stream_vertices::sparse;
}

void stream_forest::to_integers(std::uint64_t slots) {
  auto* const memory = options_.memory;
  const labelling now = live_.labels();
  const auto& labels = std::get<buffer<id>>(now.labels());
  const integer_map& map = *std::get<std::unique_ptr<integer_map>>(map_);
  buffer<id> least{labels.size(), memory}, renamed{slots, memory};
  std::fill(least.begin(), least.end(), no_vertex<id>);
  std::fill(renamed.begin(), renamed.end(), no_vertex<id>);
  const auto for_each_vertex = [&](auto visit) {
    map.for_each([&](std::uint64_t own, id number) {
      if (number < labels.size() && labels[number] != no_vertex<id>) visit(static_cast<id>(own), least[labels[number]]);
    });
  };
  for_each_vertex([](id own, id& smallest) { smallest = std::min(smallest, own); });
  for_each_vertex([&](id own, id smallest) { renamed[own] = smallest; });
  live_ = incremental{labelling{std::move(renamed), vertex_names::identity(slots)}, options_.live, execution_for(options_)};
  map_ = std::monostate{};
  kind_ = stream_vertices::integers;
}

template <class Records>
void stream_forest::number_integers(const Records& records) {
  std::atomic<std::size_t> first_wrong{records.size()};
  parallel_blocks(threads_, records.size(), records_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto [u, v] = records[i];
      const bool query = records.is_query(i), too_large = std::max(u, v) >= no_vertex<id>;
      if (!query && too_large) {
        std::size_t seen = first_wrong.load(std::memory_order_relaxed);
        while (i < seen && !first_wrong.compare_exchange_weak(seen, i, std::memory_order_relaxed)) {
        }
        return;
      }
      pairs_[i] = query && u == v ? itself : query && too_large ? apart : edge<id>{static_cast<id>(u), static_cast<id>(v)};
    }
  });
  const std::size_t wrong = first_wrong.load();
  if (wrong == records.size()) return;
  const auto [u, v] = records[wrong];
  throw input_error{records.place(wrong, v > u) + ": found the id " + id_text(std::max(u, v), records.any_negative()) +
                    ", expected ids from 0 to 4294967294 (sparse ids may be others)"};
}

// First those of inserts, so that a query of the same batch knows them, whatever stands first.
template <class Map, class Records>
void stream_forest::number_names(Map& map, const Records& records) {
  const auto in_blocks = [&](bool queries, auto number) {
    parallel_blocks(threads_, records.size(), ids::piece_edges, [&](std::size_t begin, std::size_t end) {
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
        pair = itself;
      } else if (pair.u == no_vertex<id> || pair.v == no_vertex<id>) {
        pair = apart;
      }
    }
  });
}

ids::ordered_ids stream_forest::vertices_in_order(const buffer<id>& labels) const {
  auto* const memory = options_.memory;
  const auto* const integers = std::get_if<std::unique_ptr<integer_map>>(&map_);
  ids::ordered_ids all =
      integers != nullptr ? (*integers)->ordered(threads_, signed_) : std::get<std::unique_ptr<string_map>>(map_)->ordered(threads_);
  if (all.numbers.size() == live_.vertices()) return all;
  // Names without a vertex came with a batch that failed.
  std::pmr::vector<std::size_t> kept{memory};
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < all.numbers.size(); ++i) {
    if (all.numbers[i] >= labels.size() || labels[all.numbers[i]] == no_vertex<id>) continue;
    if (integers == nullptr) bytes += all.names.string(i).size();
    kept.push_back(i);
  }
  buffer<id> numbers{kept.size(), memory};
  buffer<std::uint64_t> places{kept.size() + 1, memory};  // where strings begin, or the integers
  buffer<char> text{bytes, memory};
  places[0] = 0;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    numbers[k] = all.numbers[kept[k]];
    if (integers != nullptr) {
      places[k] = all.names.integer(kept[k]);
    } else {
      const std::string_view name = all.names.string(kept[k]);
      std::copy(name.begin(), name.end(), text.data() + places[k]);
      places[k + 1] = places[k] + name.size();
    }
  }
  if (integers == nullptr) return {vertex_names::strings(std::move(text), std::move(places)), std::move(numbers)};
  places.shrink(kept.size());
  return {vertex_names::integers(std::move(places), signed_), std::move(numbers)};
}

// The label of a component is the first of its vertices in the order of their names.
ids::ordered_ids stream_forest::labels_in_order() const {
  buffer<id> labels{live_.slots(), options_.memory};
  live_.labels(labels.span());
  ids::ordered_ids ordered = vertices_in_order(labels);
  ids::rank_labels(ordered.numbers.span(), labels.size(), threads_, options_.memory, [&](id number) { return labels[number]; });
  return ordered;
}

labelling stream_forest::labels() const {
  if (!has_names()) return live_.labels();
  auto [names, labels] = labels_in_order();
  return {std::move(labels), std::move(names)};
}

void stream_forest::save(const std::filesystem::path& file, std::pmr::vector<std::byte>& beside) const {
  if (!has_names()) return live_.save(file, beside);
  auto [names, labels] = labels_in_order();
  for (std::uint64_t i = 0; i < names.size(); ++i) {
    if (kind_ == stream_vertices::strings) {
      append_name(beside, names.string(i));
    } else {
      append_integer(beside, names.integer(i));
    }
  }
  incremental{labelling{std::move(labels), vertex_names::identity(names.size())}, options_.live, execution_for(options_)}.save(file,
                                                                                                                               beside);
}

std::string stream_forest::restore(stream_vertices kind, bool automatic, std::span<const std::byte>& bytes, std::uint64_t count) {
  const std::string misfit = "names that do not fit the structure";
  become(kind);
  automatic_ = automatic;
  if (!has_names()) return count == 0 && (kind == stream_vertices::integers || live_.slots() == 0) ? "" : misfit;
  if (live_.vertices() != count || live_.slots() != count) return misfit;
  const auto take_all = [&](auto& map, auto take) -> std::string {
    const auto room = map.room(0);
    for (std::uint64_t i = 0; i < count;) {
      const auto some = static_cast<std::size_t>(std::min<std::uint64_t>(room.size(), count - i));
      for (std::size_t k = 0; k < some; ++k) {
        const auto name = take();
        if (!name) return misfit;
        room[k] = *name;
      }
      if (!map.adopt(some)) return "a name that comes twice";
      i += some;
    }
    return "";
  };
  if (kind_ == stream_vertices::strings) {
    return take_all(*std::get<std::unique_ptr<string_map>>(map_), [&] { return take_name(bytes); });
  }
  return take_all(*std::get<std::unique_ptr<integer_map>>(map_), [&] { return take_integer(bytes); });
}

std::uint64_t stream_forest::id_with_sign_bit() const noexcept {
  const auto* const integers = std::get_if<std::unique_ptr<integer_map>>(&map_);
  return integers != nullptr && has_sign_bit((*integers)->largest()) ? (*integers)->largest() : 0;
}

#define COPSE_BATCH(...)                                         \
  template void stream_forest::insert(const __VA_ARGS__& edges); \
  template query_answers stream_forest::connected(const __VA_ARGS__& queries)
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
