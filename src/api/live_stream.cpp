#include <api/record_sum.hpp>
#include <api/stream_bytes.hpp>
#include <api/stream_forest.hpp>
#include <copse/errors.hpp>
#include <copse/live_stream.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace copse {
namespace {

/// What a checkpoint keeps beside the structure. Behind it follow the open queries, then the names. Version 1 ended before `sum`.
struct stream_header {
  std::array<char, 8> magic{'s', 't', 'r', 'e', 'a', 'm', '-', '2'};
  std::uint64_t records = 0;
  std::uint64_t answers = 0;
  std::uint64_t batch = 0;
  std::uint64_t names = 0;
  std::uint32_t vertices = 0;
  std::uint32_t how = 0;
  std::uint64_t sum = 0;
  std::uint64_t open_queries = 0;
  std::uint32_t knows_sum = 0;
  std::uint32_t automatic = 1;

  static constexpr std::size_t version_1_bytes = 48;
};
static_assert(sizeof(stream_header) == 72);

/// Takes the header off the front. Throws what `refuse(found, expected)` throws.
template <class Refuse>
stream_header take_header(std::span<const std::byte>& bytes, Refuse refuse) {
  stream_header header;
  const auto magic = header.magic;
  if (bytes.size() < stream_header::version_1_bytes) refuse("a structure that is no stream's", "a checkpoint of copse stream");
  std::memcpy(static_cast<void*>(&header), bytes.data(), stream_header::version_1_bytes);
  const bool is_stream = std::equal(magic.begin(), magic.end() - 1, header.magic.begin());
  if (!is_stream || (header.magic[7] != '1' && header.magic[7] != '2')) {
    refuse("another kind of checkpoint", "one of copse stream, version 1 or 2");
  }
  const std::size_t size = header.magic[7] == '2' ? sizeof header : stream_header::version_1_bytes;
  if (bytes.size() < size) refuse("a header that is cut off", "what was saved");
  std::memcpy(static_cast<void*>(&header), bytes.data(), size);
  bytes = bytes.subspan(size);
  const bool sane = header.vertices <= 3 && header.how <= 1 && header.knows_sum <= 1 && header.automatic <= 1 &&
                    header.answers <= header.records && header.open_queries <= header.answers &&
                    header.open_queries <= (header.batch == 0 ? 0 : header.records % header.batch);
  if (!sane) refuse("numbers that contradict each other", "what was saved");
  return header;
}

}  // namespace

struct live_stream::state {
  explicit state(const live_stream_options& asked) : options{asked}, forest{asked}, open{asked.live.memory} {}
  state(const live_stream_options& asked, incremental live) : options{asked}, forest{asked, std::move(live)}, open{asked.live.memory} {}

  [[nodiscard]] bool is_between_batches(std::uint64_t records) const noexcept { return options.batch == 0 || records % options.batch == 0; }

  live_stream_options options;
  api::stream_forest forest;
  stream_position at;
  api::record_sum applied;  ///< of all records
  bool knows_sum = true;
  api::record_sum replayed;
  std::uint64_t replayed_records = 0;
  io::operation_batch open;     ///< the queries of the current batch, while it is incomplete
  std::size_t open_before = 0;  ///< how many of them stood there before the last apply()
};

live_stream::live_stream(std::unique_ptr<state> held) noexcept : state_{std::move(held)} {}
live_stream::live_stream(live_stream&&) noexcept = default;
live_stream& live_stream::operator=(live_stream&&) noexcept = default;
live_stream::~live_stream() = default;

live_stream::live_stream(const live_stream_options& options) : state_{std::make_unique<state>(options)} {}

live_stream live_stream::resume(const std::filesystem::path& checkpoint, const live_stream_options& options) {
  std::vector<std::byte> beside;
  auto opened = std::make_unique<state>(options, incremental::open(checkpoint, api::stream_forest::settings_for(options), &beside));
  const auto refuse = [&](std::string_view found, std::string_view wanted) {
    throw input_error::at(checkpoint.string(), 0, found, wanted);
  };
  std::span<const std::byte> bytes{beside};
  const stream_header header = take_header(bytes, refuse);
  const auto kind = static_cast<stream_vertices>(header.vertices);
  const auto how = static_cast<mixing>(header.how);
  if (options.vertices != stream_vertices::automatic && options.vertices != kind) {
    throw usage_error{checkpoint.string() + ": found a stream whose ids are " + std::string{api::to_string(kind)} + ", expected " +
                      std::string{api::to_string(options.vertices)}};
  }
  if (options.batch != 0 && header.batch != 0 && options.batch != header.batch) {
    throw usage_error{checkpoint.string() + ": found batches of " + std::to_string(header.batch) + ", expected " +
                      std::to_string(options.batch) + ": other batches would give other answers"};
  }
  if (options.how != how) {
    throw usage_error{checkpoint.string() + ": found a stream whose queries are " + (how == mixing::phased ? "phased" : "concurrent") +
                      ", expected the other way"};
  }
  const bool automatic = options.vertices == stream_vertices::automatic && header.automatic == 1;
  if (!api::take_queries(bytes, header.open_queries, kind == stream_vertices::strings, opened->open)) {
    refuse("queries that cannot be read", "what was saved");
  }
  if (!opened->forest.restore(kind, automatic, bytes, header.names) || !bytes.empty()) {
    refuse("names that do not fit the structure", "what was saved");
  }
  if (header.batch != 0) opened->options.batch = header.batch;
  opened->at = {header.records, header.answers};
  opened->applied = api::record_sum{header.sum};
  opened->knows_sum = header.knows_sum == 1;
  return live_stream{std::move(opened)};
}

query_answers live_stream::apply(const io::operation_batch& batch) {
  state& s = *state_;
  if (s.options.batch != 0 && batch.size() > room()) {
    throw usage_error{"stream: found " + std::to_string(batch.size()) + " records, expected at most " + std::to_string(room()) +
                      ", which complete a batch of " + std::to_string(s.options.batch)};
  }
  const auto pairs = s.forest.numbered(batch, s.at.records + 1);
  const std::uint64_t records = s.at.records + batch.size();
  if (s.is_between_batches(s.at.records)) s.open.clear(batch.named());
  const std::size_t open_before = s.open.size();
  query_answers answers{0, s.options.live.memory};
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
  if (s.open_before == 0) return query_answers{0, s.options.live.memory};
  return s.forest.live().connected(s.forest.numbered(s.open, s.at.records + 1).first(s.open_before));
}

bool live_stream::replay(const io::operation_batch& batch) {
  state& s = *state_;
  s.replayed.add(batch);
  s.replayed_records += batch.size();
  return !s.knows_sum || s.replayed_records != s.at.records || s.replayed.value() == s.applied.value();
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
  header.knows_sum = s.knows_sum ? 1 : 0;
  header.automatic = s.forest.is_automatic() ? 1 : 0;
  std::pmr::vector<std::byte> beside{s.options.live.memory};
  api::append_bytes(beside, &header, sizeof header);
  if (header.open_queries != 0) api::append_queries(beside, s.open);
  s.forest.save(file, beside);
}

}  // namespace copse
