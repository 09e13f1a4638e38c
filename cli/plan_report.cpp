#include "plan_report.hpp"

#include <fmt/format.h>

#include <utility>

#include "output.hpp"

namespace copse::cli {
namespace {

std::string shape_text(id_shape ids) { return ids == id_shape::dense ? "dense" : ids == id_shape::sparse ? "sparse" : "strings"; }

std::string line_of(const planned_way& each) {
  if (each.device == "none") {
    const std::string needs = each.bytes == 0 ? "" : fmt::format("needs {} of a GPU, and none is seen: ", bytes_text(each.bytes));
    return fmt::format("{:<11} {}{}\n", each.name, needs, each.remark);
  }
  const std::string seconds = each.seconds ? fmt::format(", about {:.1f} s", *each.seconds) : "";
  return fmt::format("{:<11} {} on {}{}{}: {}\n", each.name, bytes_text(each.bytes), each.device,
                     each.fits ? "" : ", which it does not have", seconds, each.remark);
}

}  // namespace

std::string plan_text(const solve_plan& plan) {
  const graph_size& size = plan.asked.size;
  std::string text = fmt::format("graph       at most {} vertices, {} edges{}, {} ids, {}\nmachine     {} threads, {}\n", size.vertices,
                                 size.edges, size.arcs == 0 ? "" : fmt::format(" in {} arcs of rows", size.arcs), shape_text(size.ids),
                                 plan.sizes, plan.asked.threads, bytes_text(plan.asked.memory_bytes));
  text += fmt::format("auto        {} on {}: {}\n", plan.auto_way, plan.auto_device, plan.auto_reason);
  for (const planned_way& each : plan.ways) text += line_of(each);
  return text;
}

json plan_json(const solve_plan& plan) {
  json list = json::array();
  for (const planned_way& each : plan.ways) {
    list.push_back({{"way", each.name},
                    {"device", each.device},
                    {"bytes", each.bytes},
                    {"seconds", each.seconds ? json(*each.seconds) : json(nullptr)},
                    {"fits", each.fits},
                    {"remark", each.remark}});
  }
  const graph_size& size = plan.asked.size;
  json object{{"vertices", size.vertices}, {"edges", size.edges}};
  if (size.arcs != 0) object["arcs"] = size.arcs;
  object.update({{"ids", shape_text(size.ids)},
                 {"sizes", plan.sizes},
                 {"threads", plan.asked.threads},
                 {"memory_bytes", plan.asked.memory_bytes},
                 {"auto", plan.auto_way},
                 {"auto_device", plan.auto_device},
                 {"auto_reason", plan.auto_reason},
                 {"ways", std::move(list)}});
  return object;
}

}  // namespace copse::cli
