#include <api/arrival_numbers.hpp>
#include <copse/errors.hpp>
#include <copse/live_stream.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace copse {
namespace {

using id = std::uint32_t;
using api::arrival_numbers;

constexpr std::uint64_t sparse_from = std::uint64_t{1} << 28;

/// What a checkpoint keeps beside the structure; the names follow.
struct stream_header {
  char magic[8] = {'s', 't', 'r', 'e', 'a', 'm', '-', '1'};
  std::uint64_t records = 0;
  std::uint64_t answers = 0;
  std::uint64_t batch = 0;
  std::uint64_t names = 0;
  std::uint32_t vertices = 0;
  std::uint32_t how = 0;
};

std::string_view to_string(stream_vertices kind) {
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

constexpr std::uint64_t worth_threads = 4096;  // records in a batch

/// Batches that no second thread would help with are quicker by the variant of one thread, which swaps nothing.
incremental_options for_batches(const live_stream_options& asked) {
  incremental_options live = asked.live;
  if (live.variant == "auto" && asked.batch != 0 && asked.batch < worth_threads) live.threads = 1;
  return live;
}

stream_vertices kind_of(const io::operation_batch& batch) {
  if (batch.named()) return stream_vertices::strings;
  std::uint64_t largest = 0;
  for (const auto [u, v] : batch.pairs()) largest = std::max(largest, std::max(u, v));
  return largest < sparse_from ? stream_vertices::integers : stream_vertices::sparse;
}

}  // namespace

struct live_stream::state {
  state(const live_stream_options& asked, incremental connectivity)
      : options{asked}, live{std::move(connectivity)}, numbers{asked.live.memory}, kind{asked.vertices} {}

  /// The pairs of a batch as the structure knows them.
  std::span<const edge<id>> numbered(const io::operation_batch& batch) {
    if (kind == stream_vertices::automatic) kind = kind_of(batch);
    if (batch.named() != (kind == stream_vertices::strings)) {
      throw usage_error{std::string{"stream: found "}
                            .append(batch.named() ? "strings" : "integers")
                            .append(", expected ids as before: ")
                            .append(to_string(kind))};
    }
    pairs.resize(batch.size());
    if (kind == stream_vertices::integers) {
      number_integers(batch);
    } else {
      // First those of inserts, so that a query of the same batch knows them, whatever stands first.
      for (const auto wanted : {operation::insert, operation::query}) {
        for (std::size_t i = 0; i < batch.size(); ++i) {
          if (batch.kinds()[i] != wanted) continue;
          if (kind == stream_vertices::strings) {
            const auto [u, v] = batch.names(i);
            pairs[i] = number(wanted, u, v);
          } else {
            const auto [u, v] = batch.pairs()[i];
            const auto a = arrival_numbers::name_of(u), b = arrival_numbers::name_of(v);
            pairs[i] = number(wanted, {a.data(), a.size()}, {b.data(), b.size()});
          }
        }
      }
    }
    return pairs;
  }

  live_stream_options options;
  incremental live;
  arrival_numbers numbers;
  stream_vertices kind;
  stream_position at;
  std::vector<edge<id>> pairs;

private:
  // Queries that need no structure: a vertex with itself, and one that does not exist with another.
  static constexpr edge<id> itself{0, 0}, apart{no_vertex<id>, 0};

  void number_integers(const io::operation_batch& batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto [u, v] = batch.pairs()[i];
      if (batch.kinds()[i] == operation::insert && std::max(u, v) >= no_vertex<id>) {
        throw input_error{"stream: record " + std::to_string(at.records + i + 1) + ": found the id " + std::to_string(std::max(u, v)) +
                          ", expected ids below 4294967295 (sparse ids may be larger)"};
      }
      const bool query = batch.kinds()[i] == operation::query;
      pairs[i] = query && u == v                            ? itself
                 : query && std::max(u, v) >= no_vertex<id> ? apart
                                                            : edge<id>{static_cast<id>(u), static_cast<id>(v)};
    }
  }

  edge<id> number(operation kind_of_record, std::string_view u, std::string_view v) {
    if (kind_of_record == operation::insert) {
      const id a = numbers.number(u);
      return {a, numbers.number(v)};
    }
    if (u == v) return itself;
    const id a = numbers.known_number(u), b = numbers.known_number(v);
    return a == no_vertex<id> || b == no_vertex<id> ? apart : edge<id>{a, b};
  }
};

live_stream::live_stream(std::unique_ptr<state> state) noexcept : state_{std::move(state)} {}
live_stream::live_stream(live_stream&&) noexcept = default;
live_stream& live_stream::operator=(live_stream&&) noexcept = default;
live_stream::~live_stream() = default;

live_stream::live_stream(const live_stream_options& options)
    : state_{std::make_unique<state>(options, incremental(0, for_batches(options)))} {}

