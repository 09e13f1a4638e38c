#include <clusters/vertex_values.hpp>
#include <copse/errors.hpp>
#include <io/keyed_records.hpp>
#include <io/request.hpp>

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <variant>

namespace copse::clusters {
namespace {

/// Adds the values of one table to those of the tables before.
class value_sink final : public io::keyed_sink {
public:
  value_sink(known_vertices& known, std::vector<buffer<std::uint64_t>>& values,
             std::vector<std::unique_ptr<ids::id_map<std::string_view>>>& texts, unsigned workers)
      : known_{known}, values_{values}, texts_{texts}, clashes_(values.size()), workers_(workers) {
    for (auto& clash : clashes_) clash.store(no_vertex<std::uint64_t>, std::memory_order_relaxed);
  }

  void begin_table(const std::string& prefix) { prefix_ = prefix; }
  void begin(const io::keyed_facts&) override {}
  void ids_are_signed() override { signed_.store(true, std::memory_order_relaxed); }

  void records(unsigned worker, const io::keyed_batch& batch) override {
    std::vector<std::uint64_t>& vertices = workers_[worker];
    vertices.resize(batch.size());
    const auto keep = [&](std::size_t i, std::uint64_t v) { vertices[i] = v; };
    if (!known_.are_strings()) {
      known_.find(
          worker, batch.numbers.size(), [&](std::size_t i) { return batch.numbers[i]; }, keep);
    } else if (batch.numbers.empty() && prefix_.empty()) {
      known_.find(
          worker, batch.names.size(), [&](std::size_t i) { return batch.names[i]; }, keep);
    } else {
      std::deque<std::string> names;
      const bool negative = signed_.load(std::memory_order_relaxed);
      for (const std::string_view name : batch.names) names.push_back(prefix_ + std::string{name});
      for (const std::uint64_t number : batch.numbers) names.push_back(prefix_ + id_text(number, negative));
      known_.find(
          worker, names.size(), [&](std::size_t i) { return std::string_view{names[i]}; }, keep);
    }
    for (std::size_t column = 0; column < batch.values.size(); ++column) put(worker, column, batch.values[column], vertices);
  }

  /// The smallest vertex with two different values in this column, or no_vertex.
  [[nodiscard]] std::uint64_t clash(std::size_t column) const noexcept { return clashes_[column].load(std::memory_order_relaxed); }

private:
  void put(unsigned worker, std::size_t column, const std::vector<std::string_view>& values, const std::vector<std::uint64_t>& vertices) {
    auto& texts = *texts_[column];
    const auto room = texts.room(worker);
    std::array<std::uint64_t, io::keyed_batch::most> owners;
    std::size_t count = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i].empty() || vertices[i] == no_vertex<std::uint64_t>) continue;
      room[count] = values[i];
      owners[count++] = vertices[i];
    }
    const auto numbers = texts.number(worker, count, true);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t seen = value_limit::no_value;
      const std::atomic_ref<std::uint64_t> value{values_[column][owners[i]]};
      if (!value.compare_exchange_strong(seen, numbers[i], std::memory_order_relaxed) && seen != numbers[i]) note_clash(column, owners[i]);
    }
  }
  void note_clash(std::size_t column, std::uint64_t v) {
    std::uint64_t seen = clashes_[column].load(std::memory_order_relaxed);
    while (v < seen && !clashes_[column].compare_exchange_weak(seen, v, std::memory_order_relaxed)) {
    }
  }

  known_vertices& known_;
  std::vector<buffer<std::uint64_t>>& values_;
  std::vector<std::unique_ptr<ids::id_map<std::string_view>>>& texts_;
  std::vector<std::atomic<std::uint64_t>> clashes_;
  std::vector<std::vector<std::uint64_t>> workers_;  // for each worker, the vertex of each record of its batch
  std::string prefix_;
  std::atomic<bool> signed_{false};
};

std::string text_of(const vertex_names& names, std::uint64_t v) {
  return names.what() == vertex_names::kind::strings ? std::string{names.string(v)} : id_text(names.integer(v), names.is_signed());
}

