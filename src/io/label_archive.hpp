// Labels as an archive of two arrays, `id` and `component`, with one entry per vertex, which numpy.load returns under these names.
#pragma once
#include <copse/io.hpp>

#include <filesystem>
#include <string_view>

namespace copse::io {

void write_label_archive(const labelling& all, const std::filesystem::path& path, const execution& on);
/// `bytes` are the contents of the file at `path`. Ids must ascend, as write_label_archive() writes them.
labelling read_label_archive(std::string_view bytes, const std::filesystem::path& path, const execution& on, bool numbered);

}  // namespace copse::io
