// Each batch is stored in one transaction of the folder together with the position in the stream: the number of records and answers, the
// lengths of the files of answers and events before the batch, and its queries. So a run that was killed between a batch and its answers
// can be continued exactly: the files are truncated to these lengths, and the batch is answered again.
#include "stream_state.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <concepts>
#include <copse/dynamic.hpp>
#include <copse/errors.hpp>
#include <cstring>
#include <iterator>
#include <limits>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/byte_hash.hpp"
#include "output.hpp"
#include "weighted_stream.hpp"

namespace copse::cli {
namespace {

constexpr std::array<const char*, 5> event_words{"created", "revived", "split", "merged", "vanished"};

/// How much of the stream has been processed. It is stored as the second line of the remark, a text that a dynamic graph keeps in its
/// folder for the caller; Python's class Dynamic uses the first line.
struct folder_position {
  std::uint64_t records = 0, answers = 0;                    ///< numbers of records and answers so far, those of the last batch included
  std::uint64_t records_sum = 0;                             ///< checksum of these records
  std::uint64_t batch = 0;                                   ///< number of the last batch
  std::uint64_t answer_bytes = 0, event_bytes = 0;           ///< lengths of the files before the last batch
  std::vector<std::pair<std::string, std::string>> queries;  ///< the queries of the batch as text
};

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_' || c == '.';
    if (is_plain) {
      safe += c;
    } else {
      fmt::format_to(std::back_inserter(safe), "%{:02x}", static_cast<unsigned char>(c));
    }
  }
  return safe.empty() ? "%" : safe;
}

std::string unescaped(std::string_view safe) {
  std::string text;
  for (std::size_t i = 0; i < safe.size(); ++i) {
    if (safe[i] != '%') {
      text += safe[i];
    } else if (i + 2 < safe.size()) {  // a % alone stands for an empty string
      unsigned value = 0;
      std::from_chars(safe.data() + i + 1, safe.data() + i + 3, value, 16);
      text += static_cast<char>(value);
      i += 2;
    }
  }
  return text;
}

std::string remark_of(const std::string& kind, const folder_position& at) {
  std::string remark = fmt::format("{}\nstream {} {} {:x} {} {} {}", kind, at.records, at.answers, at.records_sum, at.batch,
                                   at.answer_bytes, at.event_bytes);
  for (const auto& [u, v] : at.queries) fmt::format_to(std::back_inserter(remark), " {} {}", escaped(u), escaped(v));
  return remark;
}

/// Returns the position in the stream that remark_of() has written to the remark; nothing if copse stream has not written to the folder.
std::optional<folder_position> position_in(const std::string& folder, const std::string& remark) {
  const std::size_t begin = remark.find("\nstream ");
  if (begin == std::string::npos) return std::nullopt;
  std::istringstream from{remark.substr(begin + 8)};
  folder_position at;
  from >> at.records >> at.answers >> std::hex >> at.records_sum >> std::dec >> at.batch >> at.answer_bytes >> at.event_bytes;
  if (!from) throw input_error::at(folder, 0, "a position of a stream that is damaged", "what copse stream --state wrote");
  for (std::string u, v; from >> u >> v;) at.queries.emplace_back(unescaped(u), unescaped(v));
  return at;
}

/// A file to which each batch is appended, and which can be truncated to where a batch began.
class grown_file {
public:
  explicit grown_file(const std::string& path) : path_{path} {
    if (path.empty()) return;
    descriptor_ = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) throw input_error::at(path, 0, std::strerror(errno), "a file that can be written");
    const off_t end = lseek(descriptor_, 0, SEEK_END);
    if (end < 0) throw input_error::at(path, 0, std::strerror(errno), "a file");
    size_ = static_cast<std::uint64_t>(end);
  }
  grown_file(const grown_file&) = delete;
  ~grown_file() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// Truncates the file to `size` bytes. Throws input_error if it is shorter.
  void cut(std::uint64_t size) {
    if (!is_open() || size == size_) return;
    if (size > size_) {
      throw input_error::at(path_, 0, fmt::format("{} bytes", size_),
                            fmt::format("the file of the runs before, which had {}; give another name to begin a new one", size));
    }
    if (ftruncate(descriptor_, static_cast<off_t>(size)) != 0) refuse();
    size_ = size;
  }
  /// Appends the text and waits until it is on the disk.
  void add(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = pwrite(descriptor_, text.data(), text.size(), static_cast<off_t>(size_));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) refuse();
      size_ += static_cast<std::uint64_t>(written);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    if (fdatasync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) refuse();
  }

