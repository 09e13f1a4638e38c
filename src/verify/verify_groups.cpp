// The proof over groups of records: the tables are read again, and each record that has a value is joined with the first record that has
// the same value.
#include <copse/verify.hpp>
#include <io/keyed_records.hpp>
#include <verify/proof.hpp>
#include <verify/proving_sink.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace copse {
namespace {

struct string_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
};

/// What is known about a value in a column of the table: the first record that has it, and the number of records that do. Equal values in
/// two columns are different, unless all columns share one namespace.
struct known_value {
  std::uint64_t first_slot = no_vertex<std::uint64_t>;
  std::uint64_t count = 0;
};
using known_values = std::unordered_map<std::string, known_value, string_hash, std::equal_to<>>;

known_value& entry_of(known_values& values, std::string_view value) {
  const auto at = values.find(value);
  return at != values.end() ? at->second : values.emplace(value, known_value{}).first->second;
}

class tables_of_values {
public:
  explicit tables_of_values(const io::keyed_table& table) : columns_(table.one_namespace ? 1 : table.keys.size()) {}
  [[nodiscard]] known_values& of(std::size_t column) { return columns_[columns_.size() == 1 ? 0 : column]; }

private:
  std::vector<known_values> columns_;
};

class value_count_sink final : public io::keyed_sink {
public:
  explicit value_count_sink(tables_of_values& values) : values_{values} {}
  void begin(const io::keyed_facts&) override {}
  void ids_are_signed() override {}
  void records(unsigned, const io::keyed_batch& batch) override {
    for (std::size_t c = 0; c < batch.values.size(); ++c) {
      for (const std::string_view value : batch.values[c]) {
        if (!value.empty()) ++entry_of(values_.of(c), value).count;
      }
    }
  }

private:
  tables_of_values& values_;
};

template <unsigned_index Id>
class group_proof final : public io::keyed_sink {
public:
  group_proof(const buffer<Id>& labels, const vertex_names& names, tables_of_values& values, std::uint64_t max_group,
              std::pmr::memory_resource* memory)
      : names_{names}, steps_{labels, names}, index_{names, memory}, values_{values}, max_group_{max_group}, seen_(names.size()) {}

  [[nodiscard]] proof<Id>& steps() noexcept { return steps_; }

  void begin(const io::keyed_facts& facts) override {
    if (names_.size() == 0 || facts.named == (names_.what() == vertex_names::kind::strings)) return;
    throw proving::refused{facts.named ? "the records have string ids, the labels have integer ids"
                                       : "the records have integer ids, the labels have string ids"};
  }

  // Called before the first signed id. No lock is needed, because a single thread reads.
  void ids_are_signed() override {
    signed_ = true;
    if (names_.size() != 0 && !names_.is_signed()) throw proving::refused{"the records have negative ids, the labels have none"};
  }

  void records(unsigned, const io::keyed_batch& batch) override {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::uint64_t slot = batch.names.empty() ? slot_of(batch.numbers[i]) : slot_of(batch.names[i]);
      seen_[slot] = true;
      for (std::size_t c = 0; c < batch.values.size(); ++c) {
        if (!batch.values[c][i].empty()) join(slot, c, batch.values[c][i]);
      }
    }
  }

  std::optional<std::string> fault_in_vertices() const {
    if (names_.is_signed() && !signed_) return "record " + steps_.name(0) + " has a label, but is not in the table";
    for (std::uint64_t slot = 0; slot < seen_.size(); ++slot) {
      if (steps_.present(slot) && !seen_[slot]) return "record " + steps_.name(slot) + " has a label, but is not in the table";
    }
    return std::nullopt;
  }

private:
  template <class Name>
  std::uint64_t slot_of(const Name& name) const {
    return proving::slot_of(index_, steps_, "record", name, signed_);
  }

  void join(std::uint64_t slot, std::size_t column, std::string_view value) {
    known_value& known = entry_of(values_.of(column), value);
    if (known.count > max_group_) return;
    if (known.first_slot == no_vertex<std::uint64_t>) known.first_slot = slot;
    if (steps_.join(known.first_slot, slot)) return;
    throw proving::refused{"records " + steps_.name(known.first_slot) + " and " + steps_.name(slot) + " share " + proving::text_of(value) +
                           ", but have different labels"};
  }

  const vertex_names& names_;
  proof<Id> steps_;
  name_index<Id> index_;
  tables_of_values& values_;
  std::uint64_t max_group_;
  std::vector<bool> seen_;
  bool signed_ = false;
};

template <unsigned_index Id>
verdict prove(std::span<const std::filesystem::path> paths, const io::keyed_table& table, const io::read_request& options,
              const buffer<Id>& labels, const vertex_names& names, std::uint64_t max_group) {
  tables_of_values values{table};
  if (max_group != std::numeric_limits<std::uint64_t>::max()) {
    value_count_sink counting{values};
    io::parse_keyed(paths, table, options, counting);
  }
  group_proof<Id> sink{labels, names, values, max_group, options.memory};
  return proving::verdict_of(sink, [&] { io::parse_keyed(paths, table, options, sink); });
}

}  // namespace

verdict verify_groups(std::span<const std::filesystem::path> paths, const io::keyed_table& table, const io::read_options& options,
                      const labelling& labels, std::uint64_t max_group, const execution& on) {
  io::read_request reading{options, on};
  reading.threads = 1;  // keeps the order of the file, because a record without an id is named by its line
  reading.observer = nullptr;
  return std::visit([&](const auto& values) { return prove(paths, table, reading, values, labels.names(), max_group); }, labels.labels());
}

}  // namespace copse
