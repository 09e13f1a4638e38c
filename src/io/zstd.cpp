// Reads and writes Zstandard.
#include "io/compression.hpp"

#include <cstring>
#include <exception>

#define ZSTD_STATIC_LINKING_ONLY  // declares custom allocators, which libzstd exports
#include <zstd.h>

namespace copse::io {
namespace {

/// Allocates the memory of a decoder from a memory resource. zstd is written in C, so an exception is kept until the call of zstd has
/// returned, and is then rethrown.
class decoder_memory {
public:
  explicit decoder_memory(std::pmr::memory_resource* memory) : memory_{memory} {}
  decoder_memory(const decoder_memory&) = delete;
  decoder_memory& operator=(const decoder_memory&) = delete;

  [[nodiscard]] ZSTD_customMem functions() noexcept { return {allocate, release, this}; }
  void rethrow() const {
    if (failed_) std::rethrow_exception(failed_);
  }

private:
  static constexpr std::size_t head = 64;  // stores the size in front of a block, and keeps the alignment of a cache line

  static void* allocate(void* self, std::size_t bytes) noexcept {
    auto& mine = *static_cast<decoder_memory*>(self);
    try {
      auto* const block = static_cast<char*>(mine.memory_->allocate(head + bytes, head));
      std::memcpy(block, &bytes, sizeof bytes);
      return block + head;
    } catch (...) {
      mine.failed_ = std::current_exception();
      return nullptr;
    }
  }
  static void release(void* self, void* address) noexcept {
    if (address == nullptr) return;
    char* const block = static_cast<char*>(address) - head;
    std::size_t bytes = 0;
    std::memcpy(&bytes, block, sizeof bytes);
    static_cast<decoder_memory*>(self)->memory_->deallocate(block, head + bytes, head);
  }

  std::pmr::memory_resource* memory_;
  std::exception_ptr failed_;
};

class zstd_stream final : public byte_stream {
public:
  zstd_stream(compressed_input in, std::pmr::memory_resource* memory)
      : in_{std::move(in)}, memory_{memory}, zstd_{ZSTD_createDCtx_advanced(memory_.functions())} {
    memory_.rethrow();
    if (zstd_ == nullptr) throw resource_error{"out of memory: zstd cannot start"};
  }
  zstd_stream(const zstd_stream&) = delete;
  zstd_stream& operator=(const zstd_stream&) = delete;
  ~zstd_stream() override { ZSTD_freeDCtx(zstd_); }

  std::size_t read(char* to, std::size_t count) override {
    ZSTD_outBuffer out{to, count, 0};
    while (out.pos == 0) {
      // The decoder may hold output after all input is consumed, so the stream has ended only if no more output comes either.
      const bool more = in_.fill();
      if (!more && expected_ == 0) break;
      ZSTD_inBuffer in{in_.data(), more ? in_.size() : 0, 0};
      expected_ = ZSTD_decompressStream(zstd_, &out, &in);
      in_.take(in.pos);
      memory_.rethrow();
      if (ZSTD_isError(expected_) != 0) in_.damaged("zstd", ZSTD_getErrorName(expected_));
      if (!more && out.pos == 0 && expected_ != 0) in_.cut_off("zstd");
    }
    return out.pos;
  }
  [[nodiscard]] std::uint64_t consumed() const noexcept override { return in_.offset(); }

private:
  compressed_input in_;
  decoder_memory memory_;
  ZSTD_DCtx* zstd_;
  // what zstd last returned: 0 if a frame has just ended; initially not 0, as an empty file is not a zstd stream
  std::size_t expected_ = 1;
};

constexpr std::size_t room_bytes = std::size_t{1} << 16;
constexpr int zstd_level = 3;

class zstd_packer final : public packer {
public:
  zstd_packer() : zstd_{ZSTD_createCCtx()} {
    if (zstd_ == nullptr) throw resource_error{"out of memory: zstd cannot start"};
    ZSTD_CCtx_setParameter(zstd_, ZSTD_c_compressionLevel, zstd_level);
    ZSTD_CCtx_setParameter(zstd_, ZSTD_c_checksumFlag, 1);
  }
  zstd_packer(const zstd_packer&) = delete;
  zstd_packer& operator=(const zstd_packer&) = delete;
  ~zstd_packer() override { ZSTD_freeCCtx(zstd_); }

  void pack(const char* bytes, std::size_t count, const consumer& out) override {
    ZSTD_inBuffer in{bytes, count, 0};
    while (in.pos < in.size) step(in, ZSTD_e_continue, out);
  }
  void finish(const consumer& out) override {
    ZSTD_inBuffer none{nullptr, 0, 0};
    while (step(none, ZSTD_e_end, out) != 0) {
    }
  }

private:
  /// Compresses more input, passes the output on, and returns how much output is left.
  std::size_t step(ZSTD_inBuffer& in, ZSTD_EndDirective how, const consumer& out) {
    ZSTD_outBuffer packed{room_.data(), room_.size(), 0};
    const std::size_t left = ZSTD_compressStream2(zstd_, &packed, &in, how);
    if (ZSTD_isError(left) != 0) throw resource_error{std::string{"zstd: "} + ZSTD_getErrorName(left)};
    out(room_.data(), packed.pos);
    return left;
  }

  ZSTD_CCtx* zstd_;
  std::vector<char> room_ = std::vector<char>(room_bytes);
};

}  // namespace

std::unique_ptr<byte_stream> open_zstd(compressed_input in, std::pmr::memory_resource* memory) {
  return std::make_unique<zstd_stream>(std::move(in), memory);
}
std::unique_ptr<packer> make_zstd_packer() { return std::make_unique<zstd_packer>(); }
std::size_t zstd_frame_bytes(std::string_view bytes) noexcept {
  const std::size_t frame = ZSTD_findFrameCompressedSize(bytes.data(), bytes.size());
  return ZSTD_isError(frame) != 0 ? 0 : frame;
}

}  // namespace copse::io
