// Galois graphs, version 1 (FileGraph.h): uint64 1, uint64 bytes of data per arc, uint64 vertices, uint64 arcs, uint64 ends[vertices] of
// the rows, uint32 targets[arcs], a uint32 of 0 if the number of arcs is odd, and the data of the arcs, which are ignored.
#include "io/binary_source.hpp"
#include "io/readers.hpp"

#include <cstring>

namespace copse::io {

graph read_galois(const std::filesystem::path& path, const read_request& options) {
  binary_source source{path, options};
  const auto number = [&](std::string_view what) { return load<std::uint64_t>(source.take(1, 8, what).data()); };
  if (const std::uint64_t version = number("version"); version != 1)
    refuse_byte(source.name(), 0, "version " + std::to_string(version), "version 1 of Galois graphs");
  const std::uint64_t data_bytes = number("size of the data of an arc");
  if (data_bytes > 64) refuse_byte(source.name(), 8, std::to_string(data_bytes) + " bytes of data per arc", "at most 64");
  const std::string data =
      std::to_string(data_bytes) + (data_bytes == 1 ? " byte" : " bytes") + " of data per arc, of a type that it does not name";
  refuse_min_weight(source.name(), options, data_bytes == 0 ? "no weights" : data);
  if (data_bytes != 0 && options.observer != nullptr) options.observer->note(source.name() + " has " + data + ": they are left out");
  const std::uint64_t vertices = number("number of vertices");
  const std::uint64_t arcs = number("number of arcs");
  const std::uint64_t ends_at = source.position();
  const std::string_view ends = source.take(vertices, 8, "ends of rows");
  const std::uint64_t targets_at = source.position();
  const packed_integers targets{source.take(arcs, 4, "targets"), 4, false, targets_at, source.name()};
  if (arcs % 2 == 1 && source.remaining() != 0) source.take(1, 4, "bytes behind an odd number of targets");
  if (data_bytes != 0) source.take(arcs, static_cast<unsigned>(data_bytes), "data of arcs");
  source.expect_end(data_bytes == 0 ? "the targets" : "the data of the arcs");
  // offsets: 0, then the ends of the rows, as each row begins where the previous one ends
  buffer<char> offsets{ends.size() + 8, options.memory};
  std::memset(offsets.data(), 0, 8);
  if (!ends.empty()) std::memcpy(offsets.data() + 8, ends.data(), ends.size());
  return rows_of({{offsets.data(), offsets.size()}, 8, false, ends_at - 8, source.name()}, targets, options);
}

}  // namespace copse::io
