// Two tables of labels become two columns of numbers, indexed by record: ids of both tables are numbered by one map, labels by one map for
// each table, by many threads at once.
#include <api/compared_values.hpp>
#include <copse/compare.hpp>
#include <core/hide.hpp>
#include <core/request.hpp>
#include <core/team.hpp>
#include <io/fields.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <concepts>
#include <functional>
#include <new>
#include <tuple>

namespace copse {
namespace {

using api::are_strings, api::batch_rows, api::can_be_read_again, api::decimal_texts, api::in_form, api::numbered_form;
using api::labelled_record;
using api::record_chunks;
using api::value_numbers;

std::string kind_text(bool strings) { return strings ? "strings" : "integers"; }

}  // namespace

struct comparison_sink::state {
  explicit state(const request<comparison_options>& asked)
      : options{asked},
        threads{usable_threads(options.threads)},
        records{threads, options.memory},
        clusters{threads, options.memory, "the clusters"},
        truth{threads, options.memory, "the truth"} {}

  struct table {
    table(unsigned workers, std::pmr::memory_resource* memory, std::string called) : name{std::move(called)}, labels{workers, memory} {
      for (unsigned worker = 0; worker < workers; ++worker) rows.emplace_back(memory);
    }

    std::string name;
    value_numbers labels;
    std::vector<record_chunks> rows;  ///< the records that each worker added
  };

  [[nodiscard]] table& of(labelled_by which) noexcept { return which == labelled_by::clusters ? clusters : truth; }

  void stop_if_cancelled() const {
    if (options.observer != nullptr && options.observer->cancel_requested()) throw cancelled{};
  }

  /// Throws if ids or labels are strings where earlier ones were integers, or the other way round.
  void open(table& to, bool string_ids, bool string_labels) {
    if (!records.open(string_ids || options.ids_as_text)) {
      throw mixed_ids_error{to.name + ": found ids that are " + kind_text(string_ids) + ", expected " + kind_text(!string_ids) +
                            " as in the other table"};
    }
    if (!to.labels.open(string_labels)) {
      throw usage_error{to.name + ": labels must be " + kind_text(!string_labels) + ", as before, not " + kind_text(string_labels)};
    }
  }
  /// Adds at most batch_rows rows. `signs`: whether integers with the sign bit are negative, among ids and among labels.
  template <class Id, class Label>
  void add_rows(unsigned worker, table& to, std::span<const Id> ids, std::span<const Label> labels, std::array<bool, 2> signs) {
    const auto place = [&] { return to.name; };
    if constexpr (are_strings<Id>) {
      const auto numbers = records.number(worker, ids, false, place);
      to.rows[worker].add(numbers, to.labels.number(worker, labels, signs[1], place));
    } else if (options.ids_as_text) {
      const decimal_texts texts{ids, signs[0]};
      add_rows(worker, to, texts.all(), labels, signs);
    } else {
      const auto numbers = records.number(worker, ids, signs[0], place);
      to.rows[worker].add(numbers, to.labels.number(worker, labels, signs[1], place));
    }
  }

  template <class Id, class Label>
  void add_columns(table& to, const typed_ids<Id>& ids, const typed_ids<Label>& labels) {
    open(to, are_strings<Id>, are_strings<Label>);
    parallel_blocks(threads, ids.size(), batch_rows, [&](std::size_t begin, std::size_t end) {
      stop_if_cancelled();
      std::array<numbered_form<Id>, batch_rows> some_ids;
      std::array<numbered_form<Label>, batch_rows> some_labels;
      add_rows(worker_number(), to, in_form(ids, begin, end, some_ids), in_form(labels, begin, end, some_labels),
               {std::signed_integral<Id>, std::signed_integral<Label>});
    });
  }

