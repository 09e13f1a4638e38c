// Components of a part of a file, while it is parsed.
#include <copse/errors.hpp>
#include <drivers/streaming/streaming_sink.hpp>

#include <new>
#include <span>
#include <string>

namespace copse::streaming {

labelling components_of_part(std::span<const std::filesystem::path> paths, io::part_of_file part, const io::read_options& input,
                             std::pmr::memory_resource* memory) {
  try {
    streaming_sink sink{usable_threads(input.threads), memory};
    io::parse(paths, input, part, sink);
    return sink.take_labelling();
  } catch (const std::bad_alloc&) {
    throw resource_error{"out of memory while part " + std::to_string(part.index) + " of " + std::to_string(part.count) + " was read"};
  }
}

}  // namespace copse::streaming
