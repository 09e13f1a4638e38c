// Reads labels from a file: lines of names, or an array indexed by id. A label must be an id that the file lists, so the result is always a
// valid labelling; only verify checks that it is the right one.
#include "io/binary_source.hpp"
#include "io/fields.hpp"
#include "io/label_archive.hpp"
#include "io/npy.hpp"
#include "io/readers.hpp"
#include "io/written_suffix.hpp"

#include <copse/errors.hpp>
#include <copse/io.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory_resource>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copse::io {
namespace {

/// Splits the lines of a file of labels into two fields. In CSV, blanks around a field without quotes are not part of it, as in any table.
class label_lines {
public:
  label_lines(std::string_view file, std::string_view bytes, bool csv, bool header, bool trim)
      : file_{file}, rest_{bytes}, csv_{csv}, trim_{csv && trim} {
    if (header && !rest_.empty()) take_line();
  }

  /// Reads the next line, skipping blank ones; returns false at the end.
  bool next() {
    while (!rest_.empty()) {
      line_ = next_line_;
      if (csv_ && rest_.front() == '"') {
        split_csv();
        return true;
      }
      const std::string_view text = take_line();
      if (text.empty()) continue;
      split(text);
      return true;
    }
    return false;
  }

  [[nodiscard]] std::string_view id() const noexcept { return id_; }
  [[nodiscard]] std::string_view label() const noexcept { return label_; }
  [[nodiscard]] std::uint64_t line() const noexcept { return line_; }

  [[noreturn]] void refuse(std::string_view found, std::string_view expected) const {
    throw input_error::at(file_, line_, found, expected);
  }

private:
  std::string_view take_line() {
    const auto end = rest_.find('\n');
    std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++next_line_;
    if (text.ends_with('\r')) text.remove_suffix(1);
    return text;
  }

  void split(std::string_view text) {
    auto at = text.find(csv_ ? ',' : '\t');
    if (at == std::string_view::npos && !csv_) at = text.find_last_of(" ,");
    if (at == std::string_view::npos) refuse("one field", csv_ ? "id,component" : "id and component with a tab between");
    id_ = text.substr(0, at);
    label_ = text.substr(at + 1);
    if (trim_) id_ = trimmed(id_);
    if (trim_) label_ = trimmed(label_);
    if (csv_ && label_.starts_with('"')) {
      rest_ = {label_.data(), static_cast<std::size_t>(rest_.data() + rest_.size() - label_.data())};
      --next_line_;
      label_ = csv_field();
      end_csv_line();
    } else if (csv_ && label_.find(',') != std::string_view::npos) {
      refuse("more than two fields", "id,component");
    }
  }
  void split_csv() {
    id_ = csv_field();
    if (rest_.empty() || rest_.front() != ',') refuse("one field", "id,component");
    rest_.remove_prefix(1);
    label_ = csv_field();
    end_csv_line();
  }
  void end_csv_line() {
    if (!take_line().empty()) refuse("more than two fields", "id,component");
  }
  /// Cuts the next field off the text and removes its quotes, leaving the separator.
  std::string_view csv_field() {
    skip_blanks();
    if (!rest_.starts_with('"')) {
      const std::string_view field = rest_.substr(0, rest_.find_first_of(",\r\n"));
      rest_.remove_prefix(field.size());
      return trim_ ? trimmed(field) : field;
    }
    std::size_t at = 1;
    bool doubled = false;
    for (;; at += 2) {
      at = rest_.find('"', at);
      if (at == std::string_view::npos) refuse("a quote that is never closed", "a closing quote");
      if (at + 1 == rest_.size() || rest_[at + 1] != '"') break;
      doubled = true;
    }
    std::string_view field = rest_.substr(1, at - 1);
    for (const char c : field) next_line_ += c == '\n' ? 1 : 0;
    rest_.remove_prefix(at + 1);
    skip_blanks();
    if (!doubled) return field;
    std::string& plain = unquoted_.emplace_back();
    for (std::size_t i = 0; i < field.size(); ++i) {
      plain += field[i];
      if (field[i] == '"') ++i;
    }
    return plain;
  }

  void skip_blanks() {
    while (trim_ && !rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }

  std::string_view file_;
  std::string_view rest_;
  bool csv_;
  bool trim_;
  std::uint64_t line_ = 0;
  std::uint64_t next_line_ = 1;
  std::string_view id_;
  std::string_view label_;
  std::deque<std::string> unquoted_;  // owns fields with doubled quotes
};

/// True if the field looks like a misspelt number rather than like a name.
bool is_bad_number(std::string_view text) {
  return text.empty() ||
         (text.find_first_not_of("0123456789+-.") == std::string_view::npos && text.find_first_of("0123456789") != std::string_view::npos);
}

labelling labelling_of(std::span<const std::uint64_t> labels, vertex_names names, bool numbered, std::pmr::memory_resource* memory) {
  const auto as = [&]<class Id>(Id) {
    buffer<Id> held{labels.size(), memory};
    std::transform(labels.begin(), labels.end(), held.begin(), [](std::uint64_t l) { return static_cast<Id>(l); });
    return numbered ? labelling::numbered(std::move(held), std::move(names)) : labelling{std::move(held), std::move(names)};
  };
  const std::uint64_t largest =
      std::max<std::uint64_t>(labels.size(), labels.empty() ? 0 : *std::max_element(labels.begin(), labels.end()));
  return largest < no_vertex<std::uint32_t> ? as(std::uint32_t{}) : as(std::uint64_t{});
}

class label_file_reader {
public:
  label_file_reader(std::string name, std::string_view bytes, const read_request& options, bool csv, bool numbered)
      : name_{std::move(name)}, bytes_{bytes}, options_{options}, csv_{csv}, numbered_{numbered}, labels_{options.memory} {}

