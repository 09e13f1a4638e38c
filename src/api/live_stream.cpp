#include <api/id_batches.hpp>
#include <api/stream_checkpoint.hpp>
#include <api/stream_forest.hpp>
#include <copse/errors.hpp>
#include <copse/live_stream.hpp>
#include <core/request.hpp>
#include <ids/id_signs.hpp>
#include <io/source.hpp>

#include <algorithm>
#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace copse {

using api::stream_header;

namespace {

/// f(batch) for columns of their type.
template <class F>
auto with_columns(const std::string& call, const pair_columns& columns, F f) {
  return std::visit([&](const auto& of_type) { return f(api::columns(call, of_type.sources, of_type.targets)); }, columns.held());
}

/// f(batch) for pairs whose ids are signed or not.
template <class Word, class F>
auto with_pairs(std::span<const edge<Word>> pairs, bool are_signed, F f) {
  if (are_signed) return f(api::interleaved_batch<std::make_signed_t<Word>, edge<Word>>{pairs});
  return f(api::interleaved_batch<Word, edge<Word>>{pairs});
}

}  // namespace

struct live_stream::state {
  explicit state(const request<live_stream_options>& asked)
      : options{asked}, forest{asked}, applied{asked.memory}, replayed{asked.memory}, open{asked.memory} {}
  state(const request<live_stream_options>& asked, incremental live)
      : options{asked}, forest{asked, std::move(live)}, applied{asked.memory}, replayed{asked.memory}, open{asked.memory} {}

  [[nodiscard]] bool is_between_batches(std::uint64_t records) const noexcept { return options.batch == 0 || records % options.batch == 0; }

  [[nodiscard]] std::string place_of(std::size_t record) const { return "stream: record " + std::to_string(at.records + record + 1); }

  /// Throws input_error for an id whose sign does not go with those of the vertices, of the open queries, or of the batch itself.
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

  /// Queries make no vertices, so only inserts decide. Precondition: check_signs() of the same batch.
  void note_signs(const io::operation_batch& batch) {
    for (std::size_t i = std::min(batch.first_negative(), batch.first_large()); i < batch.size(); ++i) {
      const auto [u, v] = batch.pairs()[i];
      if (batch.kinds()[i] == operation::query || !has_sign_bit(u | v)) continue;
      signs.expect(has_sign_bit(u) ? u : v, batch.any_negative(), [&] { return place_of(i); });
      if (batch.any_negative()) forest.ids_are_signed();
      return;
    }
  }

  void expect_whole_batch(const std::string& call) const {
    if (is_between_batches(at.records)) return;
    throw usage_error{call + ": found a batch of the stream that is incomplete, expected " + std::to_string(options.batch) +
                      " records of it first"};
  }

  template <class Batch>
  void insert(const Batch& edges) {
    expect_whole_batch("insert");
    if (edges.size() == 0) return;
    if (const auto seen = id_with_sign_bit_in(edges)) {
      signs.expect(seen->id, Batch::is_signed, [&] { return "insert: " + seen->place; });
      if (Batch::is_signed) forest.ids_are_signed();
    }
    forest.insert(edges);
  }
  template <class Batch>
  query_answers connected(const Batch& queries) {
    expect_whole_batch("connected");
    if (const auto seen = id_with_sign_bit_in(queries))
      signs.check(seen->id, Batch::is_signed, [&] { return "connected: " + seen->place; });
    return forest.connected(queries);
  }

  struct placed_id {
    std::uint64_t id;
    std::string place;
  };
  template <class Batch>
  [[nodiscard]] std::optional<placed_id> id_with_sign_bit_in(const Batch& batch) const {
    if constexpr (!std::same_as<typename Batch::id, std::string_view>) {
      const std::size_t i = api::first_with_sign_bit(batch, forest.threads());
      if (i == batch.size()) return std::nullopt;
      const auto [u, v] = batch[i];
      const bool second = !has_sign_bit(u);
      return placed_id{second ? v : u, Batch::place(i, second)};
    } else {
      return std::nullopt;
    }
  }

