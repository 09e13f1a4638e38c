// named_incremental: changes from one kind of ids to another, vertices in the order of their names, and files.
#include <api/named_incremental.hpp>
#include <api/stream_checkpoint.hpp>
#include <copse/errors.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace copse::api {
namespace {

using id = named_incremental::id;

constexpr std::uint64_t worth_threads = 4096;  // records in a batch below which one thread is faster
constexpr std::uint64_t few_slots = std::uint64_t{1} << 22;
constexpr std::uint64_t slots_per_sparse_vertex = 12;  // an array with more elements per vertex is much larger than an id map
constexpr std::uint64_t slots_per_dense_vertex = 6;    // an array with at most this many per vertex is much smaller than a map

bool is_sparse(std::uint64_t slots, std::uint64_t vertices) {
  return slots > no_vertex<id> || slots > std::max(few_slots, slots_per_sparse_vertex * vertices);
}

bool is_dense(std::uint64_t slots, std::uint64_t vertices) { return slots <= no_vertex<id> && slots <= slots_per_dense_vertex * vertices; }

}  // namespace

std::string_view to_string(vertex_ids kind) noexcept {
  switch (kind) {
    case vertex_ids::automatic:
      return "auto";
    case vertex_ids::integers:
      return "int";
    case vertex_ids::sparse:
      return "sparse";
    case vertex_ids::strings:
      return "string";
  }
  return {};
}

// For batches too small for a second thread, the variant of one thread is faster, as it needs no atomic operations.
execution named_incremental::execution_for(const request<incremental_options>& options) {
  execution on = options.on();
  if (options.variant == "auto" && options.batch != 0 && options.batch < worth_threads) on.threads = 1;
  return on;
}

named_incremental::named_incremental(const request<incremental_options>& options)
    : named_incremental{options, dense_incremental<id>{static_cast<id>(options.vertices), options, execution_for(options)}} {
  if (options.vertices != 0 || options.record_forest) index_an_array();
}

named_incremental::named_incremental(const request<incremental_options>& options, dense_incremental<id> live)
    : options_{options},
      threads_{usable_threads(execution_for(options).threads)},
      live_{std::move(live)},
      pairs_{options.memory},
      automatic_{options.ids == vertex_ids::automatic} {
  become(options.ids);
}

void named_incremental::become(vertex_ids kind) {
  kind_ = kind;
  if (kind == vertex_ids::sparse) map_ = new_integer_map();
  if (kind == vertex_ids::strings) map_ = std::make_unique<string_map>(threads_, options_.memory);
}

void named_incremental::index_an_array() {
  if (!can_index_an_array()) {
    throw usage_error{
        std::string{"incremental: ids must be integers that index an array if vertices are declared or a forest is recorded, not "}.append(
            to_string(kind_))};
  }
  kind_ = vertex_ids::integers;
  if (options_.record_forest) automatic_ = false;
}

bool named_incremental::stays_dense(const id_spread& seen) const noexcept {
  return !is_sparse(std::max<std::uint64_t>(seen.slots, live_.slots()), live_.vertices() + 2 * seen.inserts);
}

void named_incremental::decide(bool named, const id_spread& seen) {
  if (!automatic_) return;
  if (kind_ == vertex_ids::automatic) become(named ? vertex_ids::strings : vertex_ids::integers);
  if (named || kind_ == vertex_ids::strings) return;
  if (kind_ == vertex_ids::integers) {
    if (!stays_dense(seen)) to_sparse();
  } else {
    const integer_map& map = *std::get<std::unique_ptr<integer_map>>(map_);
    const std::uint64_t all_slots = std::max(seen.slots, map.size() == 0 ? 0 : slots_up_to(map.largest()));
    if (is_dense(all_slots, live_.vertices())) to_integers(all_slots);
  }
}

// The map numbers vertices in ascending order of their ids, so labels stay canonical: the vertex with the smallest id of a component also
// has its smallest number.
void named_incremental::to_sparse() {
  auto* const memory = options_.memory;
  buffer<id> number_of{live_.slots(), memory};  // holds the labels first; each is then overwritten by the number of its vertex
  live_.labels(number_of.span());
  auto map = new_integer_map();
  map->reserve(live_.vertices());
  buffer<id> renamed{live_.vertices(), memory};
  const auto room = map->room(0);
  id count = 0;
  for (std::uint64_t v = 0; v < number_of.size(); ++v) {
    if (number_of[v] == no_vertex<id>) continue;
    // number_of[v] is still the label of v: either v, or a smaller vertex, whose element has already been replaced by its number.
    renamed[count] = number_of[v] == v ? count : number_of[number_of[v]];
    number_of[v] = count;
    room[count++ % room.size()] = v;
    if (count % room.size() == 0) static_cast<void>(map->adopt(room.size()));
  }
  static_cast<void>(map->adopt(count % room.size()));
  live_ = dense_incremental<id>{labelling{std::move(renamed), vertex_names::identity(count)}, options_, execution_for(options_)};
  map_ = std::move(map);
  kind_ = vertex_ids::sparse;
}

void named_incremental::to_integers(std::uint64_t slots) {
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
  live_ = dense_incremental<id>{labelling{std::move(renamed), vertex_names::identity(slots)}, options_, execution_for(options_)};
  map_ = std::monostate{};
  kind_ = vertex_ids::integers;
}

