// A build without zlib.
#include "io/compressed_input.hpp"
#include "io/packer.hpp"

namespace copse::io {

std::unique_ptr<byte_stream> open_gzip(compressed_input in) {
  throw input_error::at(in.name(), 0, "a gzip stream, which this build of copse cannot read (it was made without zlib)", "plain data");
}
std::unique_ptr<packer> make_gzip_packer() { throw usage_error{".gz: this build of copse was made without zlib, and cannot write it"}; }

}  // namespace copse::io
