#include <copse/build.hpp>
#include <copse/generate.hpp>

namespace copse::gen {

graph generate(std::string_view spec, const generate_options& options) {
  build_options build;
  build.threads = options.threads;
  build.memory = options.memory;
  return build_csr(generate_edges(spec, options), build);
}

}  // namespace copse::gen
