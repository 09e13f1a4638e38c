// The labels that components, group and merge find: their options, the files that hold them, and what is reported about them.
#pragma once
#include <copse/labels.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "input.hpp"
#include "json.hpp"

namespace copse::cli {

/// The words for labels in the help of a command.
struct label_words {
  std::string vertex, component, components;
};

struct label_output {
  std::string path{}, format{}, append{}, sizes{}, npy_ids{};
  bool dense = false;
  std::size_t top = 0;
  bool as_json = false;
  bool takes_forest = false;  ///< true if -o may also name a .forest file, which the command itself writes

  /// Adds -o, --output-format, --labels, --sizes, --npy-ids, --top and --json, and --append unless `append_help` is empty.
  void add_options(CLI::App& app, const label_words& words, const std::string& append_help = {});
  [[nodiscard]] bool is_forest() const;
  /// The files that are written; empty if none was asked for.
  [[nodiscard]] std::vector<std::string> files() const;
  /// Throws where options make no sense together, and where one of `inputs` would be overwritten or two outputs are one file. `further`
  /// are other outputs of the command.
  void require_sense(const std::vector<std::string>& inputs, const std::vector<std::string>& further = {}) const;
};

/// The labels and the memory for writing them. The constructor allocates this memory, so that a lack of memory is found before anything is
/// written.
class label_answer {
public:
  /// All arguments must outlive this object.
  label_answer(const labelling& labels, const label_output& asked, resources& context);

  /// The labels as they are written: canonical, or numbered.
  [[nodiscard]] const labelling& shown() const noexcept { return numbered_ ? *numbered_ : labels_; }
  /// Writes the files that were asked for, except a .forest file. `append` is called to copy the records of the input with a last column,
  /// the labels of shown().
  void write(const std::function<void()>& append = {}) const;

  [[nodiscard]] const component_summary& summary() const noexcept { return summary_; }
  /// The size and the label of the largest component, such as `3 (label crm-17)`; `0` when there is no component.
  [[nodiscard]] std::string largest_text() const;
  /// A line for each of the largest components; empty without --top.
  [[nodiscard]] std::string top_text() const;
  [[nodiscard]] json largest_json() const { return component_json(summary_.largest, labels_.names()); }
  [[nodiscard]] json histogram_json() const { return cli::histogram_json(summary_.histogram); }
  /// The checksum in hexadecimal, if --json was given.
  [[nodiscard]] const std::string& checksum() const noexcept { return checksum_; }
  /// Adds the member `top`, the largest components, each with its first ids, if --top was given.
  void add_top(json& object) const;

private:
  const labelling& labels_;
  const label_output& asked_;
  resources& context_;
  component_summary summary_;
  std::optional<labelling> numbered_;
  std::string checksum_;
};

}  // namespace copse::cli
