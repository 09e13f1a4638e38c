#include <copse/errors.hpp>
#include <copse/variants.hpp>
#include <core/parallel.hpp>
#include <variants/auto_on_gpu.hpp>
#include <variants/choosers.hpp>

#include <string>
#include <utility>

namespace copse {

chosen_name choose(std::string_view chooser, graph_view in_host_memory, const solve_options& options) {
  if (!is_chooser(chooser)) throw usage_error{"choose: found " + std::string{chooser} + ", expected auto, gconn_tree or gconn_default"};
  auto picked = options.gpu ? variant::on_gpu(chooser, in_host_memory, options.seed)
                            : variant::choose(chooser, in_host_memory, usable_threads(options.threads), options.seed);
  return {std::move(picked.variant), std::move(picked.explanation)};
}

}  // namespace copse
