#include "io/fields.hpp"
#include "io/id_columns.hpp"
#include "io/id_records.hpp"
#include "io/pairs.hpp"
#include "io/source.hpp"
#include "io/stream_layout.hpp"
#include "io/table_layout.hpp"
#include "io/weight_rule.hpp"

#include <copse/errors.hpp>
#include <copse/operations.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace copse::io {
static_assert(std::endian::native == std::endian::little, "pairs are read as they lie in memory");

namespace {

stream_format stream_format_of(const std::filesystem::path& path) {
  const auto suffix = (compression_by_suffix(path) == compression::none ? path : path.stem()).extension();
  return suffix == ".coo"     ? stream_format::coo
         : suffix == ".coo64" ? stream_format::coo64
         : suffix == ".csv"   ? stream_format::csv
                              : stream_format::text;
}

}  // namespace

/// Bytes in hand, and what is made of them.
class operation_source {
public:
  operation_source(const std::filesystem::path& path, const stream_read_options& options, const execution& on)
      : path_{path},
        format_{options.records.value_or(stream_format_of(path))},
        options_{options, on},
        named_{options.named},
        largest_id_{options.largest_id},
        held_{std::max<std::size_t>(options.block_bytes, first_bytes), on.memory} {
    input_file file{path};
    name_ = file.name();
    patient_ = file.size() != 0;
    std::array<char, first_bytes> first{};
    const std::size_t got = read_fully(file, first.data(), first.size());
    auto method = compression_by_magic({first.data(), got});
    if (method == compression::none) method = compression_by_suffix(path);  // a .gz that is cut before its first bytes
    stream_ = open_stream(std::move(file), method, on.memory, {first.data(), got});
  }

  bool next(operation_batch& batch, std::size_t limit) {
    if (limit == 0) throw usage_error{name_ + ": found a limit of 0 records, expected 1 or more"};
    if (is_pairs()) return next_pairs(batch, limit);
    if (!layout_) lay_out();
    batch.clear(layout_->named);
    std::string_view text;
    while (batch.size() < limit && next_record(text)) add(batch, text);
    if (batch.size() < limit) tell();
    return batch.size() != 0;
  }
  /// The same with the weight of each record.
  bool next(operation_batch& batch, std::vector<double>& weights, std::size_t limit) {
    weights.clear();
    weights_ = &weights;
    const bool any = next(batch, limit);
    weights_ = nullptr;
    return any;
  }

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
  static constexpr std::size_t first_bytes = 4;

  [[nodiscard]] bool is_pairs() const noexcept { return format_ == stream_format::coo || format_ == stream_format::coo64; }

