#include "label_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <copse/errors.hpp>
#include <copse/io.hpp>
#include <map>

#include "io/written_suffix.hpp"
#include "output.hpp"

namespace copse::cli {

void label_output::add_options(CLI::App& app, const label_words& words, const std::string& append_help) {
  add_file(
      app, "-o,--output", path,
      fmt::format(
          "Write the label of every {} here: .txt .csv .parquet .arrow (id, component), .npy .bin (indexed by id), .npz (both columns); "
          "packed with .gz or .zst{}",
          words.vertex, takes_forest ? "; or a .forest, to be merged with others" : ""));
  add_output_format(app, format,
                    takes_forest ? "txt|csv|parquet|arrow|npy|npz|bin|bin64|forest" : "txt|csv|parquet|arrow|npy|npz|bin|bin64");
  add_choice<bool>(app, "--labels", dense, {{"min", false}, {"dense", true}},
                   fmt::format("Label {} by their smallest id, or 0 .. k-1 in that order (default min)", words.components));
  if (!append_help.empty()) add_file(app, "--append", append, append_help);
  add_file(app, "--sizes", sizes, fmt::format("Write the size of every {} here: .csv .txt .parquet .arrow", words.component));
  add_file(app, "--npy-ids", npy_ids, "With -o FILE.npy: write the column of ids here and one label per id");
  add_number(app, "--top", top, 1, 1000000, fmt::format("Show the N largest {}", words.components));
  app.add_flag("--json", as_json, "Print one JSON object");
}

bool label_output::is_forest() const { return takes_forest && suffix_of(path, format) == ".forest"; }

std::vector<std::string> label_output::files() const { return {path, append, sizes, npy_ids}; }

void label_output::require_sense(const std::vector<std::string>& inputs, const std::vector<std::string>& further) const {
  if (path.empty() && append.empty() && sizes.empty() && dense) throw usage_error{"--labels dense needs -o FILE to write the labels to"};
  if (path.empty() && !npy_ids.empty()) throw usage_error{"--npy-ids needs -o FILE.npy to write the labels to"};
  if (path.empty() && !format.empty()) throw usage_error{"--output-format needs -o FILE or -o -"};
  if (is_forest() && (dense || !npy_ids.empty()))
    throw usage_error{"--labels dense and --npy-ids need a file of labels, which -o FILE.forest is not"};
  if (is_forest() && path == "-") throw usage_error{"a .forest cannot go to standard output: give -o FILE.forest"};
  if (!path.empty() && !is_forest()) io::expect_labels_suffix(path, format_only(format));
  if (!sizes.empty()) io::expect_sizes_suffix(sizes);
  std::vector<std::string> outputs = files();
  outputs.insert(outputs.end(), further.begin(), further.end());
  require_outputs(outputs, inputs);
  if (as_json) require_free_stdout(outputs);
}

label_answer::label_answer(const labelling& labels, const label_output& asked, resources& context)
    : labels_{labels}, asked_{asked}, context_{context}, summary_{summarise(labels, asked.top, context.on())} {
  if (asked.dense) numbered_ = dense(labels, context.on());
  if (asked.as_json) checksum_ = fmt::format("{:016x}", copse::checksum(labels, context.on()));
}

void label_answer::write(const std::function<void()>& append) const {
  if (!asked_.append.empty()) append();  // first, because it reads the input again and may throw
  if (!asked_.path.empty() && !asked_.is_forest()) {
    io::write_options settings = format_only(asked_.format);
    if (!asked_.npy_ids.empty()) settings.npy_ids = asked_.npy_ids;
    io::write_labels(shown(), asked_.path, settings, context_.on());
  }
  if (!asked_.sizes.empty()) io::write_sizes(shown(), asked_.sizes, {}, context_.on());
}

std::string label_answer::largest_text() const {
  const component& largest = summary_.largest;
  return largest.size == 0 ? "0" : fmt::format("{} (label {})", largest.size, name_text(labels_.names(), largest.label));
}

std::string label_answer::top_text() const {
  std::string text;
  for (std::size_t rank = 0; rank < summary_.top.size(); ++rank) {
    const component& c = summary_.top[rank];
    text += fmt::format("top {:<7} {} (label {})\n", rank + 1, c.size, name_text(labels_.names(), c.label));
  }
  return text;
}

void label_answer::add_top(json& object) const {
  if (asked_.top == 0) return;
  constexpr std::size_t most_ids = 5;
  std::map<std::uint64_t, json> ids;
  std::size_t missing = 0;
  for (const component& c : summary_.top) {
    ids[c.label] = json::array();
    missing += static_cast<std::size_t>(std::min<std::uint64_t>(c.size, most_ids));
  }
  for (std::uint64_t v = 0; v < labels_.slots() && missing > 0; ++v) {
    if (const auto found = ids.find(labels_.label(v)); found != ids.end() && found->second.size() < most_ids) {
      found->second.push_back(name_json(labels_.names(), v));
      --missing;
    }
  }
  json all = json::array();
  for (const component& c : summary_.top) {
    json entry = component_json(c, labels_.names());
    entry["ids"] = std::move(ids[c.label]);
    all.push_back(std::move(entry));
  }
  object["top"] = std::move(all);
}

}  // namespace copse::cli
