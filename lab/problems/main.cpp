// copse_lab PROBLEM [--OPTION VALUE...] OPERAND...
// Measures one problem and writes JSON lines: a document per graph, with the machine, the commit, the command and every sample. Without a
// problem it lists all of them.
#include <algorithm>
#include <array>
#include <copse/cuda.hpp>
#include <exception>
#include <string>

#include "../../cli/machine.hpp"
#include "../../cli/output.hpp"
#include "kit.hpp"

namespace copse::lab {

extern const problem components_on_gpu, dynamic_edges_problem, forest, weighted, hierarchy, clusters, compare_clusters, incremental,
    inspected, first_touch, lists, bits, tours, hybrid, text;
#if LAB_HAS_CUDA
extern const problem resident_incremental, streaming;
#endif

namespace {

const std::array problems {
  &components_on_gpu, &dynamic_edges_problem, &forest, &weighted, &hierarchy, &clusters, &compare_clusters, &incremental, &inspected,
      &first_touch, &lists, &bits, &tours, &hybrid, &text,
#if LAB_HAS_CUDA
      &resident_incremental, &streaming,
#endif
};

arguments::defaults all_defaults(const problem& p) {
  arguments::defaults all{{"trials", "11"}, {"threads", "1"}, {"json", ""}};
  for (const auto& [name, value] : p.defaults) all[name] = value;
  return all;
}

std::string usage(const problem& p) {
  std::string text = fmt::format("copse_lab {}", p.name);
  for (const auto& [name, value] : all_defaults(p)) text += fmt::format(" [--{} {}]", name, value.empty() ? "..." : value);
  return fmt::format("{} {}\n  {}\n", text, p.operands, p.about);
}

json head_of(const problem& p, std::span<char* const> words) {
  std::string command = "copse_lab";
  for (const char* word : words) command.append(" ").append(word);
  json head{{"problem", p.name}, {"command", command}, {"machine", cli::machine_facts()}};
  if (const auto all = gpus(); !all.empty()) head["machine"]["gpu"] = all.front().name;
  return head;
}

int run(std::span<char* const> words) {
  const auto found = words.empty() ? problems.end() : std::ranges::find(problems, std::string_view{words[0]}, &problem::name);
  if (found == problems.end()) {
    std::string text = "copse_lab measures one of these problems:\n\n";
    for (const problem* p : problems) text += usage(*p);
    cli::write_stderr(text);
    return cli::misuse;
  }
  const problem& p = **found;
  if (!cli::unfit_to_measure.empty()) {
    cli::complain(fmt::format("copse_lab: refuses to measure {}", cli::unfit_to_measure));
    return cli::misuse;
  }
  try {
    const arguments asked{words.subspan(1), all_defaults(p)};
    if (!p.operands.empty() && asked.operands().empty()) throw std::invalid_argument{fmt::format("expected {}", p.operands)};
    recorder out{asked["json"], head_of(p, words)};
    p.run(asked, out);
    return cli::done;
  } catch (const std::invalid_argument& problem) {
    cli::write_stderr(fmt::format("copse_lab {}: {}\nusage: {}", p.name, problem.what(), usage(p)));
    return cli::misuse;
  } catch (const resource_error& problem) {
    cli::complain(fmt::format("copse_lab {}: {}", p.name, problem.what()));
    return cli::out_of_resources;
  } catch (const std::exception& problem) {
    cli::complain(fmt::format("copse_lab {}: {}", p.name, problem.what()));
    return cli::check_failed;
  }
}

}  // namespace
}  // namespace copse::lab

int main(int count, char** words) { return copse::lab::run({words + 1, words + count}); }