  /// Unless it is a file, as few bytes are taken as show what the stream looks like: its writer may wait for an answer before it goes on.
  void lay_out() {
    while (end_ < byte_order_mark.size() && !ended_) fill();
    const std::string_view first{held_.data(), end_};
    if (first.starts_with("\xFF\xFE") || first.starts_with("\xFE\xFF")) {
      throw input_error::at(name_, 1, "the byte order mark of UTF-16", "UTF-8 (iconv -f UTF-16 -t UTF-8 makes it of this)");
    }
    if (first.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
    const auto f = format_ == stream_format::csv ? format::csv : format::edges;
    for (;;) {
      layout_ = lay_out_stream(path_, name_, f, options_, named_, {held_.data() + at_, end_ - at_}, ended_, patient_);
      if (layout_) break;
      fill();
    }
    inserts_.emplace(layout_->syntax, layout_->columns);
    queries_.emplace(layout_->syntax, std::span{layout_->columns}.first(layout_->ids));
    all_.emplace(layout_->syntax, std::span<const unsigned>{});
    late_comments_.emplace(*layout_, layout_->named, options_);
    const std::size_t ids = layout_->named ? layout_->ids : 0;
    inserts_->watch(0, ids);
    queries_->watch(0, ids);
    if (!layout_->header) return;
    std::string_view header;
    static_cast<void>(next_record(header));
  }

  /// At the end of the stream.
  void tell() {
    if (std::exchange(told_, true)) return;
    rule_.add(weighed_);
    rule_.tell(name_);
    read_counts counts;
    counts.late_comment_lines = late_comments_->count();
    counts.trimmed_fields = inserts_->trimmed_fields() + queries_->trimmed_fields();
    tell_counts(name_, counts, options_);
  }

  /// The next record, without its line end; valid until the next call. Comments and blank lines are passed over.
  bool next_record(std::string_view& record) {
    const record_syntax& syntax = layout_->syntax;
    for (;;) {
      const std::string_view text{held_.data() + at_, end_ - at_};
      std::size_t size = text.empty() ? std::string_view::npos : end_of_record(text, syntax, false);
      const bool unfinished = size == std::string_view::npos;
      if (unfinished && !ended_) {
        fill();
        continue;
      }
      if (unfinished && text.empty()) return false;
      if (unfinished) size = end_of_record(text, syntax, true);
      std::string_view whole = text.substr(0, size);
      line_ = next_line_;
      next_line_ += count_line_ends(whole);
      at_ += size;
      record = cut_record(whole, syntax);
      if (is_blank_record(record, syntax)) continue;
      if (is_comment(record, syntax)) {
        if (options_.counts != nullptr) options_.counts->comment_lines.fetch_add(1, std::memory_order_relaxed);
        if (!any_record_) continue;
        late_comments_->take(record, [&](const std::string& found, const std::string& expected, std::vector<remedy> remedies) {
          throw ambiguous_input{input_error::at(name_, line_, found, expected), std::move(remedies)};
        });
        continue;
      }
      if (unfinished && !text.ends_with('\r') && options_.observer != nullptr) {
        options_.observer->note(name_ + ":" + std::to_string(line_) +
                                ": the last record has no line end: it is taken as it is, and may be cut off");
      }
      any_record_ = true;
      return true;
    }
  }

  void add(operation_batch& batch, std::string_view text) {
    const std::string_view whole = text;
    const auto sign = take_sign(text, layout_->syntax);
    if (!sign && begins_with_sign(text)) {
      refuse(quoted(whole), "a delimiter behind the sign, or a sign before an id that begins with one");
    }
    const operation kind = sign.value_or(operation::insert);
    field_picker& fields = kind == operation::insert ? *inserts_ : *queries_;
    if (const auto fault = fields.pick(text); fault != record_fault::none) refuse_fault(fields, fault, whole, text);
    if (layout_->two_only && !only_two(text)) {
      refuse("more than two ids in " + quoted(whole),
             "a record such as + u v or ? u v (the option columns 1,2 passes over further columns)");
    }
    const auto ids = std::span{fields.fields()}.first(layout_->ids);
    const bool missing = std::any_of(ids.begin(), ids.end(), [&](std::string_view id) { return is_missing(id); });
    if (missing && options_.counts != nullptr) options_.counts->missing_ends.fetch_add(1, std::memory_order_relaxed);
    const bool weighs = kind == operation::insert && layout_->columns.size() != layout_->ids && !missing;
    const judged_weight weight = weighs ? judged(fields[layout_->ids]) : judged_weight{weight_verdict::taken, 0};
    if (!missing && (!weighs || weighed_.count(weight))) {
      if (weights_ != nullptr) weights_->push_back(weight.weight);
      if (layout_->named) {
        const std::string_view u = name_of(ids.first(layout_->left), joined_[0]);
        batch.add(kind, named_edge{u, name_of(ids.subspan(layout_->left), joined_[1])});
      } else {
        const std::uint64_t u = id_in(fields[0]);
        batch.add(kind, edge<std::uint64_t>{u, id_in(fields[1])});
      }
    }
    fields.forget();
  }

  [[nodiscard]] bool only_two(std::string_view text) {
    static_cast<void>(all_->pick(text));
    all_->forget();
    return all_->seen() == 2;
  }
  [[nodiscard]] bool is_missing(std::string_view field) const {
    return std::find(options_.missing.begin(), options_.missing.end(), field) != options_.missing.end();
  }
  [[nodiscard]] judged_weight judged(std::string_view field) const {
    const judged_weight weight = rule_.judge(trimmed(field));
    if (weight.verdict == weight_verdict::not_a_number) {
      refuse(quoted(field), "a number as weight in column " + std::to_string(layout_->columns[layout_->ids]));
    }
    return weight;
  }
  [[nodiscard]] std::string_view name_in(std::string_view field) const {
    if (field.empty()) refuse("an empty field", "a string id (the option na '' drops such records)");
    if (options_.ids != id_kind::bytes && !is_utf8(field))
      refuse(quoted(field), "a string id in UTF-8 (the option ids bytes takes any bytes)");
    return field;
  }
  /// Of several columns: in `joined`.
  [[nodiscard]] std::string_view name_of(std::span<const std::string_view> parts, std::string& joined) const {
    for (const std::string_view part : parts) static_cast<void>(name_in(part));
    if (parts.size() == 1) return parts.front();
    joined.clear();
    if (const auto bad = join_parts(parts, options_.id_delimiter, joined)) {
      const auto [found, expected] = refusal_of_part(parts[*bad], options_.id_delimiter);
      refuse(found, expected);
    }
    return joined;
  }
  [[nodiscard]] std::uint64_t id_in(std::string_view field) const {
    const auto id = integer(field);
    if (!id) refuse(describe_not_integer(field), ids_text());
    if (options_.ids == id_kind::automatic && has_leading_zeros(field)) {
      refuse("the id " + std::string{field} + " with leading zeros",
             "the option ids int, which takes it for " + std::to_string(*id) + ", or the option ids string, which tells them apart");
    }
    if (*id > largest_id_) refuse("the too large number " + quoted(field), ids_text());
    return *id;
  }
  [[nodiscard]] std::string ids_text() const { return "an id from 0 to " + std::to_string(largest_id_); }

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
        ++pairs_;
        if (width == 4) wide_.see(pair.u, pair.v);
        if (std::max(pair.u, pair.v) > largest_id_) {
          throw input_error::at(name_, 0, "the id " + std::to_string(std::max(pair.u, pair.v)) + " in pair " + std::to_string(pairs_),
                                ids_text());
        }
        batch.add(operation::insert, pair);
      }
    }
    if (batch.size() == 0 && end_ != at_) {
      throw input_error::at(name_, 0, std::to_string(end_ - at_) + " bytes behind the last pair",
                            "pairs of " + std::to_string(2 * width) + " bytes");
    }
    if (batch.size() == 0 && width == 4) wide_.refuse(name_);
    return batch.size() != 0;
  }

  /// More bytes behind those in hand, which move to the front.
  void fill() {
    if (options_.observer != nullptr && options_.observer->cancel_requested()) throw cancelled{};
    if (end_ - at_ == held_.size()) {  // a record longer than the buffer
      buffer<char> larger{2 * held_.size(), options_.memory};
      std::memcpy(larger.data(), held_.data() + at_, end_ - at_);
      held_ = std::move(larger);
    } else {
      std::memmove(held_.data(), held_.data() + at_, end_ - at_);
    }
    end_ -= at_;
    at_ = 0;
    const std::size_t got = stream_->read(held_.data() + end_, held_.size() - end_);
    end_ += got;
    ended_ = got == 0;
  }

  [[noreturn]] void refuse(std::string_view found, std::string_view expected) const {
    throw input_error::at(name_, line_, found, expected);
  }
  [[noreturn]] void refuse_fault(const field_picker& fields, record_fault fault, std::string_view whole, std::string_view text) const {
    if (fault == record_fault::missing_column && fields.last_column() == 2 && layout_->ids == 2) {
      refuse("no second id in " + quoted(whole), "a record such as + u v or ? u v, separated by " + delimiter_text(layout_->syntax));
    }
    const auto [found, expected] = fields.refusal_of(fault, text);
    refuse(found, expected);
  }

  std::filesystem::path path_;
  stream_format format_;
  read_request options_;
  std::optional<bool> named_;
  std::uint64_t largest_id_;
  weight_rule rule_{options_};
  weight_rule::tally weighed_;
  std::string name_;
  std::unique_ptr<byte_stream> stream_;
  buffer<char> held_;
  std::size_t at_ = 0, end_ = 0;
  bool ended_ = false;
  bool patient_ = false;     // a file, which can be looked at as far as that helps
  bool any_record_ = false;  // has been read, or a header
  bool told_ = false;        // true once comments and trimmed blanks have been noted
  std::uint64_t line_ = 1, next_line_ = 1, pairs_ = 0;
  wide_pairs wide_;
  std::optional<stream_layout> layout_;
  std::optional<field_picker> inserts_, queries_;  // which columns of them
  std::optional<field_picker> all_;                // all columns
  std::optional<late_comments> late_comments_;
  std::array<std::string, 2> joined_;       // the ids of a record, where they have several columns
  std::vector<double>* weights_ = nullptr;  // where they are wanted
};

