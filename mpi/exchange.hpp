// What ranks send each other: bytes of any number, forests up a binomial tree, and an answer to all. The counts of MPI are 32-bit ints, so
// larger messages go in pieces.
#pragma once
#include <mpi.h>

#include <copse/memory.hpp>
#include <copse/partial.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace copse::mpi {

struct communicator {
  MPI_Comm handle = MPI_COMM_WORLD;
  int rank = 0;
  int size = 1;

  static communicator world();
};

void send_bytes(const communicator& world, int to, std::span<const std::byte> bytes);
buffer<std::byte> receive_bytes(const communicator& world, int from, std::pmr::memory_resource* memory);
/// Rank 0's bytes to all.
buffer<std::byte> broadcast_bytes(const communicator& world, buffer<std::byte> bytes, std::pmr::memory_resource* memory);

/// Rank r hands what it has to rank r - 2^i, where 2^i is the lowest bit of r, once it has taken what ranks r + 1, r + 2, r + 4, ... below
/// that hand to it: ceil(log2(size)) rounds, and every rank but 0 sends once. `take(from)` receives; `hand_over(to)` sends.
void up_the_tree(const communicator& world, const std::function<void(int)>& take, const std::function<void(int)>& hand_over);

/// Returns how many ranks, this one included, may use the cores that this one may use: mpirun gives each its own, or some together.
int ranks_on_these_cores(const communicator& world);

// Sums and such, over all ranks.
double largest_of_all(const communicator& world, double value);
std::uint64_t sum_of_all(const communicator& world, std::uint64_t value);
/// Sum over the ranks below this one.
std::uint64_t sum_below(const communicator& world, std::uint64_t value);

/// The text of the lowest rank that has one, on all ranks; empty when none has.
std::string first_text(const communicator& world, const std::string& text);

}  // namespace copse::mpi
