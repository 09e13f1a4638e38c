#include "io/byte_stream.hpp"
#include "io/fields.hpp"

#include <copse/errors.hpp>
#include <copse/operations.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

namespace copse::io {
namespace {

static_assert(std::endian::native == std::endian::little, "pairs are read as they lie in memory");

constexpr bool separates(char c) noexcept { return is_blank(c) || c == ','; }

/// The next word of a line, and the one comma or the blanks behind it.
std::string_view take_word(std::string_view& rest) noexcept {
  std::size_t end = 0;
  while (end < rest.size() && !separates(rest[end])) ++end;
  const std::string_view word = rest.substr(0, end);
  while (end < rest.size() && is_blank(rest[end])) ++end;
  if (end < rest.size() && rest[end] == ',') {
    ++end;
    while (end < rest.size() && is_blank(rest[end])) ++end;
  }
  rest.remove_prefix(end);
  return word;
}

struct text_record {
  operation kind = operation::insert;
  std::string_view u, v;
  std::string_view more;  ///< what there is behind them: nothing in a good record
};

/// Precondition: the line is trimmed and not empty.
text_record split_record(std::string_view line) noexcept {
  text_record record;
  const bool has_sign = (line.front() == '+' || line.front() == '?') && (line.size() == 1 || is_blank(line[1]));
  if (has_sign) {
    record.kind = line.front() == '?' ? operation::query : operation::insert;
    line = trimmed(line.substr(1));
  }
  record.u = take_word(line);
  record.v = take_word(line);
  record.more = line;
  return record;
}

}  // namespace

stream_format stream_format_of(const std::filesystem::path& path) {
  const auto suffix = (compression_by_suffix(path) == compression::none ? path : path.stem()).extension();
  return suffix == ".coo" ? stream_format::coo : suffix == ".coo64" ? stream_format::coo64 : stream_format::text;
}

void operation_batch::clear(bool named) noexcept {
  named_ = named;
  kinds_.clear();
  pairs_.clear();
  bytes_.clear();
  ends_.clear();
}

void operation_batch::add(operation kind, edge<std::uint64_t> pair) {
  kinds_.push_back(kind);
  pairs_.push_back(pair);
}

void operation_batch::add(operation kind, named_edge pair) {
  kinds_.push_back(kind);
  bytes_.insert(bytes_.end(), pair.u.begin(), pair.u.end());
  const std::size_t middle = bytes_.size();
  bytes_.insert(bytes_.end(), pair.v.begin(), pair.v.end());
  ends_.push_back({middle, bytes_.size()});
}

/// Bytes in hand, and what is made of them.
class operation_reader::source {
public:
  source(const std::filesystem::path& path, stream_format format, stream_ids ids, std::size_t block_bytes)
      : format_{format}, ids_{format == stream_format::text ? ids : stream_ids::integers}, held_(std::max<std::size_t>(block_bytes, 1)) {
    input_file file{path};
    name_ = file.name();
    auto method = compression_by_suffix(path);
    std::string first(4, '\0');  // a pipe has no suffix: its first bytes tell
    std::size_t got = 0;
    for (std::size_t now = 1; got < first.size() && now != 0; got += now) now = file.read(first.data() + got, first.size() - got);
    first.resize(got);
    if (path == "-") method = compression_by_magic(first);
    stream_ = open_stream(std::move(file), method, first);
  }

  bool next(operation_batch& batch, std::size_t limit) {
    if (format_ != stream_format::text) return next_pairs(batch, limit);
    std::string_view line;
    bool cleared = false;
    while (!cleared || batch.size() < limit) {
      if (limit == 0 || !next_line(line)) break;
      const text_record record = split_record(line);
      if (record.v.empty() || !record.more.empty()) refuse_words(line, record);
      if (ids_ == stream_ids::automatic) ids_ = integer(record.u) && integer(record.v) ? stream_ids::integers : stream_ids::strings;
      if (!cleared) batch.clear(ids_ == stream_ids::strings);
      cleared = true;
      if (ids_ == stream_ids::strings) {
        batch.add(record.kind, named_edge{record.u, record.v});
      } else {
        const auto u = integer(record.u), v = integer(record.v);
        if (!u || !v) refuse(describe_not_integer(u ? record.v : record.u), "an id from 0 to 18446744073709551615");
        batch.add(record.kind, edge<std::uint64_t>{*u, *v});
      }
    }
    if (!cleared) batch.clear(ids_ == stream_ids::strings);
    return batch.size() != 0;
  }

