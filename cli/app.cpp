#include "app.hpp"

#include <copse/cuda.hpp>

#include "examples.hpp"
#include "options.hpp"

namespace copse::cli {
namespace {

const char* version_text() {
  return built_with_cuda() ? "copse " COPSE_VERSION "\nGPU part: on (CUDA)"
                           : "copse " COPSE_VERSION "\nGPU part: off (this build has none)";
}

/// CLI11's help with types separated by a space only; the descriptions say the defaults.
class help_text final : public CLI::Formatter {
public:
  help_text() { column_width(34); }
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_name().empty() ? std::string{} : " " + option->get_type_name();
  }
};

}  // namespace

std::unique_ptr<CLI::App> make_app(action& chosen) {
  auto app = std::make_unique<CLI::App>("Connected components of graphs: edges in, components out, with a proof.", "copse");
  app->formatter(std::make_shared<help_text>());
  app->get_help_ptr()->description("Show this help and exit");
  app->set_version_flag("--version", version_text(), "Show the version and exit");
  add_components(*app, chosen);
  add_group(*app, chosen);
  add_forest(*app, chosen);
  add_thresholds(*app, chosen);
  add_dendrogram(*app, chosen);
  add_explain(*app, chosen);
  add_bridges(*app, chosen);
  add_report(*app, chosen);
  add_generate(*app, chosen);
  add_convert(*app, chosen);
  add_info(*app, chosen);
  add_plan(*app, chosen);
  add_extract(*app, chosen);
  add_rank(*app, chosen);
  add_verify(*app, chosen);
  add_variants(*app, chosen);
  add_reduce(*app, chosen);
  add_merge(*app, chosen);
  add_stream(*app, chosen);
  add_bench(*app, chosen);
  add_completions(*app, chosen);
  add_man(*app, chosen);
  add_examples(*app);
  app->footer("A GRAPH is a file, - (standard input), or a generator spec such as rmat:scale=20,edges=16,seed=7.\n" + formats_text() +
              "\nExit codes: 0 done, 1 a check failed, 2 misuse or bad input, 3 out of resources.");
  return app;
}

}  // namespace copse::cli
