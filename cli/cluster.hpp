// The options for rules and constraints that copse cluster and copse explain share.
#pragma once
#include <copse/cluster.hpp>
#include <string>

#include "options.hpp"

namespace copse::cli {

struct cluster_choice {
  cluster_file_options rules;
  std::string cannot_link;

  /// Adds the options of constraints, except --threshold.
  void add_constraints(CLI::App& app);
  /// Throws usage_error for an option that needs another one, which was not given.
  void require_sense(const input_options& input) const;
  /// True if a rule or a constraint other than a threshold was given.
  [[nodiscard]] bool any() const noexcept;
  /// Returns the rules and constraints as options of clusters_of_file().
  [[nodiscard]] cluster_file_options of_file() const;
};

/// The constraint that a pair was refused for: `max-records`, `cannot-link` or `one-per C`.
std::string constraint_text(const refused_pair& pair, const cluster_file_options& rules);

}  // namespace copse::cli
