#include <api/stream_checkpoint.hpp>
#include <api/stream_forest.hpp>
#include <copse/errors.hpp>
#include <core/parallel.hpp>
#include <core/team.hpp>

#include <algorithm>
#include <array>
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

spread spread_of(const io::operation_batch& batch) {
  spread found;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch.kinds()[i] != operation::insert) continue;
    const auto [u, v] = batch.pairs()[i];
    found.slots = std::max(found.slots, slots_up_to(std::max(u, v)));
    ++found.inserts;
  }
  return found;
}

bool is_sparse(std::uint64_t slots, std::uint64_t vertices) {
  return slots > no_vertex<id> || slots > std::max(few_slots, slots_per_sparse_vertex * vertices);
}

/// The records of one kind among some of a batch, and the ends of their pairs in the room of a map.
template <class Map>
std::size_t gather(const io::operation_batch& batch, operation wanted, std::size_t begin, std::size_t end, Map& map,
                   std::array<std::uint32_t, ids::piece_edges>& places) {
  const auto ends = map.room(worker_number());
  std::size_t count = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (batch.kinds()[i] != wanted) continue;
    if constexpr (Map::of_strings) {
      const auto [u, v] = batch.names(i);
      ends[2 * count] = u;
      ends[2 * count + 1] = v;
    } else {
      const auto [u, v] = batch.pairs()[i];
      ends[2 * count] = u;
      ends[2 * count + 1] = v;
    }
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

std::span<const edge<id>> stream_forest::numbered(const io::operation_batch& batch, std::uint64_t first_record) {
  if (automatic_) decide(batch);
  if (batch.named() != (kind_ == stream_vertices::strings)) {
    throw usage_error{std::string{"stream: found "}
                          .append(batch.named() ? "strings" : "integers")
                          .append(", expected ids as before: ")
                          .append(to_string(kind_))};
  }
  pairs_.resize(batch.size());
  if (const auto* integers = std::get_if<std::unique_ptr<integer_map>>(&map_)) {
    number_names(**integers, batch);
  } else if (const auto* strings = std::get_if<std::unique_ptr<string_map>>(&map_)) {
    number_names(**strings, batch);
  } else {
    number_integers(batch, first_record);
  }
  return pairs_;
}

void stream_forest::decide(const io::operation_batch& batch) {
  if (kind_ == stream_vertices::automatic) become(batch.named() ? stream_vertices::strings : stream_vertices::integers);
  if (batch.named() || kind_ == stream_vertices::strings) return;
  const auto [slots, inserts] = spread_of(batch);
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

void stream_forest::number_integers(const io::operation_batch& batch, std::uint64_t first_record) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const auto [u, v] = batch.pairs()[i];
    const bool query = batch.kinds()[i] == operation::query;
    if (!query && std::max(u, v) >= no_vertex<id>) {
      throw input_error{"stream: record " + std::to_string(first_record + i) + ": found the id " +
                        id_text(std::max(u, v), batch.any_negative()) + ", expected ids from 0 to 4294967294 (sparse ids may be others)"};
    }
    pairs_[i] = query && u == v                            ? itself
                : query && std::max(u, v) >= no_vertex<id> ? apart
                                                           : edge<id>{static_cast<id>(u), static_cast<id>(v)};
  }
}

// First those of inserts, so that a query of the same batch knows them, whatever stands first.
template <class Map>
void stream_forest::number_names(Map& map, const io::operation_batch& batch) {
  const auto in_blocks = [&](operation wanted, auto number) {
    parallel_blocks(threads_, batch.size(), ids::piece_edges, [&](std::size_t begin, std::size_t end) {
      std::array<std::uint32_t, ids::piece_edges> places;
      const std::size_t count = gather(batch, wanted, begin, end, map, places);
      const auto numbers = number(2 * count);
      for (std::size_t k = 0; k < count; ++k) pairs_[begin + places[k]] = {numbers[2 * k], numbers[2 * k + 1]};
    });
  };
  const bool shared = threads_ > 1;
  in_blocks(operation::insert, [&](std::size_t count) { return map.number(worker_number(), count, shared); });
  if (std::ranges::find(batch.kinds(), operation::query) == batch.kinds().end()) return;
  in_blocks(operation::query, [&](std::size_t count) { return map.find(worker_number(), count); });
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch.kinds()[i] != operation::query) continue;
    edge<id>& pair = pairs_[i];
    const bool same = batch.named() ? batch.names(i).u == batch.names(i).v : batch.pairs()[i].u == batch.pairs()[i].v;
    if (same) {
      pair = itself;
    } else if (pair.u == no_vertex<id> || pair.v == no_vertex<id>) {
      pair = apart;
    }
  }
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

}  // namespace copse::api