  void add_labelling(table& to, const labelling& all) {
    const vertex_names& names = all.names();
    const bool strings = names.what() == vertex_names::kind::strings;
    const auto add = [&]<class Id, class Label>(auto name_of, auto label_of, std::type_identity<Id>, std::type_identity<Label>) {
      open(to, are_strings<Id>, are_strings<Label>);
      parallel_blocks(threads, all.slots(), batch_rows, [&](std::size_t begin, std::size_t end) {
        stop_if_cancelled();
        std::array<Id, batch_rows> some_ids;
        std::array<Label, batch_rows> some_labels;
        std::size_t count = 0;
        for (std::size_t i = begin; i < end; ++i) {
          if (!all.present(i)) continue;
          some_ids[count] = name_of(i);
          some_labels[count++] = label_of(all.label(i));
        }
        add_rows(worker_number(), to, std::span<const Id>{some_ids.data(), count}, std::span<const Label>{some_labels.data(), count},
                 {names.is_signed(), !all.is_numbered() && names.is_signed()});
      });
    };
    constexpr std::type_identity<std::uint64_t> integers;
    constexpr std::type_identity<std::string_view> texts;
    const auto integer = [&](std::uint64_t i) { return names.integer(i); };
    const auto text = [&](std::uint64_t i) { return names.string(i); };
    const auto itself = [](std::uint64_t label) { return label; };
    if (strings && all.is_numbered()) return add(text, itself, texts, integers);
    if (strings) return add(text, text, texts, texts);
    if (all.is_numbered()) return add(integer, itself, integers, integers);
    add(integer, integer, integers, integers);
  }

  /// Returns the labels of a table, indexed by the number of the record. Throws for a record that comes twice.
  buffer<std::uint32_t> labels_by_record(table& from) {
    const std::uint64_t bound = records.bound();
    buffer<std::uint32_t> labels{bound, options.memory};
    parallel_blocks(threads, bound, ids::ids_per_block, [&](std::size_t begin, std::size_t end) {
      std::fill(labels.begin() + begin, labels.begin() + end, no_vertex<std::uint32_t>);
    });
    std::vector<buffer<labelled_record>> chunks;
    for (record_chunks& rows : from.rows) {
      for (buffer<labelled_record>& chunk : rows.take()) chunks.push_back(std::move(chunk));
    }
    std::atomic<bool> repeated{false};
    parallel_blocks(threads, chunks.size(), 1, [&](std::size_t k, std::size_t) {
      for (const auto& [record, label] : chunks[k]) {
        if (std::atomic_ref{labels[record]}.exchange(label, std::memory_order_relaxed) != no_vertex<std::uint32_t>) repeated = true;
      }
    });
    if (repeated) refuse_repeated(from, chunks);
    return labels;
  }

  [[noreturn]] void refuse_repeated(const table& from, std::span<const buffer<labelled_record>> chunks) const {
    enum : unsigned char { absent, once, twice };
    buffer<unsigned char> seen{records.bound(), options.memory};
    std::fill(seen.begin(), seen.end(), static_cast<unsigned char>(absent));
    for (const auto& chunk : chunks) {
      for (const auto& [record, label] : chunk) seen[record] = seen[record] == absent ? once : twice;
    }
    const std::string id = records.smallest([&](std::uint32_t number) { return seen[number] == twice; });
    throw input_error{from.name + ": found the record " + text_of(id) + " more than once, expected every record once"};
  }

  [[nodiscard]] std::string text_of(const std::string& id) const { return records.are_strings() == true ? io::quoted(id) : id; }

  /// Counts the records that only one of the tables has. Throws if there are any, unless options.common allows them.
  [[nodiscard]] std::array<std::uint64_t, 2> count_alone(const std::array<buffer<std::uint32_t>, 2>& labels) const {
    const auto has = [&](unsigned t, std::size_t i) { return labels[t][i] != no_vertex<std::uint32_t>; };
    std::array<std::atomic<std::uint64_t>, 2> alone{};
    parallel_blocks(threads, labels[0].size(), ids::ids_per_block, [&](std::size_t begin, std::size_t end) {
      std::array<std::uint64_t, 2> mine{};
      for (std::size_t i = begin; i < end; ++i) {
        mine[0] += has(0, i) && !has(1, i) ? 1 : 0;
        mine[1] += has(1, i) && !has(0, i) ? 1 : 0;
      }
      alone[0] += mine[0];
      alone[1] += mine[1];
    });
    if (!options.common && alone[0] + alone[1] != 0) {
      std::string found;
      for (const unsigned here : {0u, 1u}) {
        if (alone[here] == 0) continue;
        const std::string id = records.smallest([&](std::uint32_t i) { return has(here, i) && !has(1 - here, i); });
        found += (found.empty() ? "" : " and ") + std::to_string(alone[here]) + (alone[here] == 1 ? " record" : " records") + " only in " +
                 (here == 0 ? clusters : truth).name + ", such as " + text_of(id) + ",";
      }
      throw input_error{"compare: found " + found + " expected the same records in both; the option common compares those that both have"};
    }
    return {alone[0], alone[1]};
  }