  void skip(std::uint64_t records) {
    std::uint64_t skipped = 0;
    if (format_ == stream_format::text) {
      std::string_view line;
      while (skipped < records && next_line(line)) ++skipped;
    } else {
      operation_batch passed;
      while (skipped < records && next_pairs(passed, std::min<std::uint64_t>(records - skipped, 1u << 16))) skipped += passed.size();
    }
    if (skipped < records) {
      throw input_error::at(name_, 0, "the end after record " + std::to_string(skipped), "record " + std::to_string(records) + " and more");
    }
  }

private:
  /// The next line that is a record, trimmed; valid until the next call.
  bool next_line(std::string_view& line) {
    for (;;) {
      const char* const from = held_.data() + at_;
      const void* const found = std::memchr(from, '\n', end_ - at_);
      if (found == nullptr && !ended_) {
        fill();
        continue;
      }
      if (found == nullptr && at_ == end_) return false;
      const std::size_t size = found == nullptr ? end_ - at_ : static_cast<std::size_t>(static_cast<const char*>(found) - from);
      line = {from, size};
      at_ += size + (found == nullptr ? 0 : 1);
      ++lines_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      line = trimmed(line);
      if (!is_blank_or_comment(line, "#%")) return true;
    }
  }

  bool next_pairs(operation_batch& batch, std::size_t limit) {
    batch.clear(false);
    const std::size_t width = format_ == stream_format::coo ? 4 : 8;
    while (batch.size() < limit) {
      while (end_ - at_ < 2 * width && !ended_) fill();
      if (end_ - at_ < 2 * width) break;
      const std::size_t count = std::min((end_ - at_) / (2 * width), limit - batch.size());
      for (std::size_t i = 0; i < count; ++i, at_ += 2 * width) {
        edge<std::uint64_t> pair{0, 0};
        std::memcpy(&pair.u, held_.data() + at_, width);
        std::memcpy(&pair.v, held_.data() + at_ + width, width);
        batch.add(operation::insert, pair);
      }
    }
    if (batch.size() == 0 && end_ != at_) {
      throw input_error::at(name_, 0, std::to_string(end_ - at_) + " bytes behind the last pair",
                            "pairs of " + std::to_string(2 * width) + " bytes");
    }
    return batch.size() != 0;
  }

  /// More bytes behind those in hand, which move to the front.
  void fill() {
    std::memmove(held_.data(), held_.data() + at_, end_ - at_);
    end_ -= at_;
    at_ = 0;
    if (end_ == held_.size()) held_.resize(2 * held_.size());
    const std::size_t got = stream_->read(held_.data() + end_, held_.size() - end_);
    end_ += got;
    ended_ = got == 0;
  }

  [[noreturn]] void refuse(std::string_view found, std::string_view expected) const {
    throw input_error::at(name_, lines_, found, expected);
  }
  [[noreturn]] void refuse_words(std::string_view line, const text_record& record) const {
    refuse(record.more.empty() ? "no second id in " + quoted(line) : "more than two ids in " + quoted(line),
           "a record such as + u v or ? u v");
  }

  stream_format format_;
  stream_ids ids_;
  std::string name_;
  std::unique_ptr<byte_stream> stream_;
  std::vector<char> held_;
  std::size_t at_ = 0, end_ = 0;
  bool ended_ = false;
  std::uint64_t lines_ = 0;
};

operation_reader::operation_reader(const std::filesystem::path& path, stream_format format, stream_ids ids, std::size_t block_bytes)
    : source_{std::make_unique<source>(path, format, ids, block_bytes)} {}
operation_reader::operation_reader(operation_reader&&) noexcept = default;
operation_reader::~operation_reader() = default;

bool operation_reader::next(operation_batch& batch, std::size_t limit) { return source_->next(batch, limit); }
void operation_reader::skip(std::uint64_t records) { source_->skip(records); }

}  // namespace copse::io
