#include "core/parallel.hpp"
#include "io/fields.hpp"
#include "io/id_records.hpp"
#include "io/operation_parser.hpp"
#include "io/pairs.hpp"
#include "io/records.hpp"
#include "io/source.hpp"
#include "io/stream_layout.hpp"
#include "io/table_layout.hpp"
#include "io/weight_rule.hpp"

#include <copse/errors.hpp>
#include <copse/operations.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <deque>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace copse::io {
static_assert(std::endian::native == std::endian::little, "pairs are read as they are stored in memory");

namespace {

stream_format stream_format_of(const std::filesystem::path& path) {
  const auto suffix = (compression_by_suffix(path) == compression::none ? path : path.stem()).extension();
  return suffix == ".coo"     ? stream_format::coo
         : suffix == ".coo64" ? stream_format::coo64
         : suffix == ".csv"   ? stream_format::csv
                              : stream_format::text;
}

read_options wanted(const stream_read_options& options, stream_format format) {
  const bool pairs = format == stream_format::coo || format == stream_format::coo64;
  if (options.signed_ids && !pairs) {
    throw usage_error{"signed is for raw pairs: a stream in text says itself whether its ids are signed"};
  }
  if (!options.weights) return options;
  if (pairs) {
    throw usage_error{"weights need a stream in text, with a column of weights: raw pairs have none"};
  }
  if (!options.weight_column) throw usage_error{"to read weights, name their column with the option weight_column"};
  return with_all_weights<read_options>(options);
}

}  // namespace

/// Reads a stream: holds the text that is read but not parsed yet, and one parser for each piece of text that is parsed concurrently.
class operation_reader::source {
public:
  source(const std::filesystem::path& path, const stream_read_options& options, const execution& on)
      : path_{path},
        format_{options.records.value_or(stream_format_of(path))},
        options_{wanted(options, format_), on},
        named_{options.named},
        largest_id_{options.largest_id},
        keeps_weights_{options.weights},
        held_{std::max<std::size_t>(options.block_bytes * pieces_held(on.threads), first_bytes), on.memory} {
    options_.erases = options.erases;
    input_file file{path};
    name_ = file.name();
    patient_ = file.size() != 0;
    std::array<char, first_bytes> first{};
    const std::size_t got = read_fully(file, first.data(), first.size());
    auto method = compression_by_magic({first.data(), got});
    if (method == compression::none) method = compression_by_suffix(path);  // a .gz that ends within its first bytes
    stream_ = open_stream(std::move(file), method, on.memory, {first.data(), got});
  }

  bool next(operation_batch& batch, std::size_t limit) {
    if (limit == 0) throw usage_error{name_ + ": the limit must be at least 1 record"};
    if (is_pairs()) return next_pairs(batch, limit);
    if (!layout_) lay_out();
    batch.clear(layout_->named);
    for (;;) {
      take_parsed(batch, limit);
      if (batch.size() == limit || !parse_more()) break;
    }
    if (batch.size() < limit) tell();
    return batch.size() != 0;
  }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
  static constexpr std::size_t first_bytes = 4;
  // bytes of text that are parsed at a time, per thread; few, because parsed records take several times as much memory as their text
  static constexpr std::size_t piece_of_thread = std::size_t{1} << 17;

  /// The size of the text buffer in blocks of options.block_bytes (1 MiB by default), such that it holds a piece of text for every thread.
  static std::size_t pieces_held(unsigned threads) { return std::max<std::size_t>(1, usable_threads(threads) * piece_of_thread >> 20); }

  [[nodiscard]] bool is_pairs() const noexcept { return format_ == stream_format::coo || format_ == stream_format::coo64; }

