// A project of somebody else: it sees what is installed, and nothing more.
#include <copse/copse.hpp>

#include <cstdio>

int main() {
  const copse::graph karate = copse::gen::generate("karate");
  const auto result = copse::components(karate);
  const auto summary = copse::summarise(result.labels);
  const auto verdict = copse::verify(karate.view(), result.labels);
  std::printf("%llu vertices, %llu component, %s\n", static_cast<unsigned long long>(summary.vertices),
              static_cast<unsigned long long>(summary.components), verdict ? "verified" : verdict.reason.c_str());
  return summary.vertices == 34 && summary.components == 1 && verdict ? 0 : 1;
}