  request<live_stream_options> options;
  ids::id_signs signs;  ///< the signs of the ids of vertices
  api::stream_forest forest;
  stream_position at;
  api::record_sum applied;  ///< of all records
  api::record_sum replayed;
  std::uint64_t replayed_records = 0;
  io::operation_batch open;     ///< the queries of the current batch, while it is incomplete
  std::size_t open_before = 0;  ///< how many of them stood there before the last apply()
};

live_stream::live_stream(std::unique_ptr<state> held) noexcept : state_{std::move(held)} {}
live_stream::live_stream(live_stream&&) noexcept = default;
live_stream& live_stream::operator=(live_stream&&) noexcept = default;
live_stream::~live_stream() = default;

live_stream::live_stream(const live_stream_options& options, const execution& on)
    : state_{std::make_unique<state>(request<live_stream_options>{options, on})} {}

live_stream live_stream::open(const std::filesystem::path& file, const live_stream_options& options, const execution& on) {
  std::optional<std::string> beside;  // a pipe cannot be looked into
  if (std::filesystem::is_regular_file(file)) beside = io::while_reading(file, [&] { return drivers::begin_of_beside(file, on.memory); });
  constexpr api::stream_header stream;
  const bool is_stream = beside && *beside == std::string_view{stream.magic.data(), stream.magic.size()};
  if (is_stream && !options.live.record_forest) return resume(file, options, on);
  const request<live_stream_options> asked{options, on};
  auto opened = std::make_unique<state>(asked, incremental::open(file, options.live, nullptr, api::stream_forest::execution_for(asked)));
  if (options.live.record_forest || opened->forest.live().slots() != 0) opened->forest.index_an_array();
  return live_stream{std::move(opened)};
}

live_stream live_stream::resume(const std::filesystem::path& checkpoint, const live_stream_options& options, const execution& on) {
  const std::string name = checkpoint.string();
  buffer<std::byte> beside;
  const request<live_stream_options> asked{options, on};
  auto opened =
      std::make_unique<state>(asked, incremental::open_stream(checkpoint, options.live, api::stream_forest::execution_for(asked), beside));
  const drivers::refuser refuse{name};
  std::span<const std::byte> bytes = std::as_const(beside).span();
  const stream_header header = api::take_header(bytes, refuse);
  const auto kind = static_cast<stream_vertices>(header.vertices);
  const auto how = static_cast<mixing>(header.how);
  if (options.vertices != stream_vertices::automatic && options.vertices != kind) {
    throw usage_error{name + ": found a stream whose ids are " + std::string{api::to_string(kind)} + ", expected " +
                      std::string{api::to_string(options.vertices)}};
  }
  if (options.batch != 0 && header.batch != 0 && options.batch != header.batch) {
    throw usage_error{name + ": found batches of " + std::to_string(header.batch) + ", expected " + std::to_string(options.batch) +
                      ": other batches would give other answers"};
  }
  if (options.how != how) {
    throw usage_error{name + ": found a stream whose queries are " + (how == mixing::phased ? "phased" : "concurrent") +
                      ", expected the other way"};
  }
  const bool automatic = options.vertices == stream_vertices::automatic && header.automatic == 1;
  const bool are_signed = header.integers == stream_header::signed_ids;
  if (!api::take_queries(bytes, header.open_queries, kind == stream_vertices::strings, are_signed, opened->open)) {
    refuse("queries that cannot be read", "what was saved");
  }
  const std::string fault = opened->forest.restore(kind, automatic, bytes, header.names);
  if (!fault.empty()) refuse(fault, "what was saved");
  if (!bytes.empty()) refuse(std::to_string(bytes.size()) + " bytes behind the names", "what was saved");
  if (const std::uint64_t id = opened->forest.id_with_sign_bit(); id != 0) {
    opened->signs.expect(id, are_signed, [&] { return name; });
    if (are_signed) opened->forest.ids_are_signed();
  }
  if (header.batch != 0) opened->options.batch = header.batch;
  opened->at = {header.records, header.answers};
  opened->applied.resume(header.sum);
  return live_stream{std::move(opened)};
}

