// The header of a store: writes it, reads it, and compares it with the options of a caller.
#include <copse/errors.hpp>
#include <dynamic/batch_records.hpp>
#include <dynamic/batch_store.hpp>

#include <array>
#include <system_error>

namespace copse {
namespace dynamics {
namespace {

constexpr std::array<const char*, 4> id_words{"dense integers", "unsigned integers", "signed integers", "strings"};

}  // namespace

std::string header_of(dynamic_id_kind ids, const dynamic_options& options) {
  std::string header;
  put_value(header, ids);
  for (const bool option : {options.weights, options.times, options.keys, options.keep_vertices}) put_value(header, option);
  put_value(header, options.count_window);
  put_value(header, options.history);
  return header;
}

dynamic_store_facts facts_in(std::string_view header) {
  record_reader from{header};
  dynamic_store_facts facts;
  facts.ids = from.value<dynamic_id_kind>();
  for (bool* option : {&facts.options.weights, &facts.options.times, &facts.options.keys, &facts.options.keep_vertices})
    *option = from.value<std::uint8_t>() != 0;
  facts.options.count_window = from.value<std::uint64_t>();
  facts.options.history = from.value<std::uint64_t>();
  from.expect_end();
  if (facts.ids > dynamic_id_kind::strings)
    throw input_error{
        "found a dynamic graph of an unknown kind of ids, expected integers or strings: it is damaged, or a newer copse wrote it"};
  return facts;
}

void expect_same(const std::string& folder, const dynamic_store_facts& held, dynamic_id_kind ids,
                 const std::optional<dynamic_options>& options) {
  if (held.ids != ids) {
    throw usage_error{folder + ": its ids are " + id_words[static_cast<std::size_t>(held.ids)] + ": open it as such, not with " +
                      id_words[static_cast<std::size_t>(ids)]};
  }
  if (!options) return;
  const auto expect = [&](const char* name, auto made, auto given) {
    if (made != given) {
      throw usage_error{folder + ": it was made with " + name + " = " + std::to_string(made) +
                        ": open it so, or without options, not with " + std::to_string(given)};
    }
  };
  expect("weights", held.options.weights, options->weights);
  expect("times", held.options.times, options->times);
  expect("keys", held.options.keys, options->keys);
  expect("keep_vertices", held.options.keep_vertices, options->keep_vertices);
  expect("count_window", held.options.count_window, options->count_window);
  expect("history", held.options.history, options->history);
}

}  // namespace dynamics

bool has_dynamic_store() noexcept { return dynamics::has_sqlite(); }

std::optional<dynamic_store_facts> dynamic_facts_of(const std::filesystem::path& folder) {
  std::error_code failure;
  if (!std::filesystem::exists(folder / "batches.sqlite", failure)) return std::nullopt;
  const dynamics::batch_store store{folder, dynamics::database_access::read, durability::full};
  if (!store.described()) return std::nullopt;
  dynamic_store_facts facts = dynamics::facts_in(store.described()->header);
  facts.remark = store.described()->remark;
  return facts;
}

}  // namespace copse
