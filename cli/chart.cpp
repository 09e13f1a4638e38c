#include "chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace copse::cli {
namespace {

constexpr double width = 640, height = 320, left = 70, right = 15, top = 30, bottom = 45;

/// Maps values to places on the page; a value beyond an end, perhaps infinite, is placed at that end.
class axis {
public:
  axis(double low, double high, bool log, double from, double to) : log_{log}, from_{from}, to_{to} {
    constexpr double most = std::numeric_limits<double>::max() / 4;  // so that high - low does not overflow
    low_ = log ? std::floor(std::log10(low)) : std::clamp(low, -most, most);
    high_ = log ? std::ceil(std::log10(high)) : std::clamp(high, -most, most);
    // The distance of the ends must be large enough that ticks, which divide it, are different numbers.
    const double least = std::max({std::abs(low_), std::abs(high_), 1e-290}) * 1e-9;
    if (high_ - low_ <= least) high_ = low_ + std::max(1.0, least);
  }
  [[nodiscard]] double at(double value) const {
    const double within = std::clamp(log_ ? std::log10(value) : value, low_, high_);
    return from_ + (within - low_) / (high_ - low_) * (to_ - from_);
  }
  [[nodiscard]] std::vector<double> ticks() const {
    double step = std::pow(10, std::floor(std::log10((high_ - low_) / 5)));
    for (const double factor : {2.0, 2.5, 2.0}) {
      if ((high_ - low_) / step > 6) step *= factor;
    }
    if (log_) step = std::max(1.0, std::ceil(step));
    std::vector<double> all;
    for (double i = std::ceil(low_ / step); i * step <= high_ + step * 1e-9; ++i) all.push_back(log_ ? std::pow(10, i * step) : i * step);
    return all;
  }

private:
  bool log_;
  double from_, to_, low_ = 0, high_ = 1;
};

std::string begin(const std::string& title, double tall) {
  return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\"><title>{}</title><text class=\"head\" x=\"{}\" y=\"18\">{}</text>\n", width,
                     tall, html_text(title), left, html_text(title));
}

std::string x_axis(const axis& x, const std::string& name, double floor, double ceiling) {
  std::string text;
  for (const double tick : x.ticks()) {
    text += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/><text class=\"mid\" x=\"{0:.1f}\" "
        "y=\"{3}\">{4:g}</text>\n",
        x.at(tick), floor, ceiling, floor + 16, tick);
  }
  return text +
         fmt::format("<text class=\"mid\" x=\"{:.1f}\" y=\"{}\">{}</text>\n", (left + width - right) / 2, floor + 34, html_text(name));
}

std::string dot(double x, double y, const std::string& said) {
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>{}</title></circle>\n", x, y, html_text(said));
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return safe;
}

std::string chart::svg() const {
  std::vector<chart_point> shown;
  for (const chart_point& p : points) {
    if (std::isfinite(p.x) && std::isfinite(p.y) && (!x_log || p.x > 0) && (!y_log || p.y > 0)) shown.push_back(p);
  }
  if (shown.empty()) return {};
  std::ranges::sort(shown, {}, &chart_point::x);
  const auto [low, high] = std::ranges::minmax(shown, {}, &chart_point::y);
  const axis x{shown.front().x, shown.back().x, x_log, left, width - right};
  const axis y{y_log ? low.y : std::min(0.0, low.y), high.y, y_log, height - bottom, top};
  std::string text = begin(title, height) + x_axis(x, x_name, height - bottom, top);
  for (const double tick : y.ticks()) {
    text += fmt::format(
        "<line class=\"grid\" y1=\"{0:.1f}\" y2=\"{0:.1f}\" x1=\"{1}\" x2=\"{2}\"/><text class=\"end\" x=\"{3}\" "
        "y=\"{4:.1f}\">{5:g}</text>\n",
        y.at(tick), left, width - right, left - 6, y.at(tick) + 4, tick);
  }
  text += fmt::format("<text class=\"mid\" transform=\"translate(14 {}) rotate(-90)\">{}</text>\n", (top + height - bottom) / 2,
                      html_text(y_name));
  if (steps) {
    std::string line;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      // y holds from a threshold down to the next lower one, so each step is vertical first, then horizontal.
      if (i == 0) {
        line = fmt::format("M{:.1f} {:.1f}", x.at(shown[0].x), y.at(shown[0].y));
      } else {
        line += fmt::format("V{:.1f}H{:.1f}", y.at(shown[i].y), x.at(shown[i].x));
      }
    }
    text += fmt::format("<path class=\"line\" d=\"{}\"/>\n", line);
  }
  for (const chart_point& p : shown) text += dot(x.at(p.x), y.at(p.y), p.said);
  return text + "</svg>\n";
}

std::string tree_chart::svg() const {
  if (merges.empty()) return {};
  std::vector<double> finite;
  for (const merge& m : merges) {
    if (std::isfinite(m.at)) finite.push_back(m.at);
  }
  const auto [low, high] = finite.empty() ? std::ranges::min_max_result<double>{0.0, 0.0} : std::ranges::minmax(finite);
  const double names = 150, line = 16, floor = top + line * static_cast<double>(leaves.size()) + 6;
  const double room = (high - low) * .05 + (high == low ? 1 : 0);
  const axis x{low, high + room, false, left, width - right - names};
  struct place {
    double x, y;
  };
  std::vector<place> places(leaves.size() + merges.size());
  // Leaves are placed in the order of a depth-first walk, so that no two lines cross.
  std::vector<std::size_t> open{places.size() - 1};
  double next = top + line / 2;
  std::string text = begin(title, floor + 40) + x_axis(x, x_name, floor, top);
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (at >= leaves.size()) {
      open.insert(open.end(), {merges[at - leaves.size()].second, merges[at - leaves.size()].first});
      continue;
    }
    places[at] = {width - right - names, next};
    text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}<title>{}</title></text>\n", width - right - names + 5, next + 4,
                        html_text(leaves[at].name), html_text(leaves[at].said));
    next += line;
  }
  for (std::size_t i = 0; i < merges.size(); ++i) {
    const merge& m = merges[i];
    const place a = places[m.first], b = places[m.second];
    const double here = x.at(m.at);
    places[leaves.size() + i] = {here, (a.y + b.y) / 2};
    text += fmt::format("<path class=\"line\" d=\"M{:.1f} {:.1f}H{:.1f}V{:.1f}H{:.1f}\"/>\n", a.x, a.y, here, b.y, b.x);
    text += dot(here, (a.y + b.y) / 2, m.said);
  }
  return text + "</svg>\n";
}

}  // namespace copse::cli