private:
  [[noreturn]] void refuse() const { throw resource_error{path_ + ": " + std::strerror(errno)}; }

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

template <dynamic_id Id>
class state_stream {
public:
  static constexpr bool of_strings = std::same_as<Id, std::string_view>;

  state_stream(const stream_state_command& options, const std::optional<dynamic_store_facts>& facts, const std::string& kind,
               resources& context)
      : options_{options}, answers_{options.answers}, events_{options.events} {
    std::optional<dynamic_options> made;
    if (!facts) made = dynamic_options{.weights = options.read.weight_column.has_value(), .history = options.history.value_or(1)};
    graph_.emplace(basic_dynamic<Id>::open(options.folder, made, {.remark = kind}, context.on()));
    const auto held = dynamic_facts_of(options.folder);
    kind_ = held->remark.substr(0, held->remark.find('\n'));
    const auto found = position_in(options.folder, held->remark);
    at_ = found.value_or(folder_position{});
    if (found) {
      finish_last_batch();
    } else if (answers_.size() != 0 || events_.size() != 0) {
      throw usage_error{"--answers and --events need new files: the folder holds no position at which these could go on"};
    }
  }

  [[nodiscard]] std::uint64_t records() const noexcept { return at_.records; }
  [[nodiscard]] std::string text() const {
    return fmt::format("{} records, {} answers, {} vertices, {} components", at_.records, at_.answers, graph_->vertices(), graph_->count());
  }
  /// Skips the records that the folder already has. Throws input_error if they are different ones.
  void pass_over(io::operation_reader& reader, resources& context) {
    constexpr std::uint64_t at_once = std::uint64_t{1} << 16;
    const std::string name = options_.stream == "-" ? "<stdin>" : options_.stream;
    io::operation_batch batch{&context.memory};
    std::uint64_t sum = 0;
    for (std::uint64_t done = 0; done < at_.records; done += batch.size()) {
      if (!reader.next(batch, std::min(at_once, at_.records - done)))
        throw input_error::at(name, 0, fmt::format("the end after record {}", done), fmt::format("record {} and more", at_.records));
      sum = sum_with(sum, batch);
    }
    if (sum != at_.records_sum) {
      throw input_error::at(name, 0, fmt::format("other records before record {} than {} was made of", at_.records + 1, options_.folder),
                            "the same stream from its start (--replay rest: what comes behind them)");
    }
  }
  void apply(const io::operation_batch& batch) {
    std::vector<dynamic_operation<Id>> operations;
    at_.queries.clear();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto [u, v] = ends(batch, i);
      if (batch.kinds()[i] == operation::query) {
        at_.queries.emplace_back(text_of(u), text_of(v));
        continue;
      }
      const bool inserts = batch.kinds()[i] == operation::insert;
      operations.push_back({inserts ? dynamic_operation_kind::insert : dynamic_operation_kind::erase, {.u = u, .v = v}});
      if (!batch.weights().empty()) operations.back().edge.weight = batch.weights()[i];
    }
    at_.records_sum = sum_with(at_.records_sum, batch);
    at_.records += batch.size();
    at_.answers += at_.queries.size();
    at_.batch = graph_->last_batch() + 1;
    at_.answer_bytes = answers_.size();
    at_.event_bytes = events_.size();
    graph_->apply(operations, remark_of(kind_, at_));
    tell();
  }
  /// Notes that the last batch is answered, so that the next run does not answer it again.
  void finish() {
    at_.queries.clear();
    at_.answer_bytes = answers_.size();
    at_.event_bytes = events_.size();
    at_.batch = 0;
    graph_->set_remark(remark_of(kind_, at_));
  }

