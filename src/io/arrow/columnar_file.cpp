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

struct plugin {
  const copse_columnar_files* functions = nullptr;
  std::string fault;  ///< why the plug-in was not loaded, if it was not
};

/// Loads the plug-in from ../lib/copse relative to the folder of the executable, where builds and installations put it; otherwise from
/// where the system looks for libraries.
plugin loaded_plugin() {
  std::error_code none;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
  const std::string file = "libcopse_parquet.so";
  const auto beside = program.parent_path().parent_path() / "lib/copse" / file;
  plugin found{nullptr, "there is no " + file};
  for (const std::string& name : {beside.string(), file}) {
    if (name == beside.string() && !std::filesystem::exists(beside, none)) continue;
    void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      if (name == beside.string()) found.fault = dlerror();
      continue;
    }
    const auto functions = reinterpret_cast<decltype(&copse_columnar_plugin)>(dlsym(library, "copse_columnar_plugin"));
    if (functions != nullptr && functions()->version == copse_columnar_files_version) return {functions(), {}};
    found.fault = name + " is of another version";
    dlclose(library);
  }
  return found;
}

const copse_columnar_files* given_plugin = nullptr;

const plugin& the_plugin() {
  static const plugin loaded = given_plugin != nullptr ? plugin{given_plugin, {}} : loaded_plugin();
  return loaded;
}

const copse_columnar_files& plugin_for(const std::filesystem::path& path) {
  const plugin& loaded = the_plugin();
  if (loaded.functions != nullptr) return *loaded.functions;
  throw input_error::at(
      path.string(), 0, "a file of Parquet or Arrow that cannot be read (" + loaded.fault + ")",
      "pyarrow in addition to the Python package (pip install pyarrow), or the plug-in libcopse_parquet.so, which a build of copse "
      "with COPSE_PARQUET=ON makes where Arrow C++ or pyarrow is installed");
}

int is_parquet(format f) noexcept { return f == format::parquet ? 1 : 0; }

/// Throws resource_error if the plug-in ran out of memory, otherwise input_error: what was found, the plug-in's message `why` in brackets,
/// and what was expected.
[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& found, const failure_text& why, const char* expected) {
  if (std::string_view{why.data()} == copse_columnar_out_of_memory) throw resource_error{path.string() + ": reading: out of memory"};
  throw input_error::at(path.string(), 0, found + " (" + why.data() + ")", expected);
}

}  // namespace

std::vector<std::filesystem::path> columnar_files(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code fault;
  if (!fs::is_directory(path, fault)) return {path};
  std::vector<fs::path> files;
  fs::recursive_directory_iterator entry{path, fs::directory_options::follow_directory_symlink, fault};
  for (; !fault && entry != fs::recursive_directory_iterator{}; entry.increment(fault)) {
    const std::string name = entry->path().filename().string();
    const bool hidden = name.starts_with('.') || name.starts_with('_');
    if (hidden && entry->is_directory(fault)) entry.disable_recursion_pending();
    if (!hidden && entry->is_regular_file(fault) && io::is_columnar_suffix(entry->path().extension().string()))
      files.push_back(entry->path());
  }
  if (fault) throw input_error::at(path.string(), 0, "a folder that cannot be read (" + fault.message() + ")", "one that can be read");
  if (files.empty()) throw input_error::at(path.string(), 0, "a folder without files of .parquet or .arrow", "a file, or a folder of such");
  std::sort(files.begin(), files.end());
  return files;
}

void use_plugin(const copse_columnar_files& functions) { given_plugin = &functions; }

bool has_plugin() { return the_plugin().functions != nullptr; }

void expect_plugin(const std::filesystem::path& path) { static_cast<void>(plugin_for(path)); }

columnar_file::columnar_file(const std::filesystem::path& path, format f, bool mapped) : path_{path} {
  const copse_columnar_files& plugin = plugin_for(path);
  std::error_code fault;
  if (const auto status = std::filesystem::status(path, fault); !std::filesystem::is_regular_file(status)) {
    throw input_error::at(path.string(), 0, fault ? fault.message() : "no regular file",
                          "a file of Parquet or Arrow, which is not read from a pipe");
  }
  failure_text why{};
  file_ = plugin.open(path.c_str(), is_parquet(f), mapped ? 1 : 0, why.data(), why.size());
  const std::string kind = f == format::parquet ? "Parquet" : "Arrow";
  if (file_ == nullptr) refuse(path, "no " + kind + " file", why, "one");
  arrow_owner<ArrowSchema> schema;
  if (plugin.schema(file_, schema.get(), why.data(), why.size()) != 0) {
    plugin.close(file_);
    refuse(path, "a table whose columns cannot be read", why, "one whose columns can be read");
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
    refuse(path_, "a table that cannot be read", why, "one that can be read");
  }
  return arrow_stream{std::move(stream)};
}

columnar_output::columnar_output(const std::filesystem::path& path, format f, std::shared_ptr<const ready_table> columns)
    : path_{path}, file_{path, false} {
  arrow_owner<ArrowSchema> schema;
  arrow_owner<ArrowArray> no_rows;
  give_array(std::move(columns), *schema.get(), *no_rows.get());
  failure_text why{};
  table_ = plugin_for(path_).create(schema.get(), is_parquet(f), put, this, why.data(), why.size());
  expect(table_ == nullptr, why);
}

columnar_output::~columnar_output() {
  if (table_ != nullptr) plugin_for(path_).discard(table_);
}

int columnar_output::put(void* self, const void* bytes, std::int64_t count) {
  auto& mine = *static_cast<columnar_output*>(self);
  try {
    mine.file_.write(bytes, static_cast<std::size_t>(count));
    return 0;
  } catch (...) {
    mine.write_failure_ = std::current_exception();
    return 1;
  }
}

void columnar_output::expect(bool failed, const failure_text& why) const {
  if (write_failure_) std::rethrow_exception(write_failure_);
  if (failed) refuse(path_, "a table that cannot be written", why, "another");
}

void columnar_output::append(std::shared_ptr<const ready_table> rows) {
  arrow_owner<ArrowSchema> schema;
  arrow_owner<ArrowArray> array;
  give_array(std::move(rows), *schema.get(), *array.get());
  failure_text why{};
  expect(plugin_for(path_).append(table_, array.get(), why.data(), why.size()) != 0, why);
}

void columnar_output::commit() {
  failure_text why{};
  expect(plugin_for(path_).finish(table_, why.data(), why.size()) != 0, why);
  file_.commit();
}

}  // namespace copse::arrow
