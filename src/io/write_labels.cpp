// Writes labels: as lines of names, or as arrays. An array is indexed by id; if all ids are consecutive, it begins with the first id.
#include "core/parallel.hpp"
#include "core/team.hpp"
#include "io/arrow/columnar_file.hpp"
#include "io/arrow/label_table.hpp"
#include "io/label_archive.hpp"
#include "io/npy.hpp"
#include "io/request.hpp"
#include "io/table_writer.hpp"
#include "io/written_suffix.hpp"

#include <copse/errors.hpp>
#include <copse/io.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace copse::io {
namespace {

// Writes rows in order that many threads make concurrently. One thread at a time writes: a thread that has made a piece of rows hands it
// in, and if it is this piece's turn and no thread writes, it writes it, and then the following pieces that other threads have handed in by
// then. So no thread has to be woken for a turn. A thread that is far ahead of what is written waits, which bounds the memory; the writing
// thread never waits, so there is no deadlock, even with a single thread.

/// Takes numbered pieces from several threads and has them written in order. All members are protected by one lock, which is released while
/// a piece is written.
template <class Piece>
class ordered_pieces {
public:
  /// Constructs an object with room for 2 * `half` pieces of output that are not yet written, including the one that is being written.
  /// hand_in() waits until there is room for its piece.
  explicit ordered_pieces(std::size_t half) : waiting_(2 * half) {}

  /// Takes the piece of output with this number (or the error that prevented it); `piece` becomes an old piece, whose memory can be reused.
  /// Unless another thread is writing, calls `write(number, piece)` for all pieces that are next in the order of numbers. Throws what
  /// `write` throws, or the error of a piece when that piece is next. Returns false if another thread has thrown.
  template <class Write>
  bool hand_in(std::uint64_t number, Piece& piece, std::exception_ptr error, Write write) {
    std::unique_lock lock{guard_};
    moved_on_.wait(lock, [&] { return number < turn_ + waiting_.size() || failed_; });
    if (failed_) return false;
    entry& place = waiting_[number % waiting_.size()];
    std::swap(place.piece, piece);
    place.error = std::move(error);
    place.ready = true;
    if (writing_) return true;
    writing_ = true;
    try {
      write_ready(lock, write);
    } catch (...) {
      if (!lock.owns_lock()) lock.lock();
      failed_ = true;
      moved_on_.notify_all();
      throw;
    }
    writing_ = false;
    return true;
  }

private:
  struct entry {
    Piece piece;
    std::exception_ptr error;
    bool ready = false;
  };

  // Writes the pieces whose turn has come. A piece stays in waiting_ while it is written without the lock; turn_, the number of the next
  // piece, advances only after that.
  template <class Write>
  void write_ready(std::unique_lock<std::mutex>& lock, Write write) {
    for (;;) {
      entry& first = waiting_[turn_ % waiting_.size()];
      if (!first.ready) break;
      if (first.error) std::rethrow_exception(first.error);
      lock.unlock();
      write(turn_, first.piece);
      lock.lock();
      first.ready = false;
      ++turn_;
      // The threads that wait for room in waiting_ are not woken after each piece, as waking them delays this thread.
      if (turn_ % (waiting_.size() / 2) == 0) moved_on_.notify_all();
    }
    moved_on_.notify_all();
  }

