// Charts as SVG text in the page, which so needs no script and can be printed.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace copse::cli {

/// Returns the text with the characters escaped that are special in HTML, also in attributes.
std::string html_text(std::string_view text);

struct chart_point {
  double x, y;
  std::string said;  ///< text shown when the mouse is over the point
};

struct chart {
  std::string title, x_name, y_name;
  bool x_log = false, y_log = false;
  bool steps = false;  ///< true for a step line, in which y holds from its x down to the next smaller x; false for dots
  std::vector<chart_point> points = {};

  /// Points that are not finite, or not positive on a logarithmic axis, are left out.
  [[nodiscard]] std::string svg() const;
};

/// A tree of merges from the leaves up: leaves 0 .. n - 1, merge i makes cluster n + i.
struct tree_chart {
  struct leaf {
    std::string name;
    std::string said;
  };
  struct merge {
    std::size_t first, second;
    double at;
    std::string said;
  };
  std::string title, x_name;
  std::vector<leaf> leaves = {};
  std::vector<merge> merges = {};  ///< n - 1 merges of n leaves

  [[nodiscard]] std::string svg() const;
};

}  // namespace copse::cli
