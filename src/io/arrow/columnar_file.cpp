#include "io/arrow/columnar_file.hpp"

#include <dlfcn.h>
#include <copse/errors.hpp>

#include "io/written_suffix.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <string>
#include <system_error>
#include <utility>

namespace copse::arrow {
namespace {

/// Where installations keep the plug-in, and where a build does: beside the folder of the program; then wherever the system looks.
const copse_columnar_files* loaded_plugin() {
  std::error_code none;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
  const std::string file = "libcopse_parquet.so";
  for (const std::string& name : {(program.parent_path().parent_path() / "lib/copse" / file).string(), file}) {
    void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    const auto functions = reinterpret_cast<decltype(&copse_columnar_plugin)>(dlsym(library, "copse_columnar_plugin"));
    if (functions != nullptr && functions()->version == copse_columnar_files_version) return functions();
    dlclose(library);
  }
  return nullptr;
}

const copse_columnar_files& plugin_for(const std::filesystem::path& path) {
  static const copse_columnar_files* const plugin = loaded_plugin();
  if (plugin != nullptr) return *plugin;
  throw input_error::at(path.string(), 0, "a file of Parquet or Arrow, and no libcopse_parquet.so to read or write it",
                        "one beside this program, as a build with COPSE_PARQUET=ON makes it where Arrow C++ or pyarrow is installed");
}

/// What the plug-in says of a failure.
using failure_text = std::array<char, 1024>;

int is_parquet(format f) noexcept { return f == format::parquet ? 1 : 0; }

}  // namespace

std::vector<std::filesystem::path> columnar_files(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::filesystem::path> files;
  for (auto entry = std::filesystem::recursive_directory_iterator{path}; entry != std::filesystem::recursive_directory_iterator{};
       ++entry) {
    const std::string name = entry->path().filename().string();
    const bool hidden = name.starts_with('.') || name.starts_with('_');
    if (hidden && entry->is_directory()) entry.disable_recursion_pending();
    if (!hidden && entry->is_regular_file() && io::is_columnar_suffix(entry->path().extension().string())) files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void expect_plugin(const std::filesystem::path& path) { static_cast<void>(plugin_for(path)); }

columnar_file::columnar_file(const std::filesystem::path& path, format f) : path_{path} {
  const copse_columnar_files& plugin = plugin_for(path);
  std::error_code fault;
  if (const auto status = std::filesystem::status(path, fault); !std::filesystem::is_regular_file(status)) {
    throw input_error::at(path.string(), 0, fault ? fault.message() : "no regular file",
                          "a file of Parquet or Arrow, which is not read from a pipe");
  }
  failure_text why{};
  file_ = plugin.open(path.c_str(), is_parquet(f), why.data(), why.size());
  const std::string kind = f == format::parquet ? "Parquet" : "Arrow";
  if (file_ == nullptr) throw input_error::at(path.string(), 0, "no " + kind + " file (" + why.data() + ")", "one");
  arrow_owner<ArrowSchema> schema;
  if (plugin.schema(file_, schema.get(), why.data(), why.size()) != 0) {
    plugin.close(file_);
    throw input_error::at(path.string(), 0, "a table whose columns cannot be read (" + std::string{why.data()} + ")", "another");
  }
  for (std::int64_t i = 0; i < schema->n_children; ++i) columns_.emplace_back(*schema->children[i]);
}

columnar_file::~columnar_file() { plugin_for(path_).close(file_); }

std::int64_t columnar_file::parts() const { return plugin_for(path_).parts(file_); }

std::int64_t columnar_file::part_rows(std::int64_t part) const { return plugin_for(path_).part_rows(file_, part); }

arrow_stream columnar_file::read(std::span<const int> columns, std::int64_t begin, std::int64_t end) const {
  failure_text why{};
  arrow_owner<ArrowArrayStream> stream;
  if (plugin_for(path_).read(file_, columns.data(), static_cast<int>(columns.size()), begin, end, stream.get(), why.data(), why.size()) !=
      0) {
    throw input_error::at(path_.string(), 0, "a table that cannot be read (" + std::string{why.data()} + ")", "another");
  }
  return arrow_stream{std::move(stream)};
}

void write_columnar_file(std::shared_ptr<const ready_table> table, const std::filesystem::path& path, format f) {
  const copse_columnar_files& plugin = plugin_for(path);
  struct target {
    io::output_file file;
    std::exception_ptr failure;
  } to{io::output_file{path, false}, nullptr};
  const auto put = [](void* context, const void* bytes, std::int64_t count) {
    auto& mine = *static_cast<target*>(context);
    try {
      mine.file.write(bytes, static_cast<std::size_t>(count));
      return 0;
    } catch (...) {
      mine.failure = std::current_exception();
      return 1;
    }
  };
  failure_text why{};
  ArrowArrayStream stream;
  give_stream(std::move(table), stream);
  const int status = plugin.write(&stream, is_parquet(f), put, &to, why.data(), why.size());
  if (to.failure) std::rethrow_exception(to.failure);
  if (status != 0) throw input_error::at(path.string(), 0, "a table that cannot be written (" + std::string{why.data()} + ")", "another");
  to.file.commit();
}

}  // namespace copse::arrow