private:
  struct pair {
    Id u, v;
  };
  pair ends(const io::operation_batch& batch, std::size_t i) const {
    if constexpr (of_strings) {
      return {batch.names(i).u, batch.names(i).v};
    } else {
      const auto [u, v] = batch.pairs()[i];
      constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
      const bool is_refused = std::signed_integral<Id> ? !batch.any_negative() && std::max(u, v) > largest : batch.any_negative();
      if (is_refused) {
        throw input_error::at(options_.stream == "-" ? "<stdin>" : options_.stream, 0,
                              std::signed_integral<Id> ? "an id above 9223372036854775807" : "a negative id",
                              "ids as the first batch of the graph had them, which decided whether they are signed");
      }
      return {static_cast<Id>(u), static_cast<Id>(v)};
    }
  }
  static std::string text_of(Id id) {
    if constexpr (of_strings) {
      return std::string{id};
    } else {
      return fmt::format("{}", id);
    }
  }
  static Id id_of(const std::string& text) {
    if constexpr (of_strings) {
      return text;
    } else {
      Id id{};
      std::from_chars(text.data(), text.data() + text.size(), id);
      return id;
    }
  }
  std::uint64_t sum_with(std::uint64_t sum, const io::operation_batch& batch) const {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      byte_hash hash;
      hash.add(&sum, sizeof sum);
      hash.add(&batch.kinds()[i], sizeof(operation));
      const auto [u, v] = ends(batch, i);
      if constexpr (of_strings) {
        const std::uint64_t size = u.size();
        hash.add(&size, sizeof size);
        hash.add(u.data(), u.size());
        hash.add(v.data(), v.size());
      } else {
        hash.add(&u, sizeof u);
        hash.add(&v, sizeof v);
      }
      sum = hash.value();
    }
    return sum;
  }
  void finish_last_batch() {
    answers_.cut(at_.answer_bytes);
    events_.cut(at_.event_bytes);
    if (at_.batch == graph_->last_batch()) tell();
  }
  /// Appends the answers and the events of the last batch to their files.
  void tell() {
    std::string lines;
    std::uint64_t number = at_.answers - at_.queries.size();
    for (const auto& [u, v] : at_.queries) {
      const Id a = id_of(u), b = id_of(v);
      fmt::format_to(std::back_inserter(lines), "{}\t{}\n", ++number, a == b || graph_->connected(a, b) ? "yes" : "no");
    }
    if (answers_.is_open()) {
      answers_.add(lines);
    } else if (!lines.empty()) {
      write_stdout(lines);
    }
    if (!events_.is_open()) return;
    lines.clear();
    if (events_.size() == 0) lines = "batch,event,from,into,vertices\n";
    const auto id_text = [](std::uint64_t id) { return id == no_component ? std::string{} : std::to_string(id); };
    for (const component_event& event : graph_->events(at_.batch)) {
      fmt::format_to(std::back_inserter(lines), "{},{},{},{},{}\n", at_.batch, event_words[static_cast<std::size_t>(event.kind)],
                     id_text(event.from), id_text(event.into), event.vertices);
    }
    events_.add(lines);
  }

  const stream_state_command& options_;
  std::string kind_;
  grown_file answers_, events_;
  std::optional<basic_dynamic<Id>> graph_;
  folder_position at_;
};