  request<comparison_options> options;
  unsigned threads;
  value_numbers records;
  table clusters, truth;
  bool failed = false;  ///< set when an exception ended a batch early
};

namespace {

/// Calls work(); after an exception the sink accepts nothing more.
template <class Work>
void in_sink(bool& failed, Work work) {
  failed = true;
  try {
    work();
  } catch (const std::bad_alloc&) {
    throw resource_error{"compare: out of memory while the records were read"};
  }
  failed = false;
}

/// Thrown for a CSV table of strings if the caller does not say whether it has a header.
struct unknown_header {};

/// Holds back the notes of a parse, which may have to be repeated, until pass_on().
class held_notes final : public observer {
public:
  explicit held_notes(observer& behind) : behind_{behind} {}

  void progress(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) override {
    behind_.progress(stage, done, total, unit);
  }
  void note(std::string_view text) override {
    const std::lock_guard alone{guard_};
    notes_.emplace_back(text);
  }
  [[nodiscard]] bool cancel_requested() const noexcept override { return behind_.cancel_requested(); }
  void pass_on() {
    for (const std::string& note : notes_) behind_.note(note);
  }

private:
  observer& behind_;
  std::mutex guard_;
  std::vector<std::string> notes_;
};

/// A sink that receives the two columns of a file, an id and a label, as if they were edges.
template <class State, class Table>
class label_columns final : public io::edge_sink {
public:
  /// If `expects_header`, begin() throws unknown_header when values are strings, before any row is taken.
  label_columns(State& all, Table& to, bool expects_header) : all_{all}, to_{to}, expects_header_{expects_header} {}

  /// Asks for weights, because a reader of edges without weights sends a note about an id that is an end of very many edges, as the label
  /// of a large cluster would seem to be.
  [[nodiscard]] io::sink_wishes wishes() const noexcept override { return {.weights = true}; }
  void begin(const io::source_facts& facts) override {
    if (facts.named && expects_header_) throw unknown_header{};
  }
  void ids_are_signed() override { signed_.store(true); }
  void edges(unsigned worker, const io::edge_batch& batch) override {
    take(worker, batch.ids, [](const edge<std::uint64_t>& e) { return std::pair{e.u, e.v}; });
    take(worker, batch.names, [](const io::named_edge& e) { return std::pair{e.u, e.v}; });
  }

private:
  template <class Row, class Values>
  void take(unsigned worker, std::span<const Row> rows, Values values) {
    using value = typename std::invoke_result_t<Values, const Row&>::first_type;
    if (rows.empty()) return;
    all_.open(to_, are_strings<value>, are_strings<value>);
    std::array<value, batch_rows> ids, labels;
    for (std::size_t begin = 0; begin < rows.size(); begin += batch_rows) {
      const std::size_t count = std::min(batch_rows, rows.size() - begin);
      for (std::size_t i = 0; i < count; ++i) std::tie(ids[i], labels[i]) = values(rows[begin + i]);
      all_.add_rows(worker, to_, std::span<const value>{ids.data(), count}, std::span<const value>{labels.data(), count},
                    {signed_.load(), signed_.load()});
    }
  }