void live_stream::insert(const pair_columns& edges) {
  with_columns("insert", edges, [&](const auto& batch) { state_->insert(batch); });
}
void live_stream::insert(std::span<const std::string_view> sources, std::span<const std::string_view> targets) {
  state_->insert(api::columns("insert", sources, targets));
}
void live_stream::insert(std::span<const edge<std::uint32_t>> edges, bool are_signed) {
  with_pairs(edges, are_signed, [&](const auto& batch) { state_->insert(batch); });
}
void live_stream::insert(std::span<const edge<std::uint64_t>> edges, bool are_signed) {
  with_pairs(edges, are_signed, [&](const auto& batch) { state_->insert(batch); });
}
query_answers live_stream::connected(const pair_columns& queries) {
  return with_columns("connected", queries, [&](const auto& batch) { return state_->connected(batch); });
}
query_answers live_stream::connected(std::span<const std::string_view> sources, std::span<const std::string_view> targets) {
  return state_->connected(api::columns("connected", sources, targets));
}
query_answers live_stream::connected(std::span<const edge<std::uint32_t>> queries, bool are_signed) {
  return with_pairs(queries, are_signed, [&](const auto& batch) { return state_->connected(batch); });
}
query_answers live_stream::connected(std::span<const edge<std::uint64_t>> queries, bool are_signed) {
  return with_pairs(queries, are_signed, [&](const auto& batch) { return state_->connected(batch); });
}

void live_stream::merge(const live_stream& other) {
  if (this == &other || other.vertices() == 0) return;
  state_->expect_whole_batch("merge");
  if (state_->forest.can_index_an_array() && other.state_->forest.can_index_an_array()) {
    state_->forest.index_an_array();
    return state_->forest.live().merge(other.state_->forest.live());
  }
  if (state_->options.live.record_forest) {
    throw usage_error{"merge: found a structure whose ids do not index an array, expected one that records its forest too"};
  }
  const labelling labels = other.labels();
  const vertex_names& names = labels.names();
  constexpr std::uint64_t piece = std::uint64_t{1} << 16;
  const auto in_pieces = [&](auto& pairs, auto pair_of, auto insert) {
    for (std::uint64_t begin = 0; begin < labels.slots(); begin += piece) {
      pairs.clear();
      for (std::uint64_t v = begin; v < std::min(labels.slots(), begin + piece); ++v) {
        if (labels.present(v)) pairs.push_back(pair_of(v, labels.label(v)));
      }
      insert();
    }
  };
  if (names.what() == vertex_names::kind::strings) {
    std::vector<io::named_edge> pairs;
    in_pieces(
        pairs,
        [&](std::uint64_t v, std::uint64_t label) {
          return io::named_edge{names.string(v), names.string(label)};
        },
        [&] { state_->insert(api::interleaved_batch<std::string_view, io::named_edge>{pairs}); });
  } else {
    std::vector<edge<std::uint64_t>> pairs;
    in_pieces(
        pairs,
        [&](std::uint64_t v, std::uint64_t label) {
          return edge<std::uint64_t>{names.integer(v), names.integer(label)};
        },
        [&] { insert(pairs, names.is_signed()); });
  }
}

std::uint64_t live_stream::size_of(std::uint64_t vertex, bool negative) {
  const auto found = state_->forest.find(vertex, negative);
  return found ? state_->forest.live().size_of(*found) : 0;
}
std::uint64_t live_stream::size_of(std::string_view vertex) {
  const auto found = state_->forest.find(vertex);
  return found ? state_->forest.live().size_of(*found) : 0;
}
coo<std::uint32_t> live_stream::forest() const { return state_->forest.live().forest(); }

