#include "label_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <copse/errors.hpp>
#include <cstring>
#include <system_error>

#include "io/text_writer.hpp"

namespace copse::mpi {
namespace {

constexpr std::string_view csv_header = "id,component\n";

/// The lines of vertices [begin, end).
std::string lines_of(const labelling& all, std::uint64_t begin, std::uint64_t end, bool csv, const std::filesystem::path& path) {
  std::string text;
  io::text_writer out{text};
  std::visit(
      [&]<class Id>(const buffer<Id>& labels) {
        io::with_names(all.names(), out, csv ? io::quoting::csv : io::quoting::tabs, path, [&](auto put_name) {
          for (std::uint64_t i = begin; i < end; ++i) {
            if (labels[i] == no_vertex<Id>) continue;
            put_name(i);
            out.put(csv ? ',' : '\t');
            put_name(labels[i]);
            out.put('\n');
          }
        });
      },
      all.labels());
  out.flush();
  return text;
}

/// Empty, or why the bytes could not be written there.
std::string write_at(const std::filesystem::path& path, const std::string& text, std::uint64_t at) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return path.string() + ": " + std::strerror(errno);
  std::string fault;
  for (std::size_t done = 0; done < text.size() && fault.empty();) {
    const ssize_t now = pwrite(file, text.data() + done, text.size() - done, static_cast<off_t>(at + done));
    if (now > 0) {
      done += static_cast<std::size_t>(now);
    } else if (now == 0 || errno != EINTR) {
      fault = path.string() + ": " + std::strerror(now == 0 ? ENOSPC : errno);
    }
  }
  if (close(file) != 0 && fault.empty()) fault = path.string() + ": " + std::strerror(errno);  // some file systems say only now
  return fault;
}

}  // namespace

void expect_lines(const std::filesystem::path& path) {
  const auto suffix = path.extension();
  if (suffix == ".csv" || suffix == ".txt" || suffix == ".forest") return;
  throw input_error::at(path.string(), 0, suffix.empty() ? "no suffix" : "the suffix " + suffix.string(),
                        ".csv or .txt, which ranks write together, or .forest, of which copse merge makes labels of any format");
}

std::string write_labels_together(const communicator& world, const labelling& labels, const std::filesystem::path& path) {
  const std::filesystem::path temporary = path.string() + ".copse-mpi";
  const bool csv = path.extension() == ".csv";
  std::string fault;
  std::string text;
  try {
    if (world.rank == 0) io::output_file{path, false};  // refuses now what could not take the name at the end
    const auto ranks = static_cast<std::uint64_t>(world.size), rank = static_cast<std::uint64_t>(world.rank);
    const std::uint64_t slots = labels.slots(), share = slots / ranks + 1;
    text = lines_of(labels, std::min(slots, rank * share), std::min(slots, (rank + 1) * share), csv, path);
    if (world.rank == 0 && csv) text.insert(0, csv_header);
    if (world.rank == 0) {
      const int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
      if (file < 0) throw input_error{temporary.string() + ": " + std::strerror(errno)};
      close(file);
    }
  } catch (const std::exception& problem) {
    fault = problem.what();
  }
  const std::uint64_t at = sum_below(world, text.size());
  if (const std::string first = first_text(world, fault); !first.empty()) {
    if (world.rank == 0) unlink(temporary.c_str());
    return first;
  }
  fault = write_at(temporary, text, at);
  std::string first = first_text(world, fault);
  if (world.rank == 0) {
    std::error_code refused;
    if (first.empty()) std::filesystem::rename(temporary, path, refused);
    if (refused) fault = path.string() + ": " + refused.message();
    if (!first.empty() || refused) unlink(temporary.c_str());
  }
  return first.empty() ? first_text(world, fault) : first;
}

}  // namespace copse::mpi
