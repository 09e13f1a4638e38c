#include "share_file.hpp"

#include <fmt/format.h>

#include <copse/errors.hpp>
#include <copse/io.hpp>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

#include "json.hpp"
#include "machine.hpp"
#include "old_names.hpp"
#include "text_file.hpp"

namespace copse::cli {
namespace {

constexpr std::string_view kind = "shares of copse hybrid";
constexpr int version = 3;
constexpr int version_with_old_names = 2;

json points_json(const std::vector<share_point>& points) {
  json list = json::array();
  for (const share_point& p : points) {
    list.push_back({{"vertices", p.looks.vertices},
                    {"arcs", p.looks.arcs},
                    {"scattered", p.looks.scattered},
                    {"share", p.share},
                    {"cpu_seconds", p.cpu_seconds},
                    {"gpu_seconds", p.gpu_seconds},
                    {"both_seconds", p.both_seconds}});
  }
  return list;
}

std::string as_json(const share_table& table) {
  json by = json::object();
  for (const auto& [cpu, points] : table.by)
    by[cpu] = {{"from_host", points_json(points.from_host)}, {"on_the_gpu", points_json(points.on_the_gpu)}};
  const json object{{"kind", kind},     {"version", version},       {"machine", machine_facts()},
                    {"gpu", table.gpu}, {"threads", table.threads}, {"by", std::move(by)}};
  return object.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string points_text(const std::vector<share_point>& points) {
  std::string text = "{";
  for (const share_point& p : points) {
    text += fmt::format("{}{{{{{}, {}, {:.3g}}}, {:.1f}, {:.6g}, {:.6g}, {:.6g}}}", text.size() > 1 ? ",\n    " : "", p.looks.vertices,
                        p.looks.arcs, p.looks.scattered, p.share, p.cpu_seconds, p.gpu_seconds, p.both_seconds);
  }
  return text + "}";
}

std::string as_source(const share_table& table) {
  std::string by;
  for (const auto& [cpu, points] : table.by) {
    by += fmt::format("{}{{\"{}\",\n  {{{},\n   {}}}}}", by.empty() ? "" : ",\n  ", cpu, points_text(points.from_host),
                      points_text(points.on_the_gpu));
  }
  return fmt::format("// {}, {} threads\n{{{}, {},\n {{{}}}}},\n", table.gpu, table.threads, json(table.gpu).dump(), table.threads, by);
}

std::vector<share_point> points_of(const json& list) {
  std::vector<share_point> points;
  for (const json& p : list) {
    points.push_back({{p.at("vertices"), p.at("arcs"), p.at("scattered")},
                      p.at("share"),
                      p.at("cpu_seconds"),
                      p.at("gpu_seconds"),
                      p.at("both_seconds")});
    const share_point& read = points.back();
    if (!(read.share > 0 && read.share < 100 && read.cpu_seconds > 0 && read.gpu_seconds > 0 && read.both_seconds > 0))
      throw usage_error{fmt::format("point {} of {} vertices", points.size(), read.looks.vertices)};
  }
  return points;
}

}  // namespace

std::filesystem::path share_file_path() {
  const auto named = [](const char* variable) {
    const char* const value = std::getenv(variable);
    return std::filesystem::path{value != nullptr ? value : ""};
  };
  const auto config = named("XDG_CONFIG_HOME"), home = named("HOME");
  if (config.is_absolute()) return config / "copse" / "hybrid.json";
  return home.empty() ? home : home / ".config" / "copse" / "hybrid.json";
}

void write_shares(const share_table& table, const std::filesystem::path& path) {
  std::error_code none;  // output_file reports what stands in the way
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), none);
  const std::string text = path.extension() == ".inc" ? as_source(table) : as_json(table);
  io::output_file file{path, false};
  file.write(text.data(), text.size());
  file.commit();
}

share_table read_shares(const std::filesystem::path& path) {
  const auto refuse = [&path](std::string_view found) {
    throw input_error::at(path.string(), 0, found,
                          fmt::format("{}, version {} or {} (copse tune writes them)", kind, version_with_old_names, version));
  };
  const std::string text = read_text(path.string());
  try {
    const json object = json::parse(text);
    if (object.at("kind") != kind) refuse(fmt::format("kind {}", object.at("kind").dump()));
    const bool old_names = object.at("version") == version_with_old_names;
    if (!old_names && object.at("version") != version) refuse(fmt::format("version {}", object.at("version").dump()));
    share_table table{object.at("gpu"), object.at("threads"), {}};
    for (const auto& [cpu, points] : object.at("by").items())
      table.by[old_names ? current_name(cpu) : cpu] = {points_of(points.at("from_host")), points_of(points.at("on_the_gpu"))};
    return table;
  } catch (const json::parse_error& problem) {
    refuse(fmt::format("no JSON from byte {} on", problem.byte));
  } catch (const json::exception&) {
    refuse("JSON of another shape");
  } catch (const usage_error& problem) {
    refuse(problem.what());
  }
  return {};
}

std::optional<share_table> user_shares() {
  const auto path = share_file_path();
  std::error_code none;
  if (path.empty() || !std::filesystem::exists(path, none)) return std::nullopt;
  return read_shares(path);
}

}  // namespace copse::cli