  labelling read() {
    if (options_.ids == id_kind::integers || options_.ids == id_kind::automatic) {
      if (auto done = read_integers()) return std::move(*done);
    }
    return read_strings();
  }

private:
  [[nodiscard]] label_lines lines() const { return {name_, bytes_, csv_, options_.header.value_or(csv_), options_.trim}; }

  /// Reads integer ids; returns nullopt if the ids turn out to be strings.
  std::optional<labelling> read_integers() {
    std::pmr::vector<std::uint64_t> ids{options_.memory};
    labels_.clear();
    label_lines from = lines();
    ids::id_signs signs;
    const auto note = [&](const integer_id& id) {
      if (has_sign_bit(id.word)) signs.expect(id.word, id.negative, [&] { return name_ + ":" + std::to_string(from.line()); });
    };
    while (from.next()) {
      const auto id = signed_integer(from.id());
      const auto label = signed_integer(from.label());
      if (!id || !label || (numbered_ && label->negative)) {
        const std::string_view bad = id ? from.label() : from.id();
        const bool may_be_string = options_.ids == id_kind::automatic && !is_bad_number(bad);
        if (may_be_string) return std::nullopt;
        from.refuse(quoted(bad), "a whole number" + std::string{any_integer_id.substr(5)} + " (or names, with the option ids string)");
      }
      note(*id);
      if (!numbered_) note(*label);
      ids.push_back(id->word);
      labels_.push_back(label->word);
    }
    const bool are_signed = signs.any_negative();
    const auto turn = [&ids, are_signed] {
      for (std::uint64_t& id : ids) id = id_rank(id, are_signed);
    };
    turn();
    const std::vector<std::uint64_t> order = ascending(ids);
    permute(ids, order);
    permute(labels_, order);
    turn();
    for (std::uint64_t i = 1; i < ids.size(); ++i) {
      if (ids[i - 1] == ids[i])
        refuse_row(order.empty() ? i : order[i], "the id " + id_text(ids[i], are_signed) + " again", "every id once");
    }
    vertex_names names = vertex_names::identity(ids.size());
    if (!ids.empty() && (ids.front() != 0 || ids.back() != ids.size() - 1)) {
      buffer<std::uint64_t> held{ids.size(), options_.memory};
      std::copy(ids.begin(), ids.end(), held.begin());
      names = vertex_names::integers(std::move(held), are_signed);
    }
    if (!numbered_) {
      for (std::uint64_t i = 0; i < labels_.size(); ++i) {
        const auto vertex = names.find(labels_[i]);
        if (!vertex) refuse_row(order.empty() ? i : order[i], "the label " + id_text(labels_[i], are_signed), "an id that the file lists");
        labels_[i] = *vertex;
      }
    }
    return labelling_of(labels_, std::move(names), numbered_, options_.memory);
  }

  labelling read_strings() {
    std::pmr::vector<std::string_view> ids{options_.memory};
    std::pmr::vector<std::string_view> texts{options_.memory};
    label_lines from = lines();
    while (from.next()) {
      ids.push_back(from.id());
      texts.push_back(from.label());
    }
    const std::vector<std::uint64_t> order = ascending(ids);
    permute(ids, order);
    permute(texts, order);
    std::uint64_t bytes = 0;
    for (std::uint64_t i = 0; i < ids.size(); ++i) {
      if (i != 0 && ids[i - 1] == ids[i]) refuse_row(order.empty() ? i : order[i], "the id " + quoted(ids[i]) + " again", "every id once");
      bytes += ids[i].size();
    }
    buffer<char> held{bytes, options_.memory};
    buffer<std::uint64_t> offsets{ids.size() + 1, options_.memory};
    char* to = held.data();
    for (std::uint64_t i = 0; i < ids.size(); ++i) {
      offsets[i] = static_cast<std::uint64_t>(to - held.data());
      to = std::copy(ids[i].begin(), ids[i].end(), to);
    }
    offsets[ids.size()] = bytes;
    vertex_names names = vertex_names::strings(std::move(held), std::move(offsets));
    labels_.clear();
    for (std::uint64_t i = 0; i < texts.size(); ++i) {
      const auto label = numbered_ ? integer(texts[i]) : names.find(texts[i]);
      if (!label) {
        refuse_row(order.empty() ? i : order[i], "the label " + quoted(texts[i]), numbered_ ? "a number" : "an id that the file lists");
      }
      labels_.push_back(*label);
    }
    return labelling_of(labels_, std::move(names), numbered_, options_.memory);
  }

