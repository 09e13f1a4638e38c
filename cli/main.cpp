#include "commands.hpp"

int main(int argc, char** argv) { return copse::cli::run(argc, argv); }