  State& all_;
  Table& to_;
  bool expects_header_;
  std::atomic<bool> signed_{false};
};

/// True for formats of labels alone, which io::read_labels reads.
bool holds_labels_only(const std::filesystem::path& path, const io::read_options& reading) {
  if (reading.format) return false;
  auto plain = path.filename();
  if (plain.extension() == ".gz" || plain.extension() == ".zst") plain = plain.stem();
  const auto suffix = plain.extension();
  return suffix == ".npy" || suffix == ".npz" || suffix == ".bin" || suffix == ".bin64";
}

/// Reads labels. Integers may be numbers of components or smallest ids, as both give the same partition; strings, which only `.npz` has,
/// must be ids of the file.
labelling read_label_file(const std::filesystem::path& path, const io::read_options& reading, const execution& on) {
  try {
    return io::read_labels(path, reading, true, 0, on);
  } catch (const input_error&) {
    if (!path.filename().string().ends_with(".npz")) throw;
  }
  return io::read_labels(path, reading, false, 0, on);
}

}  // namespace

comparison_sink::comparison_sink(const comparison_options& options, const execution& on)
    : state_{hide(std::make_unique<state>(request<comparison_options>{options, on}))} {}

comparison_sink::state& comparison_sink::open_state() {
  if (state_ == nullptr) throw usage_error{"comparison_sink: cannot be used after finish(); make a new sink"};
  if (state_->failed) throw usage_error{"comparison_sink: cannot be used after a call that failed; make a new sink"};
  return *state_;
}

void comparison_sink::add(labelled_by table, const id_column& records, const id_column& labels) {
  state& s = open_state();
  state::table& to = s.of(table);
  if (records.size() != labels.size()) {
    throw usage_error{to.name + ": ids and labels must have the same length, not " + std::to_string(records.size()) + " and " +
                      std::to_string(labels.size())};
  }
  if (records.size() == 0) return;
  in_sink(s.failed,
          [&] { std::visit([&](const auto& ids, const auto& values) { s.add_columns(to, ids, values); }, records.held(), labels.held()); });
}

void comparison_sink::add(labelled_by table, const labelling& labels) {
  state& s = open_state();
  if (labels.slots() == 0) return;
  in_sink(s.failed, [&] { s.add_labelling(s.of(table), labels); });
}

void comparison_sink::add_file(labelled_by table, const std::filesystem::path& path, const io::read_options& reading) {
  state& s = open_state();
  state::table& to = s.of(table);
  to.name = path.string();
  in_sink(s.failed, [&] {
    if (holds_labels_only(path, reading)) return s.add_labelling(to, read_label_file(path, reading, s.options.on()));
    if (reading.vertices)
      throw usage_error{to.name + ": only a graph can declare its vertices, not a table of labels: leave out the option vertices"};
    const io::format f = reading.format ? *reading.format : io::format_of(path);
    if (!io::has_columns(f)) {
      throw usage_error{to.name + ": must be a table of ids and labels, not a graph (" + std::string{io::to_string(f)} + ")"};
    }
    execution on = s.options.on();
    on.threads = s.threads;
    const auto parse = [&](const io::read_options& how, bool expects_header) {
      label_columns<state, state::table> columns{s, to, expects_header};
      std::optional<held_notes> notes;
      execution watched = on;
      if (on.observer != nullptr) watched.observer = &notes.emplace(*on.observer);
      io::parse(path, how, columns, watched);
      if (notes) notes->pass_on();
    };
    // A CSV file of labels is taken to have a header, as by io::read_labels. Where ids are integers, the parser recognises the header;
    // where they are strings, it would read the header as a record. So if it finds strings, begin() of the sink throws unknown_header, and
    // the file is parsed again with the option `header`.
    const bool may_be_strings = reading.ids == io::id_kind::automatic || reading.ids == io::id_kind::strings;
    const bool expects_header = f == io::format::csv && may_be_strings && !reading.header && can_be_read_again(path);
    try {
      parse(reading, expects_header);
    } catch (const unknown_header&) {
      io::read_options with_header = reading;
      with_header.header = true;
      if (on.observer != nullptr) {
        on.observer->note(to.name +
                          ": the first line is taken as a header, as labels in CSV have one (the option header decides otherwise)");
      }
      parse(with_header, false);
    }
  });
}

partition_comparison comparison_sink::finish() {
  static_cast<void>(open_state());
  const auto s = std::move(state_);
  try {
    std::array<buffer<std::uint32_t>, 2> labels;
    labels[0] = s->labels_by_record(s->clusters);
    labels[1] = s->labels_by_record(s->truth);
    const auto alone = s->count_alone(labels);
    s->stop_if_cancelled();
    partition_comparison result =
        api::compare_numbers(std::move(labels), {&s->clusters.labels, &s->truth.labels}, s->options, s->threads, s->options.memory);
    result.only_in_clusters = alone[0];
    result.only_in_truth = alone[1];
    return result;
  } catch (const std::bad_alloc&) {
    throw resource_error{"compare: out of memory while overlaps were counted"};
  }
}

}  // namespace copse