  std::mutex guard_;
  std::condition_variable moved_on_;
  std::uint64_t turn_ = 0;  // the number of the piece to write next; changed by the writing thread only
  bool writing_ = false, failed_ = false;
  std::vector<entry> waiting_;  // piece i is at index i modulo the size
};

/// The vertices 0 .. count - 1, divided into ranges of `range` vertices.
struct slot_ranges {
  std::uint64_t count, range;
  unsigned threads;
};

/// Calls `make(piece, begin, end)` for each range, from several threads at once, and `write(piece)` in the order of the ranges, from one
/// thread at a time. `piece` is passed to `make` again, to reuse its memory. Throws the error of the first range that failed; no later
/// range is written.
template <class Piece, class Make, class Write>
void write_in_order(const slot_ranges& slots, write_progress& progress, Make make, Write write) {
  const std::uint64_t count = slots.count, range = slots.range, ranges = (count + range - 1) / range;
  const auto workers = static_cast<unsigned>(std::clamp<std::uint64_t>(ranges, 1, slots.threads));
  std::atomic<std::uint64_t> next{0};
  ordered_pieces<Piece> pieces{workers};
  on_workers(workers, [&](unsigned) {
    Piece piece;
    for (std::uint64_t r = next.fetch_add(1); r < ranges; r = next.fetch_add(1)) {
      std::exception_ptr error;
      try {
        make(piece, r * range, std::min(count, (r + 1) * range));
      } catch (...) {
        error = std::current_exception();
      }
      const bool going_on = pieces.hand_in(r, piece, error, [&](std::uint64_t number, Piece& made) {
        progress.at(number * range);
        write(made);
      });
      if (!going_on || error) return;
    }
  });
}

constexpr std::uint64_t lines_ahead = 12;
constexpr std::uint64_t sparsest = 4;  // an array indexed by id may have at most this many elements per vertex

void write_lines(const labelling& all, const std::filesystem::path& path, const execution& on, bool csv) {
  output_file file{path};
  if (csv) {
    constexpr std::string_view header = "id,component\n";
    file.write(header.data(), header.size());
  }
  const char separator = csv ? ',' : '\t';
  write_progress progress{on.observer, all.slots(), "vertices"};
  std::visit(
      [&]<class Id>(const buffer<Id>& labels) {
        // The names of labels are read in random order, unlike those of the vertices, so they are prefetched.
        const bool labels_are_strings = !all.is_numbered() && all.names().what() == vertex_names::kind::strings;
        const auto ask_for = [&](Id label) {
          if (label != no_vertex<Id>) __builtin_prefetch(all.names().string(label).data());
        };
        const auto lines = [&](std::string& text, std::uint64_t begin, std::uint64_t end) {
          text.clear();  // keeps the memory, as all pieces are about equally long
          text_writer out{text};
          with_names(all.names(), out, csv ? quoting::csv : quoting::tabs, path, [&](auto put_name) {
            for (std::uint64_t i = begin; i < end; ++i) {
              if (labels_are_strings && i + lines_ahead < end) ask_for(labels[i + lines_ahead]);
              if (labels[i] == no_vertex<Id>) continue;
              put_name(i);
              out.put(separator);
              all.is_numbered() ? out.put(std::uint64_t{labels[i]}) : put_name(labels[i]);
              out.put('\n');
            }
          });
          out.flush();
        };
        constexpr std::uint64_t range = std::uint64_t{1} << 14;
        write_in_order<std::string>({labels.size(), range, usable_threads(on.threads)}, progress, lines,
                                    [&file](const std::string& text) { file.write(text.data(), text.size()); });
      },
      all.labels());
  file.commit();
}

table_column column_of_labels(const labelling& all) {
  if (all.is_numbered()) return {"component", column_kind::numbers};
  return {"component", column_kind::ids, &all.names()};
}

/// Writes a row for each vertex that is present. Many threads make the rows, and one at a time passes them to the library that encodes
/// them.
void write_columns(const labelling& all, const std::filesystem::path& path, const write_options& options, const execution& on) {
  constexpr std::uint64_t range = std::uint64_t{1} << 17;
  write_progress progress{on.observer, all.slots(), "vertices"};
  const std::string format = arrow::format_of_ids(all.names(), arrow::ids_by_names(all.names()));
  using table = std::shared_ptr<const arrow::ready_table>;
  arrow::columnar_output file{path, columnar_format(written_suffix(path, options)), arrow::label_rows(all, 0, 0, format, on.memory)};
  write_in_order<table>(
      {all.slots(), range, usable_threads(on.threads)}, progress,
      [&](table& rows, std::uint64_t begin, std::uint64_t end) { rows = arrow::label_rows(all, begin, end, format, on.memory); },
      [&file](table& rows) { file.append(std::move(rows)); });
  file.commit();
}

/// The integers that are written for vertices and labels: their ids, or if these are strings, the numbers of the vertices; numbers of
/// components as they are.
struct written_columns {
  const labelling& all;

