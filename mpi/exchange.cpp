#include "exchange.hpp"

#include <sched.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace copse::mpi {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 30;
constexpr int tag = 1;

/// Calls f(pointer, count) for pieces that an int counts.
template <class Byte, class F>
void in_pieces(std::span<Byte> bytes, F f) {
  for (std::size_t at = 0; at < bytes.size(); at += piece_bytes) {
    const std::size_t count = std::min(piece_bytes, bytes.size() - at);
    f(bytes.data() + at, static_cast<int>(count));
  }
}

}  // namespace

communicator communicator::world() {
  communicator all;
  MPI_Comm_rank(all.handle, &all.rank);
  MPI_Comm_size(all.handle, &all.size);
  return all;
}

void send_bytes(const communicator& world, int to, std::span<const std::byte> bytes) {
  const std::uint64_t size = bytes.size();
  MPI_Send(&size, 1, MPI_UINT64_T, to, tag, world.handle);
  in_pieces(bytes, [&](const std::byte* from, int count) { MPI_Send(from, count, MPI_BYTE, to, tag, world.handle); });
}

buffer<std::byte> receive_bytes(const communicator& world, int from, std::pmr::memory_resource* memory) {
  std::uint64_t size = 0;
  MPI_Recv(&size, 1, MPI_UINT64_T, from, tag, world.handle, MPI_STATUS_IGNORE);
  buffer<std::byte> bytes{size, memory};
  in_pieces(bytes.span(), [&](std::byte* to, int count) { MPI_Recv(to, count, MPI_BYTE, from, tag, world.handle, MPI_STATUS_IGNORE); });
  return bytes;
}

buffer<std::byte> broadcast_bytes(const communicator& world, buffer<std::byte> bytes, std::pmr::memory_resource* memory) {
  std::uint64_t size = bytes.size();
  MPI_Bcast(&size, 1, MPI_UINT64_T, 0, world.handle);
  if (world.rank != 0) bytes = buffer<std::byte>{size, memory};
  in_pieces(bytes.span(), [&](std::byte* at, int count) { MPI_Bcast(at, count, MPI_BYTE, 0, world.handle); });
  return bytes;
}

void up_the_tree(const communicator& world, const std::function<void(int)>& take, const std::function<void(int)>& hand_over) {
  for (int step = 1; step < world.size; step *= 2) {
    if ((world.rank & step) != 0) return hand_over(world.rank - step);
    if (world.rank + step < world.size) take(world.rank + step);
  }
}

// Sets of cores are the same or disjoint, so the first core tells one from another.
int ranks_on_these_cores(const communicator& world) {
  cpu_set_t cores;
  int first = 0;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) {
    while (first < CPU_SETSIZE && !CPU_ISSET(first, &cores)) ++first;
  }
  MPI_Comm host = MPI_COMM_NULL, same = MPI_COMM_NULL;
  MPI_Comm_split_type(world.handle, MPI_COMM_TYPE_SHARED, world.rank, MPI_INFO_NULL, &host);
  MPI_Comm_split(host, first, world.rank, &same);
  int count = 1;
  MPI_Comm_size(same, &count);
  MPI_Comm_free(&same);
  MPI_Comm_free(&host);
  return count;
}

double largest_of_all(const communicator& world, double value) {
  double largest = 0;
  MPI_Allreduce(&value, &largest, 1, MPI_DOUBLE, MPI_MAX, world.handle);
  return largest;
}

std::uint64_t sum_of_all(const communicator& world, std::uint64_t value) {
  std::uint64_t sum = 0;
  MPI_Allreduce(&value, &sum, 1, MPI_UINT64_T, MPI_SUM, world.handle);
  return sum;
}

std::uint64_t sum_below(const communicator& world, std::uint64_t value) {
  std::uint64_t sum = 0;
  MPI_Exscan(&value, &sum, 1, MPI_UINT64_T, MPI_SUM, world.handle);
  return world.rank == 0 ? 0 : sum;
}

std::string first_text(const communicator& world, const std::string& text) {
  const int mine = text.empty() ? world.size : world.rank;
  int first = world.size;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, world.handle);
  if (first == world.size) return {};
  std::string said = text;
  int size = static_cast<int>(said.size());
  MPI_Bcast(&size, 1, MPI_INT, first, world.handle);
  said.resize(static_cast<std::size_t>(size));
  MPI_Bcast(said.data(), size, MPI_CHAR, first, world.handle);
  return said;
}

}  // namespace copse::mpi