void live_stream::save(const std::filesystem::path& file) const {
  if (state_->forest.can_index_an_array()) return state_->forest.live().save(file);
  checkpoint(file);
}

query_answers live_stream::apply(const io::operation_batch& batch) {
  state& s = *state_;
  if (s.options.batch != 0 && batch.size() > room()) {
    throw usage_error{"stream: found " + std::to_string(batch.size()) + " records, expected at most " + std::to_string(room()) +
                      ", which complete a batch of " + std::to_string(s.options.batch)};
  }
  s.check_signs(batch);
  const auto pairs = s.forest.numbered(batch, s.at.records + 1);
  s.applied.prepare(batch, s.forest.threads());
  s.note_signs(batch);
  const std::uint64_t records = s.at.records + batch.size();
  if (s.is_between_batches(s.at.records)) s.open.clear(batch.named());
  const std::size_t open_before = s.open.size();
  query_answers answers{0, s.options.memory};
  try {
    if (s.options.how == mixing::phased && !s.is_between_batches(records)) s.open.add_queries_of(batch);
    answers = s.forest.live().apply(pairs, batch.kinds(), s.options.how);
  } catch (...) {
    s.open.shrink(open_before);
    throw;
  }
  s.open_before = open_before;
  s.at.records = records;
  s.at.answers += static_cast<std::uint64_t>(std::ranges::count(batch.kinds(), operation::query));
  s.applied.add(batch);
  return answers;
}

query_answers live_stream::answers_again() {
  state& s = *state_;
  if (s.open_before == 0) return query_answers{0, s.options.memory};
  return s.forest.live().connected(s.forest.numbered(s.open, s.at.records + 1).first(s.open_before));
}

bool live_stream::replay(const io::operation_batch& batch) {
  state& s = *state_;
  s.replayed.prepare(batch, s.forest.threads());
  s.replayed.add(batch);
  s.replayed_records += batch.size();
  return s.replayed_records != s.at.records || s.replayed.value() == s.applied.value();
}

std::uint64_t live_stream::replayed() const noexcept { return state_->replayed_records; }
stream_position live_stream::position() const noexcept { return state_->at; }
std::uint64_t live_stream::vertices() const noexcept { return state_->forest.live().vertices(); }
std::uint64_t live_stream::count() const noexcept { return state_->forest.live().count(); }
std::uint64_t live_stream::batch() const noexcept { return state_->options.batch; }
mixing live_stream::how() const noexcept { return state_->options.how; }
stream_vertices live_stream::vertex_kind() const noexcept { return state_->forest.kind(); }
const variant_info& live_stream::variant() const noexcept { return state_->forest.live().variant(); }
labelling live_stream::labels() const { return state_->forest.labels(); }

void live_stream::checkpoint(const std::filesystem::path& file) const {
  const state& s = *state_;
  stream_header header;
  header.records = s.at.records;
  header.answers = s.at.answers;
  header.batch = s.options.batch;
  header.names = s.forest.names();
  header.vertices = static_cast<std::uint32_t>(s.forest.kind());
  header.how = static_cast<std::uint32_t>(s.options.how);
  header.sum = s.applied.value();
  header.open_queries = s.is_between_batches(s.at.records) ? 0 : s.open.size();
  const bool are_signed = s.forest.is_signed() || (header.open_queries != 0 && s.open.any_negative());
  header.integers = are_signed ? stream_header::signed_ids : stream_header::unsigned_ids;
  header.automatic = s.forest.is_automatic() ? 1 : 0;
  std::pmr::vector<std::byte> beside{s.options.memory};
  api::append_bytes(beside, &header, sizeof header);
  if (header.open_queries != 0) api::append_queries(beside, s.open);
  s.forest.save(file, beside);
}

}  // namespace copse
