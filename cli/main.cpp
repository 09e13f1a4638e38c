#include "commands.hpp"
#include "python_host.hpp"

int main(int argc, char** argv) {
  copse::cli::hand_over_to_python(argc, argv);
  return copse::cli::run(argc, argv);
}
