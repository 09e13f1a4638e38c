#include "json.hpp"

#include <cmath>
#include <utility>

#include "output.hpp"

namespace copse::cli {
namespace {

void name_what_is_no_number(json& value) {
  if (value.is_structured()) {
    for (json& part : value) name_what_is_no_number(part);
  } else if (value.is_number_float() && !std::isfinite(value.get<double>())) {
    const double number = value.get<double>();
    value = std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
  }
}

}  // namespace

json name_json(const vertex_names& names, std::uint64_t i) {
  if (names.what() == vertex_names::kind::strings) return std::string{names.string(i)};
  return names.integer(i);
}

json component_json(const component& c, const vertex_names& names) {
  if (c.size == 0) return nullptr;
  return {{"label", name_json(names, c.label)}, {"size", c.size}};
}

json histogram_json(const std::vector<std::uint64_t>& histogram) {
  json bins = json::array();
  for (std::size_t b = 0; b < histogram.size(); ++b) {
    if (histogram[b] == 0) continue;
    const std::uint64_t low = std::uint64_t{1} << b;
    bins.push_back({{"min_size", low}, {"max_size", low + (low - 1)}, {"components", histogram[b]}});
  }
  return bins;
}

void print_json(json object) {
  name_what_is_no_number(object);
  write_stdout(object.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace copse::cli
