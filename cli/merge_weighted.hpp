// Forests with weights in copse merge: any threshold, the curve of all of them, and the edges of the merged forest.
#pragma once
#include <copse/hierarchy.hpp>
#include <copse/mergeable_weighted_forest.hpp>
#include <optional>
#include <string>
#include <vector>

#include "input.hpp"
#include "threshold_curve.hpp"

namespace copse::cli {

/// What forests with weights alone can give.
struct weighted_merge_options {
  threshold_choice choice;
  std::string curve, edges, columns;  ///< --curve, --edges, --label-columns

  void add_options(CLI::App& app);
  [[nodiscard]] std::vector<std::string> outputs() const { return {curve, edges, columns}; }
  /// Throws for what makes no sense, of forests with weights or without.
  void require_sense(bool weighted) const;
};

/// Are the forests of these files ones with weights? Throws usage_error where only some of them are.
bool have_weights(const std::vector<std::string>& files, std::pmr::memory_resource* memory);

/// The merged forest of some files, and the components of its edges of a least weight.
struct weighted_merge {
  weighted_merge(const std::vector<std::string>& files, std::optional<double> min_weight, const weighted_merge_options& options,
                 resources& context);

  mergeable_weighted_forest forest;
  labelling labels;  ///< as those of forests without weights are

  /// Proves the labels against the merged forest and, as asked, that against the files and the edges. Empty when all of it is right.
  [[nodiscard]] std::string fault(const std::vector<std::string>& files, bool against_files, const input_options& edges,
                                  resources& context) const;
  void write(const weighted_merge_options& options, resources& context) const;
  [[nodiscard]] json as_json() const;

private:
  std::optional<double> min_weight_;
  // Where they were asked for: nothing is made once files are written.
  std::optional<hierarchy> joined_;
  std::vector<threshold_point> curve_;
};

}  // namespace copse::cli
