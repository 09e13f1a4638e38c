#include <api/stream_checkpoint.hpp>
#include <api/stream_forest.hpp>
#include <copse/errors.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace copse::api {
namespace {

using id = stream_forest::id;

constexpr std::uint64_t worth_threads = 4096;  // records in a batch
constexpr std::uint64_t few_slots = std::uint64_t{1} << 22;
constexpr std::uint64_t slots_per_sparse_vertex = 12;  // from here on a table is smaller, by its bytes per id
constexpr std::uint64_t slots_per_dense_vertex = 6;    // up to here an array is, by far

// Queries that need no structure: a vertex with itself, and one that does not exist with another.
constexpr edge<id> itself{0, 0}, apart{no_vertex<id>, 0};

struct spread {
  std::uint64_t slots = 0;  ///< one more than the largest id of the inserts; all ones for 2^64 - 1, too
  std::uint64_t inserts = 0;
};

spread spread_of(const io::operation_batch& batch) {
  spread found;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch.kinds()[i] != operation::insert) continue;
    const auto [u, v] = batch.pairs()[i];
    const std::uint64_t larger = std::max(u, v);
    found.slots = std::max(found.slots, larger == UINT64_MAX ? larger : larger + 1);
    ++found.inserts;
  }
  return found;
}

bool is_sparse(std::uint64_t slots, std::uint64_t vertices) {
  return slots > no_vertex<id> || slots > std::max(few_slots, slots_per_sparse_vertex * vertices);
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
      live_{std::move(live)},
      numbers_{options.memory},
      pairs_{options.memory},
      kind_{options.vertices},
      automatic_{options.vertices == stream_vertices::automatic} {}

std::span<const edge<id>> stream_forest::numbered(const io::operation_batch& batch, std::uint64_t first_record) {
  if (automatic_) decide(batch);
  if (batch.named() != (kind_ == stream_vertices::strings)) {
    throw usage_error{std::string{"stream: found "}
                          .append(batch.named() ? "strings" : "integers")
                          .append(", expected ids as before: ")
                          .append(to_string(kind_))};
  }
  pairs_.resize(batch.size());
  if (kind_ == stream_vertices::integers) {
    number_integers(batch, first_record);
  } else {
    number_names(batch);
  }
  return pairs_;
}

void stream_forest::decide(const io::operation_batch& batch) {
  if (kind_ == stream_vertices::automatic) kind_ = batch.named() ? stream_vertices::strings : stream_vertices::integers;
  if (batch.named() || kind_ == stream_vertices::strings) return;
  const auto [slots, inserts] = spread_of(batch);
  const std::uint64_t at_most = live_.vertices() + 2 * inserts;
  if (kind_ == stream_vertices::integers) {
    if (is_sparse(std::max<std::uint64_t>(slots, live_.slots()), at_most)) to_sparse();
  } else {
    const std::uint64_t all_slots = std::max(slots, numbers_.size() == 0 ? 0 : largest_ + 1);
    if (is_dense(all_slots, live_.vertices())) to_integers(all_slots);
  }
}

// Numbers ascend as the ids do, so the smallest vertex of a component stays the smallest.
void stream_forest::to_sparse() {
  auto* const memory = options_.memory;
  const labelling now = live_.labels();
  const auto& labels = std::get<buffer<id>>(now.labels());
  arrival_numbers numbers{memory};
  buffer<id> renamed{live_.vertices(), memory};
  std::uint64_t largest = 0;
  for (std::uint64_t v = 0; v < labels.size(); ++v) {
    if (labels[v] == no_vertex<id>) continue;
    const id own = numbers.number_of(v);
    renamed[own] = labels[v] == v ? own : numbers.known_number_of(labels[v]);
    largest = v;
  }
  const std::uint64_t count = renamed.size();
  incremental live{labelling{std::move(renamed), vertex_names::identity(count)}, options_.live, execution_for(options_)};
  live_ = std::move(live);
  numbers_ = std::move(numbers);
  largest_ = largest;
  kind_ = stream_vertices::sparse;
}

void stream_forest::to_integers(std::uint64_t slots) {
  auto* const memory = options_.memory;
  const labelling now = live_.labels();
  const auto& labels = std::get<buffer<id>>(now.labels());
  const buffer<id> vertices = numbers_of_vertices(labels);
  buffer<id> least{labels.size(), memory}, renamed{slots, memory};
  std::fill(least.begin(), least.end(), no_vertex<id>);
  std::fill(renamed.begin(), renamed.end(), no_vertex<id>);
  const auto id_of = [this](id number) { return static_cast<id>(arrival_numbers::integer_of(numbers_.name(number))); };
  for (const id number : vertices) least[labels[number]] = std::min(least[labels[number]], id_of(number));
  for (const id number : vertices) renamed[id_of(number)] = least[labels[number]];
  incremental live{labelling{std::move(renamed), vertex_names::identity(slots)}, options_.live, execution_for(options_)};
  arrival_numbers none{memory};
  live_ = std::move(live);
  numbers_ = std::move(none);
  kind_ = stream_vertices::integers;
}

void stream_forest::number_integers(const io::operation_batch& batch, std::uint64_t first_record) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const auto [u, v] = batch.pairs()[i];
    const bool query = batch.kinds()[i] == operation::query;
    if (!query && std::max(u, v) >= no_vertex<id>) {
      throw input_error{"stream: record " + std::to_string(first_record + i) + ": found the id " + std::to_string(std::max(u, v)) +
                        ", expected ids below 4294967295 (sparse ids may be larger)"};
    }
    pairs_[i] = query && u == v                            ? itself
                : query && std::max(u, v) >= no_vertex<id> ? apart
                                                           : edge<id>{static_cast<id>(u), static_cast<id>(v)};
  }
}

