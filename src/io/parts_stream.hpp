// The stream of a compressed file whose parts decompress by themselves, as the frames of a .zst by pzstd, or the blocks of a .gz by bgzip.
// Workers that are about to ask for a block of text decompress as much ahead first, each other parts; what is read comes in order.
#pragma once
#include "io/byte_stream.hpp"
#include "io/source.hpp"

#include <copse/memory.hpp>

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace copse::io {

class parts_stream final : public byte_stream {
public:
  /// Null when the file has fewer than two such parts, or something that is none: then it is a stream like any other, which says what is
  /// wrong. `slice_bytes`: compressed ones that are worth a turn of a worker. Memory: what `workers` have decompressed ahead, twice.
  static std::unique_ptr<byte_stream> open(const input_file& file, compression method, std::size_t slice_bytes, unsigned workers,
                                           std::pmr::memory_resource* memory);

  /// By one thread at a time.
  std::size_t read(char* to, std::size_t count) override;
  [[nodiscard]] std::uint64_t consumed() const noexcept override { return begin_of(turn_); }
  /// By any thread at any time. What goes wrong is thrown by read() in its turn.
  void read_ahead(std::size_t count) override;

private:
  /// A slice that is being decompressed, or has been.
  struct slice_text {
    buffer<char> held;
    std::size_t size = 0;
    std::exception_ptr error;
    bool done = false;
  };

  parts_stream(const input_file& file, compression method, unsigned workers, std::pmr::memory_resource* memory)
      : name_{file.name()}, mapping_{file}, method_{method}, memory_{memory}, texts_(2 * std::size_t{workers}) {}
  [[nodiscard]] std::string_view bytes() const noexcept { return {mapping_.data(), mapping_.size()}; }
  [[nodiscard]] std::size_t begin_of(std::size_t slice) const noexcept { return slice == 0 ? 0 : ends_[slice - 1]; }
  [[nodiscard]] slice_text& text_of(std::size_t slice) noexcept { return texts_[slice % texts_.size()]; }
  std::size_t decompress_next(std::unique_lock<std::mutex>& lock);

  std::string name_;
  mapped_file mapping_;
  compression method_;
  std::pmr::memory_resource* memory_;
  std::vector<std::size_t> ends_;  // of slices, in the file
  std::size_t at_ = 0;             // what was read of the slice whose turn it is

  std::mutex guard_;  // of everything below
  std::condition_variable moved_on_;
  std::vector<slice_text> texts_;  // of slices [turn_, begun_), in a ring
  std::size_t turn_ = 0;           // the slice that is read next
  std::size_t begun_ = 0;          // slices that a worker has taken
};

}  // namespace copse::io
