// incremental: saves to files, and opens them.
#include <api/incremental_state.hpp>
#include <api/saved_structure.hpp>
#include <api/stream_checkpoint.hpp>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>
#include <drivers/incremental/connectivity_file.hpp>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace copse {

using api::stream_header;

namespace {

/// Throws usage_error unless the options ask for the kind of ids that the stream has, or for automatic ids.
void expect_ids(const incremental_options& options, const stream_header& header, const std::string& name) {
  const auto kind = static_cast<vertex_ids>(header.vertices);
  if (options.ids != vertex_ids::automatic && options.ids != kind) {
    throw usage_error{name + ": holds a stream whose ids are " + std::string{api::to_string(kind)} + ", not " +
                      std::string{api::to_string(options.ids)} + "; open it with ids automatic"};
  }
}

/// Throws usage_error unless the options agree with those of the stream.
void expect_stream(const incremental_options& options, const stream_header& header, const std::string& name) {
  const auto how = static_cast<mixing>(header.how);
  if (options.batch != 0 && header.batch != 0 && options.batch != header.batch) {
    throw usage_error{name + ": holds a stream in batches of " + std::to_string(header.batch) + ", not " + std::to_string(options.batch) +
                      "; continue it with the same batch, as others would give other answers"};
  }
  if (options.how != how) {
    const std::string phased = "phased", concurrent = "concurrent";
    const bool is_phased = how == mixing::phased;
    throw usage_error{name + ": holds a stream whose queries are " + (is_phased ? phased : concurrent) + ", not " +
                      (is_phased ? concurrent : phased) + "; continue it with " + (is_phased ? phased : concurrent) + " queries"};
  }
}

}  // namespace

void incremental::state::restore(std::span<const std::byte> bytes, const std::string& name, bool goes_on) {
  const drivers::refuser refuse{name};
  const stream_header header = api::take_header(bytes, refuse);
  const auto kind = static_cast<vertex_ids>(header.vertices);
  expect_ids(options, header, name);
  if (goes_on) expect_stream(options, header, name);
  const bool automatic = options.ids == vertex_ids::automatic && header.automatic == 1;
  const bool are_signed = header.integers == stream_header::signed_ids;
  if (!api::take_queries(bytes, header.open_queries, kind == vertex_ids::strings, are_signed, open)) {
    refuse("open queries that cannot be read", "an undamaged file");
  }
  const std::string fault = with_ids([&](auto& structure) { return structure.restore(kind, automatic, bytes, header.names); });
  if (!fault.empty()) refuse(fault, "an undamaged file");
  if (!bytes.empty()) refuse(std::to_string(bytes.size()) + " bytes behind the last name", "the end of the file");
  if (const std::uint64_t id = with_ids([](const auto& structure) { return structure.id_with_sign_bit(); }); id != 0) {
    note_sign(id, are_signed, [&] { return name; });
  }
  if (!goes_on) return open.clear(false);
  if (header.batch != 0) options.batch = header.batch;
  at = {header.records, header.answers};
  applied.resume(header.sum);
}

std::unique_ptr<incremental::state> incremental::state::read(const std::filesystem::path& file, bool goes_on,
                                                             const request<incremental_options>& asked) {
  using enum api::saved_kind;
  const std::string name = file.string();
  if (asked.vertices != 0) {
    throw usage_error{name +
                      ": the option vertices, a number of vertices to begin with, is for new structures only; leave it out, as this "
                      "one begins with the vertices in the file"};
  }
  const auto of_width = [&]<class Id>(const drivers::connectivity<Id>& saved) {
    using structure_type = std::conditional_t<std::is_same_v<Id, api::wide_incremental::id>, api::wide_incremental, api::named_incremental>;
    const auto kind = goes_on ? api::expect_kind(saved.beside_text(), {stream_of_slots, stream_of_names}, name, "a checkpoint of a stream")
                              : api::expect_kind(saved.beside_text(), {slots_only, foreign, stream_of_slots, stream_of_names}, name,
                                                 "a structure whose ids are its slots, or a checkpoint of a stream");
    auto opened =
        std::make_unique<state>(asked, std::in_place_type<structure_type>,
                                api::dense_incremental<Id>{saved, name, asked.options(), api::named_incremental::execution_for(asked)});
    if (kind == stream_of_slots || kind == stream_of_names) opened->restore(saved.beside.span(), name, goes_on);
    opened->with_ids([&](auto& structure) {
      if (asked.record_forest || (kind != stream_of_names && structure.live().slots() != 0)) structure.index_an_array();
    });
    return opened;
  };
  return std::visit(of_width, drivers::read_connectivity(file, asked.memory));
}

incremental incremental::open(const std::filesystem::path& file, const incremental_options& options, const execution& on) {
  return incremental{state::read(file, false, {options, on})};
}

incremental incremental::resume(const std::filesystem::path& checkpoint, const incremental_options& options, const execution& on) {
  return incremental{state::read(checkpoint, true, {options, on})};
}

void incremental::save(const std::filesystem::path& file) const {
  const bool is_structure = state_->with_ids([&](const auto& structure) {
    if (structure.can_index_an_array()) structure.live().save(file);
    return structure.can_index_an_array();
  });
  if (!is_structure) checkpoint(file);
}

void incremental::checkpoint(const std::filesystem::path& file) const {
  const state& s = *state_;
  stream_header header;
  header.records = s.at.records;
  header.answers = s.at.answers;
  header.batch = s.options.batch;
  header.how = static_cast<std::uint32_t>(s.options.how);
  header.sum = s.applied.value();
  header.open_queries = s.is_between_batches(s.at.records) ? 0 : s.open.size();
  s.with_ids([&](const auto& structure) {
    header.names = structure.names();
    header.vertices = static_cast<std::uint32_t>(structure.kind());
    const bool are_signed = structure.is_signed() || (header.open_queries != 0 && s.open.any_negative());
    header.integers = are_signed ? stream_header::signed_ids : stream_header::unsigned_ids;
    header.automatic = structure.is_automatic() ? 1 : 0;
    std::pmr::vector<std::byte> beside{s.options.memory};
    api::append_bytes(beside, &header, sizeof header);
    if (header.open_queries != 0) api::append_queries(beside, s.open);
    structure.save(file, beside);
  });
}

}  // namespace copse