/// Returns the options for reading tables of values: those of the scored pairs in `input`, but without weights, with the delimiter and
/// header of each table found from the table itself, and with ids as bytes if the vertices have strings as names (`strings`).
io::read_request reading_of_tables(const io::read_options& input, bool strings, const execution& on) {
  io::read_request reading{input, on};
  reading.delimiter.reset();
  reading.header.reset();
  reading.weight_column.reset();
  reading.min_weight.reset();
  reading.counts = nullptr;
  reading.numbers = nullptr;
  if (strings && reading.ids == io::id_kind::automatic) reading.ids = io::id_kind::bytes;
  return reading;
}

}  // namespace

std::vector<buffer<std::uint64_t>> values_of_vertices(known_vertices& known, const io::read_options& input,
                                                      std::span<const column_limit> limits, const execution& on) {
  std::vector<buffer<std::uint64_t>> values;
  if (limits.empty()) return values;
  const unsigned workers = usable_threads(on.threads);
  io::keyed_table table;
  std::vector<std::unique_ptr<ids::id_map<std::string_view>>> texts;
  for (const column_limit& limit : limits) {
    table.keys.push_back(limit.column);
    std::ranges::fill(values.emplace_back(known.names().size(), on.memory).span(), value_limit::no_value);
    texts.push_back(std::make_unique<ids::id_map<std::string_view>>(workers, on.memory));
  }
  value_sink sink{known, values, texts, workers};
  io::read_request reading = reading_of_tables(input, known.are_strings(), on);
  for (std::size_t i = 0; i < input.vertex_tables.size(); ++i) {
    const io::vertex_table& from = input.vertex_tables[i];
    reading.format = io::format_of(from.path);
    if (from.id.is_presumed() && input.columns[0].joined()) {
      throw usage_error{from.path.string() + ": the columns that make an id together must be named, as in FILE:A,B"};
    }
    table.id = from.id;
    sink.begin_table(i < input.prefixes.size() ? input.prefixes[i] : std::string{});
    io::parse_keyed(std::span{&from.path, 1}, table, reading, sink);
    for (std::size_t column = 0; column < limits.size(); ++column) {
      if (const std::uint64_t v = sink.clash(column); v != no_vertex<std::uint64_t>) {
        throw input_error::at(from.path.string(), 0,
                              "two values in column " + limits[column].column.text() + " for the record " + text_of(known.names(), v),
                              "one");
      }
    }
  }
  return values;
}

known_pairs read_pairs_apart(const std::filesystem::path& path, const vertex_names& names, const io::read_options& input,
                             const execution& on) {
  if (!io::has_columns(io::format_of(path))) throw usage_error{path.string() + ": must be a table of pairs"};
  io::read_options reading;
  reading.ids = names.what() == vertex_names::kind::strings ? io::id_kind::bytes : io::id_kind::integers;
  reading.header = input.header;
  reading.delimiter = input.delimiter;
  reading.comments = input.comments;
  reading.trim = input.trim;
  reading.missing = input.missing;
  const graph listed = io::read_graph(path, reading, on);
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.edges; }) {
          const auto alone = std::ranges::find_if(shape.edges, [](const auto& pair) { return pair.u == pair.v; });
          if (alone == shape.edges.end()) return;
          const std::string name = text_of(listed.names(), alone->u);
          throw input_error::at(path.string(), 0, "the pair " + name + " " + name, "two different records");
        }
      },
      listed.shape());
  return pairs_among(names, listed);
}

}  // namespace copse::clusters

namespace copse {

known_pairs pairs_among(const vertex_names& names, const graph& listed) {
  known_pairs found;
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.edges; }) {
          for (const auto& [a, b] : shape.edges) {
            const auto u = names.find(listed.names(), a), v = names.find(listed.names(), b);
            if (u && v) {
              found.pairs.push_back({*u, *v});
            } else {
              ++found.unknown;
            }
          }
        }
      },
      listed.shape());
  return found;
}

}  // namespace copse