ids::ordered_ids named_incremental::vertices_in_order(const buffer<id>& labels) const {
  auto* const memory = options_.memory;
  const auto* const integers = std::get_if<std::unique_ptr<integer_map>>(&map_);
  ids::ordered_ids all =
      integers != nullptr ? (*integers)->ordered(threads_, signed_) : std::get<std::unique_ptr<string_map>>(map_)->ordered(threads_);
  if (all.numbers.size() == live_.vertices()) return all;
  // Leaves out names without a vertex, which arrived with a batch that failed.
  std::pmr::vector<std::size_t> kept{memory};
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < all.numbers.size(); ++i) {
    if (all.numbers[i] >= labels.size() || labels[all.numbers[i]] == no_vertex<id>) continue;
    if (integers == nullptr) bytes += all.names.string(i).size();
    kept.push_back(i);
  }
  buffer<id> numbers{kept.size(), memory};
  buffer<std::uint64_t> places{kept.size() + 1, memory};  // for strings the offsets of the names in `text`, for integers the ids
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

// Labels each component with the first of its vertices in the order of their names.
ids::ordered_ids named_incremental::labels_in_order() const {
  buffer<id> labels{live_.slots(), options_.memory};
  live_.labels(labels.span());
  ids::ordered_ids ordered = vertices_in_order(labels);
  ids::rank_labels(ordered.numbers.span(), labels.size(), threads_, options_.memory, [&](id number) { return labels[number]; });
  return ordered;
}

labelling named_incremental::labels() const {
  if (!has_names()) return live_.labels();
  auto [names, labels] = labels_in_order();
  return {std::move(labels), std::move(names)};
}

void named_incremental::save(const std::filesystem::path& file, std::pmr::vector<std::byte>& beside) const {
  if (!has_names()) return live_.save(file, beside);
  auto [names, labels] = labels_in_order();
  for (std::uint64_t i = 0; i < names.size(); ++i) {
    if (kind_ == vertex_ids::strings) {
      append_name(beside, names.string(i));
    } else {
      append_integer(beside, names.integer(i));
    }
  }
  dense_incremental<id>{labelling{std::move(labels), vertex_names::identity(names.size())}, options_, execution_for(options_)}.save(file,
                                                                                                                                    beside);
}

template <class Map, class Take>
std::string named_incremental::adopt_names(Map& map, std::uint64_t count, Take take) {
  const auto room = map.room(0);
  for (std::uint64_t i = 0; i < count;) {
    const auto some = static_cast<std::size_t>(std::min<std::uint64_t>(room.size(), count - i));
    for (std::size_t k = 0; k < some; ++k) {
      const auto name = take(i + k);
      if (!name) return "names that do not fit the structure";
      room[k] = *name;
    }
    if (!map.adopt(some)) return "a name that comes twice";
    i += some;
  }
  return "";
}

std::string named_incremental::restore(vertex_ids kind, bool automatic, std::span<const std::byte>& bytes, std::uint64_t count) {
  const std::string misfit = "names that do not fit the structure";
  become(kind);
  automatic_ = automatic && !options_.record_forest;
  if (!has_names()) return count == 0 && (kind == vertex_ids::integers || live_.slots() == 0) ? "" : misfit;
  if (live_.vertices() != count || live_.slots() != count) return misfit;
  if (kind_ == vertex_ids::strings) {
    return adopt_names(*std::get<std::unique_ptr<string_map>>(map_), count, [&](std::uint64_t) { return take_name(bytes); });
  }
  return adopt_names(*std::get<std::unique_ptr<integer_map>>(map_), count, [&](std::uint64_t) { return take_integer(bytes); });
}

named_incremental::named_incremental(const request<incremental_options>& options, const labelling& labels)
    : named_incremental{options, dense_incremental<id>::of_positions(labels, options, execution_for(options))} {
  const vertex_names& names = labels.names();
  const vertex_ids kind = names.what() == vertex_names::kind::strings ? vertex_ids::strings : vertex_ids::sparse;
  if (live_.vertices() != labels.slots())
    throw usage_error{"incremental: labels whose vertices have names must have a label for each name"};
  if (options.record_forest || (options.ids != vertex_ids::automatic && options.ids != kind)) {
    throw usage_error{std::string{"incremental: the vertices of the labels have names, which cannot be used with "}.append(
        options.record_forest ? "record_forest" : std::string{"ids "}.append(to_string(options.ids)))};
  }
  become(kind);
  std::string fault;
  if (kind == vertex_ids::strings) {
    fault = adopt_names(*std::get<std::unique_ptr<string_map>>(map_), names.size(),
                        [&](std::uint64_t i) { return std::optional{names.string(i)}; });
  } else {
    fault = adopt_names(*std::get<std::unique_ptr<integer_map>>(map_), names.size(),
                        [&](std::uint64_t i) { return std::optional{names.integer(i)}; });
    signed_ = names.is_signed();
  }
  if (!fault.empty()) throw usage_error{"incremental: each vertex of the labels must have a name of its own, but there is " + fault};
}

std::uint64_t named_incremental::id_with_sign_bit() const noexcept {
  const auto* const integers = std::get_if<std::unique_ptr<integer_map>>(&map_);
  return integers != nullptr && has_sign_bit((*integers)->largest()) ? (*integers)->largest() : 0;
}

}  // namespace copse::api