  [[nodiscard]] bool strings() const { return all.names().what() == vertex_names::kind::strings; }
  [[nodiscard]] std::uint64_t id(std::uint64_t i) const { return strings() ? i : all.names().integer(i); }
  [[nodiscard]] std::uint64_t component(std::uint64_t label) const { return all.is_numbered() ? label : id(label); }
  [[nodiscard]] std::uint64_t present(unsigned threads) const {
    std::atomic<std::uint64_t> absent{0};
    std::visit(
        [&]<class Id>(const buffer<Id>& labels) {
          constexpr std::size_t block = std::size_t{1} << 18;
          parallel_blocks(usable_threads(threads), labels.size(), block, [&](std::size_t begin, std::size_t end) {
            const auto found = std::count(labels.data() + begin, labels.data() + end, no_vertex<Id>);
            absent.fetch_add(static_cast<std::uint64_t>(found), std::memory_order_relaxed);
          });
        },
        all.labels());
    return all.slots() - absent.load(std::memory_order_relaxed);
  }
};

/// The form of an array: `.npy` or raw, and the width of its items in bytes.
struct array_form {
  bool npy = true;
  unsigned width = 0;  // 0 for the narrowest that fits
};

/// The width of the items in bytes. Throws input_error if the ids do not fit.
unsigned width_of(const std::filesystem::path& path, array_form form, const number_range& ids) {
  if (ids.is_signed && !form.npy) throw input_error::at(path.string(), 0, "negative ids", "ids of 0 or more, or .npy .npz .csv or .txt");
  const unsigned width = form.width != 0 ? form.width : ids.width();
  if (width < ids.width()) {
    throw input_error::at(path.string(), 0, "ids up to " + std::to_string(ids.largest),
                          "ids below 4294967295, or the suffix .bin64 or .npy");
  }
  return width;
}

template <class Fill>
void write_array(const std::filesystem::path& path, array_form form, std::uint64_t count, const number_range& ids, Fill fill) {
  const unsigned width = width_of(path, form, ids);
  output_file file{path};
  if (form.npy) write_npy_header(file, ids.kind(), width, {count});
  const auto run = [&]<class T>(T) {
    array_writer<T> out{file};
    fill([&](std::uint64_t value) { out.put(value); });
    out.flush();
  };
  width == 4 ? run(std::uint32_t{}) : run(std::uint64_t{});
  file.commit();
}

/// Writes the labels with a single copy if memory and file have the same form: ids are 0 .. n - 1, and labels have the file's width.
/// Returns false otherwise.
bool write_as_they_are(const labelling& all, const std::filesystem::path& path, const execution& on, array_form form) {
  if (all.names().what() != vertex_names::kind::identity || all.slots() == 0) return false;
  const unsigned width = width_of(path, form, {.largest = all.slots() - 1});
  return std::visit(
      [&]<class Id>(const buffer<Id>& labels) {
        if (width != sizeof(Id)) return false;
        constexpr std::size_t block = std::size_t{1} << 20;
        write_progress progress{on.observer, labels.size(), "vertices"};
        output_file file{path};
        if (form.npy) write_npy_header(file, 'u', width, {labels.size()});
        for (std::size_t at = 0; at < labels.size(); at += block) {
          progress.at(at);
          file.write(labels.data() + at, std::min(block, labels.size() - at) * sizeof(Id));
        }
        file.commit();
        return true;
      },
      all.labels());
}

/// Writes an array for consecutive ids that do not begin with 0: entry i belongs to the vertex first_id + i.
void write_by_position(const labelling& all, const std::filesystem::path& path, const execution& on, array_form form) {
  const written_columns column{all};
  const std::uint64_t slots = all.slots();
  write_progress progress{on.observer, slots, "vertices"};
  write_array(path, form, slots, {.largest = slots == 0 ? 0 : column.id(slots - 1)}, [&](auto put) {
    for (std::uint64_t i = 0; i < slots; ++i) {
      progress.at(i);
      put(all.present(i) ? column.component(all.label(i)) : UINT64_MAX);
    }
  });
}

/// Writes an array in which the entry of each id is its component; entries of ids that do not exist are all ones.
void write_indexed(const labelling& all, const std::filesystem::path& path, const execution& on, array_form form) {
  const written_columns column{all};
  if (column.strings()) {
    throw input_error::at(path.string(), 0, "names that are strings",
                          "ids that are numbers, or .txt or .csv, or a file for the names (the option npy-ids)");
  }
  if (all.names().is_signed()) {
    throw input_error::at(path.string(), 0, "negative ids",
                          "ids of 0 or more in an array indexed by id (or .npz .csv or .txt, or a file for the ids: the option npy-ids)");
  }
  if (all.names().first_id().value_or(0) != 0) return write_by_position(all, path, on, form);
  const std::uint64_t slots = all.slots();
  const std::uint64_t largest = slots == 0 ? 0 : column.id(slots - 1);
  const std::uint64_t present = column.present(on.threads);
  if (present != 0 && largest / sparsest >= present) {
    throw input_error::at(path.string(), 0, std::to_string(present) + " ids up to " + std::to_string(largest),
                          "at most " + std::to_string(sparsest) +
                              " slots per id in an array indexed by id (or .txt or .csv, or a file for the ids: the option npy-ids)");
  }
  if (write_as_they_are(all, path, on, form)) return;
  const std::uint64_t count = slots == 0 ? 0 : largest + 1;
  write_progress progress{on.observer, slots, "vertices"};
  write_array(path, form, count, {.largest = largest}, [&](auto put) {
    std::uint64_t next = 0;
    for (std::uint64_t i = 0; i < slots; ++i) {
      progress.at(i);
      for (const std::uint64_t id = column.id(i); next < id; ++next) put(UINT64_MAX);
      put(all.present(i) ? column.component(all.label(i)) : UINT64_MAX);
      ++next;
    }
  });
}

void write_string_column(const labelling& all, const std::filesystem::path& path) {
  write_text(path, "", [&](text_writer& out) {
    for (std::uint64_t i = 0; i < all.slots(); ++i) {
      put_string(out, all.names().string(i), quoting::tabs, path);
      out.put('\n');
    }
  });
}

/// Writes an array of one label per vertex, and the ids of these vertices to a second file.
void write_beside(const labelling& all, const std::filesystem::path& path, const write_request& options, array_form form) {
  const written_columns column{all};
  const std::filesystem::path& ids = *options.npy_ids;
  const std::uint64_t present = column.present(options.threads);
  const number_range range{all.slots() == 0 ? 0 : column.id(all.slots() - 1), all.names().is_signed()};
  const number_range labels = all.is_numbered() && range.is_signed ? number_range{all.slots()} : range;
  const auto for_present = [&](auto use) {
    for (std::uint64_t i = 0; i < all.slots(); ++i) {
      if (all.present(i)) use(i);
    }
  };
  if (column.strings()) {
    write_string_column(all, ids);
  } else {
    write_array(ids, {}, present, range, [&](auto put) { for_present([&](std::uint64_t i) { put(column.id(i)); }); });
  }
  write_array(path, form, present, labels, [&](auto put) { for_present([&](std::uint64_t i) { put(column.component(all.label(i))); }); });
}

}  // namespace