class operation_reader::source : public operation_source {
public:
  using operation_source::operation_source;
};

operation_reader::operation_reader(const std::filesystem::path& path, const stream_read_options& options, const execution& on)
    : source_{std::make_unique<source>(path, options, on)} {}
operation_reader::operation_reader(operation_reader&&) noexcept = default;
operation_reader::~operation_reader() = default;

bool operation_reader::next(operation_batch& batch, std::size_t limit) {
  return while_reading(source_->path(), [&] { return source_->next(batch, limit); });
}

class weighted_operation_reader::source : public operation_source {
public:
  using operation_source::operation_source;
};

namespace {

stream_read_options weighted_records(const std::filesystem::path& path, const stream_read_options& options) {
  const auto format = options.records.value_or(stream_format_of(path));
  if (format == stream_format::coo || format == stream_format::coo64) {
    throw usage_error{"weights: found a stream of raw pairs, expected text with a column of weights"};
  }
  if (!options.weight_column) throw usage_error{"weights: found no column, expected that of the weights"};
  return with_all_weights(options);
}

}  // namespace

weighted_operation_reader::weighted_operation_reader(const std::filesystem::path& path, const stream_read_options& options,
                                                     const execution& on)
    : source_{std::make_unique<source>(path, weighted_records(path, options), on)} {}
weighted_operation_reader::weighted_operation_reader(weighted_operation_reader&&) noexcept = default;
weighted_operation_reader::~weighted_operation_reader() = default;

bool weighted_operation_reader::next(operation_batch& batch, std::vector<double>& weights, std::size_t limit) {
  return while_reading(source_->path(), [&] { return source_->next(batch, weights, limit); });
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

void operation_batch::add_queries_of(const operation_batch& other) {
  for (std::size_t i = 0; i < other.size(); ++i) {
    if (other.kinds_[i] != operation::query) continue;
    if (named_) {
      add(operation::query, other.names(i));
    } else {
      add(operation::query, other.pairs_[i]);
    }
  }
}

void operation_batch::shrink(std::size_t size) noexcept {
  if (size >= kinds_.size()) return;
  if (named_) {
    bytes_.resize(size == 0 ? 0 : ends_[size - 1].v);
    ends_.resize(size);
  } else {
    pairs_.resize(size);
  }
  kinds_.resize(size);
}

}  // namespace copse::io