  /// The permutation that sorts `ids`; empty if they are sorted already.
  template <class Id>
  static std::vector<std::uint64_t> ascending(const std::pmr::vector<Id>& ids) {
    if (std::is_sorted(ids.begin(), ids.end())) return {};
    std::vector<std::uint64_t> order(ids.size());
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) { return ids[a] < ids[b]; });
    return order;
  }
  template <class T>
  static void permute(std::pmr::vector<T>& values, const std::vector<std::uint64_t>& order) {
    if (order.empty()) return;
    std::pmr::vector<T> moved{values.get_allocator()};
    moved.reserve(values.size());
    for (const std::uint64_t i : order) moved.push_back(values[i]);
    values = std::move(moved);
  }
  [[noreturn]] void refuse_row(std::uint64_t row, std::string_view found, std::string_view expected) const {
    label_lines from = lines();
    for (std::uint64_t i = 0; i <= row; ++i) from.next();
    from.refuse(found, expected);
  }

  std::string name_;
  std::string_view bytes_;
  const read_request& options_;
  bool csv_;
  bool numbered_;
  std::pmr::vector<std::uint64_t> labels_;
};

/// Labels from an array that holds the component of every id from `first_id` on; an item of all ones means that there is no such id.
template <class T>
labelling indexed(const packed_integers& all, const read_request& options, bool numbered, std::uint64_t first_id) {
  using Id = std::make_unsigned_t<T>;
  if (sizeof(Id) == 4 && all.size() > no_vertex<std::uint32_t>) {
    throw input_error::at(all.file, 0, std::to_string(all.size()) + " labels of 32 bits", "at most 4294967295");
  }
  vertex_names names = vertex_names::consecutive(first_id, all.size());
  buffer<Id> labels{all.size(), options.memory};
  for (std::uint64_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<Id>(load<T>(all.bytes.data() + i * sizeof(T)));
  for (std::uint64_t i = 0; i < labels.size() && !numbered; ++i) {
    if (labels[i] == no_vertex<Id>) continue;
    const auto vertex = names.find(std::uint64_t{labels[i]});
    if (!vertex || load<T>(all.bytes.data() + *vertex * sizeof(T)) == static_cast<T>(no_vertex<Id>)) {
      const std::string from = first_id == 0 ? "" : "from " + std::to_string(first_id) + " and ";
      all.refuse(i, "the label", "an id that the file lists, " + from + "below " + std::to_string(first_id + labels.size()));
    }
    labels[i] = static_cast<Id>(*vertex);
  }
  return numbered ? labelling::numbered(std::move(labels), std::move(names)) : labelling{std::move(labels), std::move(names)};
}

labelling read_indexed(const packed_integers& all, const read_request& options, bool numbered, std::uint64_t first_id) {
  if (all.width < 4) throw input_error::at(all.file, 0, std::to_string(8 * all.width) + "-bit labels", "labels of 32 or 64 bits");
  if (all.width == 4) return indexed<std::uint32_t>(all, options, numbered, first_id);
  return indexed<std::uint64_t>(all, options, numbered, first_id);
}

}  // namespace

labelling read_labels(const std::filesystem::path& path, const read_options& asked, bool numbered, std::uint64_t first_id,
                      const execution& on) {
  const read_request options{asked, on};
  auto plain = path.filename();
  if (plain.extension() == ".gz" || plain.extension() == ".zst") plain = plain.stem();
  const auto suffix = plain.extension();
  if (path == "-" || suffix == ".txt" || suffix == ".csv" || suffix == ".tsv") {
    const binary_source source{path, options};
    return label_file_reader{source.name(), source.bytes(), options, suffix == ".csv", numbered}.read();
  }
  if (suffix == ".npy") {
    const binary_source source{path, options};
    const npy_array array = npy_array_of(source.name(), source.bytes());
    if (array.shape.size() != 1) refuse_byte(source.name(), 10, "the shape " + shape_text(array), "one dimension");
    return read_indexed(integers_of(source.name(), array, "the labels"), options, numbered, first_id);
  }
  if (is_columnar_suffix(suffix.string())) {
    const std::string text = columns_as_text(path, {"id", "component"});
    return label_file_reader{path.string(), text, options, true, numbered}.read();
  }
  if (suffix == ".npz") {
    const binary_source source{path, options};
    return read_label_archive(source.bytes(), path, on, numbered);
  }
  if (suffix == ".bin" || suffix == ".bin64") {
    const binary_source source{path, options};
    const unsigned width = suffix == ".bin" ? 4 : 8;
    if (source.bytes().size() % width != 0) {
      throw input_error::at(source.name(), 0, std::to_string(source.bytes().size()) + " bytes",
                            "labels of " + std::to_string(width) + " bytes each");
    }
    return read_indexed({source.bytes(), width, false, 0, source.name()}, options, numbered, first_id);
  }
  throw input_error::at(path.string(), 0, suffix.empty() ? "a name without a suffix" : "the suffix " + suffix.string(),
                        ".txt .csv .parquet .arrow .npy .npz .bin or .bin64 for labels");
}

}  // namespace copse::io