  /// Reads what is needed to determine the layout. If the input is not a file, as few bytes as possible are read, because the writer may
  /// wait for an answer before it goes on.
  void lay_out() {
    while (end_ < byte_order_mark.size() && !ended_) fill();
    const std::string_view first{held_.data(), end_};
    if (first.starts_with("\xFF\xFE") || first.starts_with("\xFE\xFF")) {
      throw input_error::at(name_, 1, "the byte order mark of UTF-16", "UTF-8 (iconv -f UTF-16 -t UTF-8 converts the file)");
    }
    if (first.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
    const auto f = format_ == stream_format::csv ? format::csv : format::edges;
    for (;;) {
      layout_ = lay_out_stream(path_, name_, f, options_, named_, {held_.data() + at_, end_ - at_}, ended_, patient_);
      if (layout_) break;
      fill();
    }
    rules_.emplace(stream_rules{name_, *layout_, options_, rule_, largest_id_, keeps_weights_});
    crew_.emplace_back(*rules_);
    parts_.emplace_back(options_.memory);
    if (layout_->header) pass_over_header();
  }

  /// Skips the header and the comments above it.
  void pass_over_header() {
    for (;;) {
      const std::string_view text{held_.data() + at_, end_ - at_};
      const first_records found = find_first_records(text, layout_->syntax, ended_, 1);
      if (found.empty() && !ended_) {
        fill();
        continue;
      }
      crew_.front().parse(text.substr(0, found.first_at), line_, parts_.front());
      crew_.front().see_record();
      if (ended_ && found.behind_first == text.size() && !text.ends_with('\n')) {
        note_open_end(text.substr(found.first_at), line_ + count_line_ends(text.substr(0, found.first_at)));
      }
      line_ += count_line_ends(text.substr(0, found.behind_first));
      at_ += found.behind_first;
      return;
    }
  }

  /// Gives the observer notes about the stream; called at its end.
  void tell() {
    if (std::exchange(told_, true)) return;
    read_counts counts;
    for (const operation_parser& parser : crew_) {
      rule_.add(parser.weighed());
      counts.late_comment_lines += parser.late_comments_seen();
      counts.trimmed_fields += parser.trimmed_fields();
    }
    rule_.tell(name_);
    tell_counts(name_, counts, options_);
  }

  /// Moves parsed records to the batch, up to the limit. After the last of them, rethrows the error that stopped their parser, if there was
  /// one.
  void take_parsed(operation_batch& batch, std::size_t limit) {
    std::vector<operation_batch::part> taken;
    std::size_t size = batch.size();
    for (; part_ < parts_used_ && size < limit; ++part_, taken_ = 0) {
      const operation_batch& part = parts_[part_];
      const std::size_t count = std::min(limit - size, part.size() - taken_);
      taken.push_back({&part, taken_, count});
      size += count;
      taken_ += count;
      if (taken_ != part.size()) break;
    }
    batch.append(taken, usable_threads(options_.threads));
    if (part_ == parts_used_ && fault_ && size < limit) std::rethrow_exception(fault_);
  }

  /// Parses the text in memory, or reads more text; returns false at the end of the input.
  bool parse_more() {
    const std::size_t most_bytes = std::max<std::size_t>(2, usable_threads(options_.threads)) * piece_of_thread;
    const std::string_view in_hand{held_.data() + at_, end_ - at_};
    if (in_hand.empty() && ended_) return false;
    std::string_view text = in_hand.substr(0, most_bytes);
    record_syntax plain = syntax_of(text);
    std::size_t whole = last_end_of_records(text, plain);
    if (whole == std::string_view::npos && text.size() < in_hand.size()) {  // the first record exceeds most_bytes: look at the whole buffer
      text = in_hand;
      plain = syntax_of(text);
      whole = last_end_of_records(text, plain);
    }
    if (whole == std::string_view::npos) {
      if (!ended_) {
        fill();
        return true;
      }
      note_open_end(text, line_);  // all records before it were parsed by earlier calls, so their errors have been reported
      whole = text.size();
    }
    parse_parts(text.substr(0, whole), plain);
    at_ += whole;
    return true;
  }

  /// The syntax of the stream, without quotes if the text has none.
  [[nodiscard]] record_syntax syntax_of(std::string_view text) const {
    record_syntax syntax = layout_->syntax;
    if (!syntax.quotes) return syntax;
    std::atomic<bool> any{false};
    parallel_blocks(usable_threads(options_.threads), text.size(), piece_of_thread, [&](std::size_t begin, std::size_t end) {
      if (text.substr(begin, end - begin).find('"') != std::string_view::npos) any.store(true, std::memory_order_relaxed);
    });
    syntax.quotes = any.load();
    return syntax;
  }

  // Parts of the text are parsed concurrently. If several fail, the error of the first part in the order of the stream is reported: that
  // part is parsed again, because only then the number of its first line is known.
  void parse_parts(std::string_view text, const record_syntax& syntax) {
    constexpr std::size_t least_bytes = std::size_t{1} << 14, parts_of_thread = 4;
    const unsigned threads = usable_threads(options_.threads);
    // One thread works until a first record is read, because only comments below it are counted as late_comment_lines.
    const bool alone = threads == 1 || !crew_.front().any_record();
    const std::size_t parts = alone ? 1 : std::clamp<std::size_t>(text.size() / least_bytes, 1, parts_of_thread * threads);
    while (crew_.size() < parts) {
      crew_.emplace_back(*rules_).see_record();
      parts_.emplace_back(options_.memory);
    }
    std::vector<std::string_view> cut;
    while (!text.empty()) {
      const std::size_t left = parts - cut.size();
      const std::size_t size = left <= 1 ? text.size() : end_of_records(text, syntax, text.size() / left, true);
      cut.push_back(text.substr(0, size));
      text.remove_prefix(size);
    }
    std::vector<char> failed(cut.size(), 0);
    const auto parse = [&](std::size_t i) {
      parts_[i].clear(layout_->named);
      parts_[i].reserve(count_line_ends(cut[i]), cut[i].size());
      crew_[i].parse(cut[i], line_, parts_[i]);
    };
    parallel_blocks(threads, cut.size(), 1, [&](std::size_t i, std::size_t) {
      try {
        parse(i);
      } catch (...) {
        failed[i] = 1;
      }
    });
    part_ = taken_ = parts_used_ = 0;
    for (std::size_t i = 0; i < cut.size() && !fault_; ++i) {
      try {
        if (failed[i] != 0) parse(i);
        check_signs(i);
        line_ += crew_[i].line_ends();
      } catch (...) {
        fault_ = std::current_exception();
      }
      ++parts_used_;
    }
  }

  /// Throws input_error if part i (the operations of one piece of text, which begins at line_) has a negative id and there were ids above
  /// INT64_MAX before, or the reverse. The operations from that id on are removed from the part.
  void check_signs(std::size_t i) {
    operation_batch& part = parts_[i];
    const std::size_t negative = part.first_negative(), large = part.first_large();
    for (const bool second : {false, true}) {
      const bool is_negative = (negative < large) != second;
      const std::size_t at = is_negative ? negative : large;
      if (at == part.size()) continue;
      try {
        const auto [u, v] = part.pairs()[at];
        const std::uint64_t line = line_ + crew_[i].sign_line(is_negative);
        signs_.expect(has_sign_bit(u) ? u : v, is_negative, [&] { return name_ + ":" + std::to_string(line); });
      } catch (...) {
        part.shrink(at);
        throw;
      }
    }
  }

  /// Gives the observer a note that the last record has no line end, and so may be cut off. A CR at its end counts as a line end.
  void note_open_end(std::string_view record, std::uint64_t line) const {
    if (record.ends_with('\r') || options_.observer == nullptr) return;
    if (is_blank_record(record, layout_->syntax) || is_comment(record, layout_->syntax)) return;
    options_.observer->note(name_ + ":" + std::to_string(line) +
                            ": the last record has no line end: it is taken as it is, and may be cut off");
  }

  bool next_pairs(operation_batch& batch, std::size_t limit) {
    batch.clear(false);
    const std::size_t width = format_ == stream_format::coo ? 4 : 8;
    while (batch.size() < limit) {
      while (end_ - at_ < 2 * width && !ended_) fill();
      if (end_ - at_ < 2 * width) break;
      const std::size_t count = std::min((end_ - at_) / (2 * width), limit - batch.size());
      for (std::size_t i = 0; i < count; ++i, at_ += 2 * width) {
        const edge<std::uint64_t> pair{id_at(at_, width), id_at(at_ + width, width)};
        ++pairs_;
        if (width == 4) wide_.see(pair.u, pair.v);
        if (std::max(pair.u, pair.v) > largest_id_) {
          const std::uint64_t bad = std::max(pair.u, pair.v);
          throw input_error::at(name_, 0, "the id " + id_text(bad, options_.signed_ids) + " in pair " + std::to_string(pairs_),
                                ids_up_to(largest_id_));
        }
        batch.add(operation::insert, pair, options_.signed_ids);
      }
    }
    if (batch.size() == 0 && end_ != at_) {
      throw input_error::at(name_, 0, std::to_string(end_ - at_) + " bytes behind the last pair",
                            "pairs of " + std::to_string(2 * width) + " bytes");
    }
    if (batch.size() == 0 && width == 4) wide_.refuse(name_);
    return batch.size() != 0;
  }

  [[nodiscard]] std::uint64_t id_at(std::size_t at, std::size_t width) const noexcept {
    const char* const from = held_.data() + at;
    if (width == 8) return load<std::uint64_t>(from);
    return options_.signed_ids ? static_cast<std::uint64_t>(std::int64_t{load<std::int32_t>(from)}) : load<std::uint32_t>(from);
  }

  /// Moves the remaining bytes to the front of the buffer, and reads more behind them.
  void fill() {
    if (options_.observer != nullptr && options_.observer->cancel_requested()) throw cancelled{};
    if (end_ - at_ == held_.size()) {  // the buffer is full with one record
      buffer<char> larger{2 * held_.size(), options_.memory};
      std::memcpy(larger.data(), held_.data() + at_, end_ - at_);
      held_ = std::move(larger);
    } else {
      std::memmove(held_.data(), held_.data() + at_, end_ - at_);
    }
    end_ -= at_;
    at_ = 0;
    const std::size_t got = stream_->read_by(usable_threads(options_.threads), held_.data() + end_, held_.size() - end_);
    end_ += got;
    ended_ = got == 0;
  }

  std::filesystem::path path_;
  stream_format format_;
  read_request options_;
  std::optional<bool> named_;
  std::uint64_t largest_id_;
  bool keeps_weights_;
  weight_rule rule_{options_};
  std::string name_;
  std::unique_ptr<byte_stream> stream_;
  buffer<char> held_;
  std::size_t at_ = 0, end_ = 0;
  bool ended_ = false;
  bool patient_ = false;                // true for a file, of which any amount may be read to determine the layout
  bool told_ = false;                   // true once tell() has given the observer its notes
  std::uint64_t line_ = 1, pairs_ = 0;  // the line of held_[at_], the first byte not parsed yet; the number of pairs read (binary only)
  wide_pairs wide_;
  ids::id_signs signs_;
  std::optional<stream_layout> layout_;
  std::optional<stream_rules> rules_;
  std::deque<operation_parser> crew_;
  std::deque<operation_batch> parts_;  // parts_[i] has the operations that crew_[i] parsed
  std::size_t parts_used_ = 0;         // number of parts in the text that was parsed last
  std::size_t part_ = 0, taken_ = 0;   // index of the part whose records take_parsed() takes next, and how many of them it already took
  std::exception_ptr fault_;           // the error of the first record that was refused; the parts hold the records before it
};

operation_reader::operation_reader(const std::filesystem::path& path, const stream_read_options& options, const execution& on)
    : source_{std::make_unique<source>(path, options, on)} {}
operation_reader::operation_reader(operation_reader&&) noexcept = default;
operation_reader::~operation_reader() = default;

bool operation_reader::next(operation_batch& batch, std::size_t limit) {
  return while_reading(source_->path(), [&] { return source_->next(batch, limit); });
}

}  // namespace copse::io
