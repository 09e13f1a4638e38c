// copse-mpi: arguments, and the life of MPI around the work.
#include <copse/version.h>

#include <fmt/format.h>

#include <exception>

#include "../cli/output.hpp"
#include "components.hpp"

namespace {

using namespace copse;

int run(const mpi::communicator& world, int argc, const char* const* argv) {
  CLI::App app{"Connected components of one graph by the processes of several machines.", "copse-mpi"};
  app.set_version_flag("--version", "copse-mpi " COPSE_VERSION_TEXT, "Show the version and exit");
  app.require_subcommand(1);
  app.footer("Exit codes: 0 done, 1 a check failed, 2 misuse or bad input, 3 out of resources.");
  mpi::job_options options;
  auto* command = app.add_subcommand("components", "Find the connected components of a graph; every process reads a part of it");
  mpi::add_options(*command, options);
  const bool speaks = world.rank == 0;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    if (speaks) cli::write_stdout(app.help());
    return cli::exit_code::done;
  } catch (const CLI::CallForVersion&) {
    if (speaks) cli::write_stdout(app.version() + "\n");
    return cli::exit_code::done;
  } catch (const CLI::ParseError& problem) {
    if (speaks) cli::complain(fmt::format("copse-mpi: {} (see copse-mpi components --help)", problem.what()));
    return cli::exit_code::misuse;
  } catch (const usage_error& problem) {
    if (speaks) cli::complain(fmt::format("copse-mpi: {}", problem.what()));
    return cli::exit_code::misuse;
  }
  return mpi::find_components(world, options);
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  const auto world = mpi::communicator::world();
  int code = cli::exit_code::out_of_resources;
  try {
    code = run(world, argc, argv);
  } catch (const std::exception& problem) {  // on one rank alone, where all others wait for it
    cli::complain(fmt::format("copse-mpi: rank {}: {}", world.rank, problem.what()));
    MPI_Abort(world.handle, code);
  }
  MPI_Finalize();
  return code;
}