live_stream live_stream::resume(const std::filesystem::path& checkpoint, const live_stream_options& options) {
  std::vector<std::byte> beside;
  auto opened = std::make_unique<state>(options, incremental::open(checkpoint, for_batches(options), &beside));
  stream_header header, expected;
  const auto refuse = [&](std::string_view found, std::string_view wanted) {
    throw input_error::at(checkpoint.string(), 0, found, wanted);
  };
  if (beside.size() < sizeof header) refuse("a structure that is no stream's", "a checkpoint of copse stream");
  std::memcpy(&header, beside.data(), sizeof header);
  if (std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0)
    refuse("another kind of checkpoint", "one of copse stream, version 1");
  if (header.vertices > 3 || header.how > 1 || !opened->numbers.take_from(std::span{beside}.subspan(sizeof header), header.names)) {
    refuse("names that cannot be read", "what was saved");
  }
  const auto kind = static_cast<stream_vertices>(header.vertices);
  const auto how = static_cast<mixing>(header.how);
  if (options.vertices != stream_vertices::automatic && options.vertices != kind) {
    throw usage_error{checkpoint.string() + ": found a stream whose ids are " + std::string{to_string(kind)} + ", expected " +
                      std::string{to_string(options.vertices)}};
  }
  if (options.batch != 0 && options.batch != header.batch) {
    throw usage_error{checkpoint.string() + ": found batches of " + std::to_string(header.batch) + ", expected " +
                      std::to_string(options.batch) + ": other batches would give other answers"};
  }
  if (options.how != how) {
    throw usage_error{checkpoint.string() + ": found a stream whose queries are " + (how == mixing::phased ? "phased" : "concurrent") +
                      ", expected the other way"};
  }
  opened->kind = kind;
  opened->options.batch = header.batch;
  opened->at = {header.records, header.answers};
  return live_stream{std::move(opened)};
}

query_answers live_stream::apply(const io::operation_batch& batch) {
  state& s = *state_;
  const auto pairs = s.numbered(batch);
  query_answers answers = s.live.apply(pairs, batch.kinds(), s.options.how);
  s.at.records += batch.size();
  s.at.answers += static_cast<std::uint64_t>(std::ranges::count(batch.kinds(), operation::query));
  return answers;
}

stream_position live_stream::position() const noexcept { return state_->at; }
std::uint64_t live_stream::vertices() const noexcept { return state_->live.vertices(); }
std::uint64_t live_stream::count() const noexcept { return state_->live.count(); }
std::uint64_t live_stream::batch() const noexcept { return state_->options.batch; }
mixing live_stream::how() const noexcept { return state_->options.how; }
stream_vertices live_stream::vertex_kind() const noexcept { return state_->kind; }
const variant_info& live_stream::variant() const noexcept { return state_->live.variant(); }

labelling live_stream::labels() const {
  const state& s = *state_;
  labelling by_arrival = s.live.labels();
  if (s.kind == stream_vertices::integers || s.kind == stream_vertices::automatic) return by_arrival;
  // Vertices in the order of their names; the label of a component is the first of its vertices in that order.
  auto* const memory = s.options.live.memory;
  // Names beyond the slots arrived with a batch that failed.
  const auto count = static_cast<id>(std::min<std::uint64_t>(s.numbers.size(), s.live.slots()));
  const auto& labels = std::get<buffer<id>>(by_arrival.labels());
  buffer<id> order{count, memory}, first{count, memory}, ranked{count, memory};
  std::iota(order.begin(), order.end(), id{0});
  std::sort(order.begin(), order.end(), [&](id a, id b) { return s.numbers.name(a) < s.numbers.name(b); });
  std::fill(first.begin(), first.end(), no_vertex<id>);
  for (id rank = 0; rank < count; ++rank) {
    id& least = first[labels[order[rank]]];
    if (least == no_vertex<id>) least = rank;
    ranked[rank] = least;
  }
  if (s.kind == stream_vertices::sparse) {
    buffer<std::uint64_t> ids{count, memory};
    for (id rank = 0; rank < count; ++rank) ids[rank] = arrival_numbers::integer_of(s.numbers.name(order[rank]));
    return {std::move(ranked), vertex_names::integers(std::move(ids))};
  }
  buffer<std::uint64_t> offsets{std::size_t{count} + 1, memory};
  offsets[0] = 0;
  for (id rank = 0; rank < count; ++rank) offsets[rank + 1] = offsets[rank] + s.numbers.name(order[rank]).size();
  buffer<char> bytes{offsets[count], memory};
  for (id rank = 0; rank < count; ++rank) {
    const auto name = s.numbers.name(order[rank]);
    std::copy(name.begin(), name.end(), bytes.data() + offsets[rank]);
  }
  return {std::move(ranked), vertex_names::strings(std::move(bytes), std::move(offsets))};
}

void live_stream::checkpoint(const std::filesystem::path& file) const {
  const state& s = *state_;
  stream_header header;
  header.records = s.at.records;
  header.answers = s.at.answers;
  header.batch = s.options.batch;
  header.names = s.numbers.size();
  header.vertices = static_cast<std::uint32_t>(s.kind);
  header.how = static_cast<std::uint32_t>(s.options.how);
  std::vector<std::byte> beside(sizeof header);
  std::memcpy(beside.data(), &header, sizeof header);
  s.numbers.append_to(beside);
  s.live.save(file, beside);
}

}  // namespace copse