// First those of inserts, so that a query of the same batch knows them, whatever stands first.
void stream_forest::number_names(const io::operation_batch& batch) {
  for (const auto wanted : {operation::insert, operation::query}) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (batch.kinds()[i] != wanted) continue;
      if (kind_ == stream_vertices::strings) {
        const auto [u, v] = batch.names(i);
        pairs_[i] = number(wanted, u, v);
      } else {
        const auto [u, v] = batch.pairs()[i];
        if (wanted == operation::insert) largest_ = std::max({largest_, u, v});
        const auto a = arrival_numbers::name_of(u), b = arrival_numbers::name_of(v);
        pairs_[i] = number(wanted, {a.data(), a.size()}, {b.data(), b.size()});
      }
    }
  }
}

edge<id> stream_forest::number(operation kind_of_record, std::string_view u, std::string_view v) {
  if (kind_of_record == operation::insert) {
    const id a = numbers_.number(u);
    return {a, numbers_.number(v)};
  }
  if (u == v) return itself;
  const id a = numbers_.known_number(u), b = numbers_.known_number(v);
  return a == no_vertex<id> || b == no_vertex<id> ? apart : edge<id>{a, b};
}

buffer<id> stream_forest::numbers_of_vertices(const buffer<id>& labels) const {
  const auto absent = static_cast<std::size_t>(std::ranges::count(labels, no_vertex<id>));
  buffer<id> numbers{labels.size() - absent, options_.memory};
  std::size_t count = 0;
  for (std::size_t number = 0; number < labels.size(); ++number) {
    if (labels[number] != no_vertex<id>) numbers[count++] = static_cast<id>(number);
  }
  return numbers;
}

// Vertices in the order of their names; the label of a component is the first of its vertices in that order.
labelling stream_forest::labels() const {
  labelling by_number = live_.labels();
  if (!has_names()) return by_number;
  auto* const memory = options_.memory;
  const auto& labels = std::get<buffer<id>>(by_number.labels());
  buffer<id> order = numbers_of_vertices(labels);
  const auto count = static_cast<id>(order.size());
  buffer<id> first{labels.size(), memory}, ranked{count, memory};
  std::sort(order.begin(), order.end(), [this](id a, id b) { return numbers_.name(a) < numbers_.name(b); });
  std::fill(first.begin(), first.end(), no_vertex<id>);
  for (id rank = 0; rank < count; ++rank) {
    id& least = first[labels[order[rank]]];
    if (least == no_vertex<id>) least = rank;
    ranked[rank] = least;
  }
  if (kind_ == stream_vertices::sparse) {
    buffer<std::uint64_t> ids{count, memory};
    for (id rank = 0; rank < count; ++rank) ids[rank] = arrival_numbers::integer_of(numbers_.name(order[rank]));
    return {std::move(ranked), vertex_names::integers(std::move(ids))};
  }
  buffer<std::uint64_t> offsets{std::size_t{count} + 1, memory};
  offsets[0] = 0;
  for (id rank = 0; rank < count; ++rank) offsets[rank + 1] = offsets[rank] + numbers_.name(order[rank]).size();
  buffer<char> bytes{offsets[count], memory};
  for (id rank = 0; rank < count; ++rank) {
    const auto name = numbers_.name(order[rank]);
    std::copy(name.begin(), name.end(), bytes.data() + offsets[rank]);
  }
  return {std::move(ranked), vertex_names::strings(std::move(bytes), std::move(offsets))};
}

void stream_forest::save(const std::filesystem::path& file, std::pmr::vector<std::byte>& beside) const {
  if (!has_names() || (live_.vertices() == numbers_.size() && live_.slots() == numbers_.size())) {
    for (id number = 0; number < numbers_.size(); ++number) append_name(beside, numbers_.name(number));
    return live_.save(file, beside);
  }
  // Names without a vertex came with a batch that failed: the file is that of the others.
  auto* const memory = options_.memory;
  const labelling now = live_.labels();
  const auto& labels = std::get<buffer<id>>(now.labels());
  const buffer<id> vertices = numbers_of_vertices(labels);
  buffer<id> place{labels.size(), memory}, renamed{vertices.size(), memory};
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    place[vertices[i]] = static_cast<id>(i);
    renamed[i] = place[labels[vertices[i]]];
    append_name(beside, numbers_.name(vertices[i]));
  }
  const labelling saved{std::move(renamed), vertex_names::identity(vertices.size())};
  incremental{saved, options_.live, execution_for(options_)}.save(file, beside);
}

std::string stream_forest::restore(stream_vertices kind, bool automatic, std::span<const std::byte>& bytes, std::uint64_t count) {
  const std::string misfit = "names that do not fit the structure";
  kind_ = kind;
  automatic_ = automatic;
  if (!has_names()) return count == 0 && (kind == stream_vertices::integers || live_.slots() == 0) ? "" : misfit;
  if (live_.vertices() != count || live_.slots() != count) return misfit;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto name = take_name(bytes);
    if (!name || (kind == stream_vertices::sparse && name->size() != sizeof(std::uint64_t))) return misfit;
    if (numbers_.number(*name) != i) return "a name that comes twice";
    if (kind != stream_vertices::sparse) continue;
    const std::uint64_t own = arrival_numbers::integer_of(*name);
    if (own == no_vertex<std::uint64_t>) return "the id " + std::to_string(own) + ", which stands for no vertex";
    largest_ = std::max(largest_, own);
  }
  return "";
}

}  // namespace copse::api