template <dynamic_id Id>
int run(const stream_state_command& options, const std::optional<dynamic_store_facts>& facts, const std::string& kind,
        io::operation_reader& reader, io::operation_batch& batch, resources& context) {
  const stopwatch clock;
  state_stream<Id> stream{options, facts, kind, context};
  const std::uint64_t before = stream.records();
  if (before != 0 && !options.quiet) context.observer.note("goes on after " + stream.text());
  if (options.has_all_records) stream.pass_over(reader, context);
  // For a new graph the first batch was already read, to find the kind of its ids.
  for (bool more = batch.size() != 0 || reader.next(batch, options.batch); more; more = reader.next(batch, options.batch)) {
    stream.apply(batch);
    context.observer.status(fmt::format("stream: {}, {}", stream.text(), record_rate_text(stream.records() - before, clock.seconds())));
  }
  stream.finish();
  context.observer.clear();
  if (options.read.counts->missing_ends != 0)
    context.observer.note(fmt::format("{} records with a missing end were dropped", options.read.counts->missing_ends.load()));
  if (!options.quiet) {
    complain(fmt::format("copse: stream: {}; {} in {:.3f} s", stream.text(), record_rate_text(stream.records() - before, clock.seconds()),
                         clock.seconds()));
  }
  return exit_code::done;
}

void require_same(const stream_state_command& options, const dynamic_store_facts& facts, std::string_view kind) {
  const std::string& folder = options.folder;
  if (facts.ids == dynamic_id_kind::dense || kind == "uuid")
    throw usage_error{folder + ": its ids are dense ids of a program or UUIDs of Python; a stream in text has integers or strings"};
  if ((kind == "bytes") != (options.read.ids == io::id_kind::bytes) && facts.ids == dynamic_id_kind::strings)
    throw usage_error{fmt::format("{}: its ids are {}: give --ids {}", folder, kind, kind == "bytes" ? "bytes" : "string")};
  if (facts.options.weights != options.read.weight_column.has_value())
    throw usage_error{
        folder + (facts.options.weights ? ": it keeps weights: give --weight" : ": it was made without --weight and keeps no weights")};
  if (facts.options.times || facts.options.keys)
    throw usage_error{folder + ": it keeps times or keys, which records of a stream do not have: use Python or C++"};
  if (options.history && *options.history != facts.options.history)
    throw usage_error{fmt::format("--history: the graph was made with {}, not {}: leave it out", facts.options.history, *options.history)};
  if (!options.events.empty() && facts.options.history == 0)
    throw usage_error{folder +
                      ": --events needs a history, and the graph was made with --history 0: make it anew with --history 1 or more"};
}

}  // namespace

int run_stream_state(const stream_state_command& options, resources& context) {
  if (!has_dynamic_store()) throw usage_error{"--state: needs SQLite: install libsqlite3 (libsqlite3-0 on Debian and Ubuntu)"};
  const auto facts = dynamic_facts_of(options.folder);
  io::stream_read_options read = options.read;
  read.erases = true;
  read.weights = read.weight_column.has_value();
  std::string kind = facts ? facts->remark.substr(0, facts->remark.find_first_of("\n ")) : "";
  if (facts) {
    require_same(options, *facts, kind);
    read.named = facts->ids == dynamic_id_kind::strings;
  }
  require_outputs({options.answers, options.events}, {options.stream});
  io::operation_reader reader{options.stream, read, context.on()};
  io::operation_batch batch{&context.memory};
  dynamic_id_kind ids = facts ? facts->ids : dynamic_id_kind::signed_integers;
  if (!facts) {
    if (!reader.next(batch, options.batch))
      throw input_error::at(options.stream == "-" ? "<stdin>" : options.stream, 0, "no records", "some, to make a graph of");
    if (batch.named()) {
      ids = dynamic_id_kind::strings;
      kind = read.ids == io::id_kind::bytes ? "bytes" : "text";
    } else {
      if (batch.first_large() != batch.size() && !batch.any_negative()) ids = dynamic_id_kind::unsigned_integers;
      kind = "integers";
    }
  }
  switch (ids) {
    case dynamic_id_kind::strings:
      return run<std::string_view>(options, facts, kind, reader, batch, context);
    case dynamic_id_kind::unsigned_integers:
      return run<std::uint64_t>(options, facts, kind, reader, batch, context);
    case dynamic_id_kind::signed_integers:
    case dynamic_id_kind::dense:
      break;
  }
  return run<std::int64_t>(options, facts, kind, reader, batch, context);
}

}  // namespace copse::cli