void expect_labels_suffix(const std::filesystem::path& path, const write_options& options) {
  expect_table_suffix(path, options, {".txt", ".csv", ".npy", ".npz", ".bin", ".bin64"}, "labels");
}

void expect_sizes_suffix(const std::filesystem::path& path, const write_options& options) {
  expect_table_suffix(path, options, {".csv", ".txt"}, "sizes");
}

void write_labels(const labelling& labels, const std::filesystem::path& path, const write_options& options, const execution& on) {
  expect_labels_suffix(path, options);
  const std::string suffix = written_suffix(path, options);
  const bool arrays = suffix != ".txt" && suffix != ".csv" && suffix != ".npz" && !is_columnar_suffix(suffix);
  if (!arrays && options.npy_ids) throw usage_error{"only .npy and .bin take a second file for the ids, not " + path.string()};
  if (is_columnar_suffix(suffix)) return write_columns(labels, path, options, on);
  if (suffix == ".npz") return write_label_archive(labels, path, on);
  if (!arrays) return write_lines(labels, path, on, suffix == ".csv");
  const array_form form{suffix == ".npy", suffix == ".npy" ? 0u : suffix == ".bin" ? 4u : 8u};
  if (options.npy_ids) return write_beside(labels, path, write_request{options, on}, form);
  write_indexed(labels, path, on, form);
}

void write_sizes(const labelling& labels, const std::filesystem::path& path, const write_options& options, const execution& on) {
  expect_sizes_suffix(path, options);
  const std::vector<component> sizes = component_sizes(labels, on);
  table_writer out{path, options, {column_of_labels(labels), {"size", column_kind::numbers}}};
  for (const component& c : sizes) {
    labels.is_numbered() ? out.number(c.label) : out.name(labels.names(), c.label);
    out.number(c.size);
    out.end_row();
  }
  out.commit();
}

}  // namespace copse::io
