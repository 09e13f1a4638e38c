// Batches of a stream in turn: the next one is read while the command works on the last.
#pragma once
#include <copse/operations.hpp>

#include <cstddef>
#include <exception>
#include <memory_resource>
#include <utility>

#include "core/team.hpp"

namespace copse::cli {

/// Calls work(batch) for all batches, of `first` records and then of `others`; the last one may be shorter. What is wrong with a batch is
/// thrown once the work on those before it is done. `ahead`: not where the writer of the stream may wait for an error before it goes on.
template <class Work>
void for_each_batch(io::operation_reader& reader, std::size_t first, std::size_t others, bool ahead, std::pmr::memory_resource* memory,
                    Work work) {
  io::operation_batch batch{memory}, next{memory};
  bool more = reader.next(batch, first);
  while (more) {
    std::exception_ptr fault;
    const auto read = [&] {
      try {
        more = reader.next(next, others);
      } catch (...) {
        fault = std::current_exception();
      }
    };
    on_workers(ahead ? 2 : 1, [&](unsigned worker) {
      if (worker == 0) {
        work(std::as_const(batch));
      } else {
        read();
      }
    });
    if (!ahead) read();
    if (fault) std::rethrow_exception(fault);
    std::swap(batch, next);
  }
}

}  // namespace copse::cli
