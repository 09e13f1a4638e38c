// The extension for DuckDB, over its C API of extensions: copse_components(id_l, id_r), an aggregate that returns a list of {id, label},
// and copse_components(id_l, id_r, score, threshold), which leaves out rows whose score is below.
#include <duckdb_extension.h>

#include <copse/errors.hpp>
#include <copse/execution.hpp>

#include <cmath>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "partial_components.hpp"

DUCKDB_EXTENSION_EXTERN

namespace copse::duckdb {
namespace {

[[noreturn]] void refuse(idx_t argument, const char* found, const char* expected) {
  throw input_error{std::string{"argument "} + std::to_string(argument + 1) + ": found " + found + ", expected " + expected};
}

/// A column of a chunk, none of whose values is NULL.
class column {
public:
  column(duckdb_data_chunk chunk, idx_t number, idx_t rows) : vector_{duckdb_data_chunk_get_vector(chunk, number)} {
    std::uint64_t* const validity = duckdb_vector_get_validity(vector_);
    for (idx_t row = 0; validity != nullptr && row < rows; ++row) {
      if (!duckdb_validity_row_is_valid(validity, row)) {
        refuse(number, "NULL", "a value; leave such rows out by FILTER (WHERE ... IS NOT NULL)");
      }
    }
  }
  template <class T>
  [[nodiscard]] T* values() const {
    return static_cast<T*>(duckdb_vector_get_data(vector_));
  }

private:
  duckdb_vector vector_;
};

template <class T>
struct integers {
  using id = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  using pairs = integer_pairs<id>;
  using value = T;

  static id read(T stored) { return stored; }
  /// Writes what each(take) passes to take(vertex, label) into two vectors, from `at` on.
  template <class Each>
  static void write(Each each, duckdb_vector ids, duckdb_vector components, idx_t at) {
    T* to_id = static_cast<T*>(duckdb_vector_get_data(ids)) + at;
    T* to_label = static_cast<T*>(duckdb_vector_get_data(components)) + at;
    each([&](id vertex, id label) {
      *to_id++ = static_cast<T>(vertex);
      *to_label++ = static_cast<T>(label);
    });
  }
};

struct strings {
  using pairs = string_pairs;
  using value = duckdb_string_t;

  static std::string_view read(duckdb_string_t& stored) { return {duckdb_string_t_data(&stored), duckdb_string_t_length(stored)}; }
  template <class Each>
  static void write(Each each, duckdb_vector ids, duckdb_vector components, idx_t at) {
    each([&](std::string_view vertex, std::string_view label) {
      duckdb_vector_assign_string_element_len(ids, at, vertex.data(), vertex.size());
      duckdb_vector_assign_string_element_len(components, at++, label.data(), label.size());
    });
  }
};

/// UUIDs as 16 bytes, the highest first, so that they are ordered as their texts are. DuckDB stores the number with its highest bit
/// inverted.
struct uuids {
  using pairs = string_pairs;
  using value = duckdb_hugeint;

  class bytes {
  public:
    explicit bytes(duckdb_hugeint stored) noexcept {
      std::uint64_t halves[]{static_cast<std::uint64_t>(stored.upper) ^ std::uint64_t{1} << 63, stored.lower};
      for (int i = 0; i < 16; ++i) bytes_[i] = static_cast<char>(halves[i / 8] >> (56 - i % 8 * 8) & 0xff);
    }
    operator std::string_view() const noexcept { return {bytes_, 16}; }  // NOLINT: it is read as an id

  private:
    char bytes_[16];
  };

  static bytes read(duckdb_hugeint stored) { return bytes{stored}; }
  template <class Each>
  static void write(Each each, duckdb_vector ids, duckdb_vector components, idx_t at) {
    const auto number = [](std::string_view text) {
      std::uint64_t halves[]{0, 0};
      for (int i = 0; i < 16; ++i) halves[i / 8] = halves[i / 8] << 8 | static_cast<unsigned char>(text[i]);
      return duckdb_hugeint{halves[1], static_cast<std::int64_t>(halves[0] ^ std::uint64_t{1} << 63)};
    };
    auto* to_id = static_cast<duckdb_hugeint*>(duckdb_vector_get_data(ids)) + at;
    auto* to_label = static_cast<duckdb_hugeint*>(duckdb_vector_get_data(components)) + at;
    each([&](std::string_view vertex, std::string_view label) {
      *to_id++ = number(vertex);
      *to_label++ = number(label);
    });
  }
};

/// An exception of body() becomes DuckDB's.
template <class Body>
void guarded(duckdb_function_info info, Body body) noexcept {
  try {
    body();
  } catch (const std::bad_alloc&) {
    duckdb_aggregate_function_set_error(info, "copse_components: out of memory");
  } catch (const std::exception& error) {
    std::string text;
    try {
      text = std::string{"copse_components: "} + error.what();
    } catch (...) {
      text.clear();
    }
    duckdb_aggregate_function_set_error(info, text.empty() ? "copse_components: out of memory" : text.c_str());
  }
}

struct no_score {};

/// The callbacks for one type of ids, and one of scores. A state of DuckDB's is a pointer, null until a row comes.
template <class Ids, class Score>
struct aggregate {
  using state = partial_components<typename Ids::pairs>;

  static state* of(duckdb_aggregate_state given) noexcept { return static_cast<state*>(given->internal_ptr); }
  static state& begun(duckdb_aggregate_state given) {
    if (given->internal_ptr == nullptr) given->internal_ptr = new state;
    return *of(given);
  }

  static idx_t size(duckdb_function_info) noexcept { return sizeof(void*); }
  static void init(duckdb_function_info, duckdb_aggregate_state given) noexcept { given->internal_ptr = nullptr; }

  static void update(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_aggregate_state* states) noexcept {
    guarded(info, [&] {
      const idx_t rows = duckdb_data_chunk_get_size(chunk);
      const auto left = column{chunk, 0, rows}.template values<typename Ids::value>();
      const auto right = column{chunk, 1, rows}.template values<typename Ids::value>();
      const auto take = [&](idx_t row) { begun(states[row]).add(Ids::read(left[row]), Ids::read(right[row])); };
      if constexpr (std::is_same_v<Score, no_score>) {
        for (idx_t row = 0; row < rows; ++row) take(row);
      } else {
        const Score* const scores = column{chunk, 2, rows}.template values<Score>();
        const Score* const thresholds = column{chunk, 3, rows}.template values<Score>();
        for (idx_t row = 0; row < rows; ++row) {
          if (std::isnan(scores[row])) refuse(2, "NaN", "a number; leave such rows out by FILTER (WHERE NOT isnan(...))");
          if (std::isnan(thresholds[row])) refuse(3, "NaN", "a number");
          if (scores[row] >= thresholds[row]) take(row);
        }
      }
    });
  }

  static void combine(duckdb_function_info info, duckdb_aggregate_state* from, duckdb_aggregate_state* to, idx_t count) noexcept {
    guarded(info, [&] {
      for (idx_t i = 0; i < count; ++i) {
        if (const state* const source = of(from[i])) begun(to[i]).combine(*source);
      }
    });
  }

  static void finalize(duckdb_function_info info, duckdb_aggregate_state* states, duckdb_vector result, idx_t count,
                       idx_t offset) noexcept {
    guarded(info, [&] {
      std::vector<const state*> small(count);
      for (idx_t i = 0; i < count; ++i) small[i] = is_small(of(states[i])) ? of(states[i]) : nullptr;
      const small_answers<typename Ids::pairs> answers{small};
      for (idx_t i = 0; i < count; ++i) {
        if (is_small(of(states[i]))) {
          append(result, offset + i, answers.vertices(i), [&](auto take) { answers.for_each_vertex(i, take); });
        } else {
          append(result, offset + i, of(states[i])->solve(threads_of(info)));
        }
      }
    });
  }

  static void destroy(duckdb_aggregate_state* states, idx_t count) noexcept {
    for (idx_t i = 0; i < count; ++i) {
      delete of(states[i]);
      states[i]->internal_ptr = nullptr;
    }
  }

private:
  static bool is_small(const state* one) noexcept { return one == nullptr || one->is_small(); }
  static unsigned threads_of(duckdb_function_info info) noexcept {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(duckdb_aggregate_function_get_extra_info(info)));
  }

  static void append(duckdb_vector result, idx_t row, const labelling& labels) {
    std::uint64_t vertices = 0;
    for (std::uint64_t v = 0; v < labels.slots(); ++v) vertices += labels.present(v) ? 1 : 0;
    append(result, row, vertices, [&](auto take) { for_each_vertex<typename Ids::pairs>(labels, take); });
  }
  /// Writes the list of one row of the result.
  template <class Each>
  static void append(duckdb_vector result, idx_t row, std::uint64_t vertices, Each each) {
    const idx_t at = duckdb_list_vector_get_size(result);
    if (duckdb_list_vector_reserve(result, at + vertices) != DuckDBSuccess ||
        duckdb_list_vector_set_size(result, at + vertices) != DuckDBSuccess) {
      throw resource_error{"DuckDB refused memory for " + std::to_string(vertices) + " vertices"};
    }
    static_cast<duckdb_list_entry*>(duckdb_vector_get_data(result))[row] = {at, vertices};
    const duckdb_vector structs = duckdb_list_vector_get_child(result);
    Ids::write(each, duckdb_struct_vector_get_child(structs, 0), duckdb_struct_vector_get_child(structs, 1), at);
  }
};

class logical_type {
public:
  explicit logical_type(duckdb_type type) : type_{duckdb_create_logical_type(type)} {}
  explicit logical_type(duckdb_logical_type type) : type_{type} {}
  logical_type(const logical_type&) = delete;
  logical_type& operator=(const logical_type&) = delete;
  ~logical_type() { duckdb_destroy_logical_type(&type_); }
  operator duckdb_logical_type() const noexcept { return type_; }  // NOLINT: it stands for the handle

private:
  duckdb_logical_type type_;
};

/// A list of structs of an id and a label.
logical_type list_of_labels(const logical_type& id) {
  duckdb_logical_type types[]{id, id};
  const char* names[]{"id", "label"};
  const logical_type vertex{duckdb_create_struct_type(types, names, 2)};
  return logical_type{duckdb_create_list_type(vertex)};
}

class function_set {
public:
  function_set(duckdb_connection connection, unsigned threads) : connection_{connection}, threads_{threads} {}
  function_set(const function_set&) = delete;
  function_set& operator=(const function_set&) = delete;
  ~function_set() { duckdb_destroy_aggregate_function_set(&set_); }

  template <class Ids>
  void add(duckdb_type type) {
    add<Ids, no_score>(type, DUCKDB_TYPE_INVALID);
    add<Ids, float>(type, DUCKDB_TYPE_FLOAT);  // a threshold is then rounded as the scores were
    add<Ids, double>(type, DUCKDB_TYPE_DOUBLE);
  }
  bool register_all() { return ok_ && duckdb_register_aggregate_function_set(connection_, set_) == DuckDBSuccess; }

private:
  template <class Ids, class Score>
  void add(duckdb_type type, duckdb_type score_type) {
    using callbacks = aggregate<Ids, Score>;
    const logical_type id{type};
    duckdb_aggregate_function function = duckdb_create_aggregate_function();
    duckdb_aggregate_function_set_name(function, "copse_components");
    for (int i = 0; i < 2; ++i) duckdb_aggregate_function_add_parameter(function, id);
    if (score_type != DUCKDB_TYPE_INVALID) {
      const logical_type score{score_type};
      for (int i = 0; i < 2; ++i) duckdb_aggregate_function_add_parameter(function, score);
    }
    duckdb_aggregate_function_set_return_type(function, list_of_labels(id));
    duckdb_aggregate_function_set_functions(function, callbacks::size, callbacks::init, callbacks::update, callbacks::combine,
                                            callbacks::finalize);
    duckdb_aggregate_function_set_destructor(function, callbacks::destroy);
    duckdb_aggregate_function_set_special_handling(function);  // rows with NULL come here, to be refused
    duckdb_aggregate_function_set_extra_info(function, reinterpret_cast<void*>(std::uintptr_t{threads_}), [](void*) {});
    ok_ = duckdb_add_aggregate_function_to_set(set_, function) == DuckDBSuccess && ok_;
    duckdb_destroy_aggregate_function(&function);
  }

  duckdb_connection connection_;
  unsigned threads_;
  duckdb_aggregate_function_set set_ = duckdb_create_aggregate_function_set("copse_components");
  bool ok_ = true;
};

/// DuckDB's setting `threads`, or 0 if it does not say.
unsigned threads_of(duckdb_connection connection) {
  unsigned threads = 0;
  duckdb_result result;
  if (duckdb_query(connection, "SELECT current_setting('threads')::UINTEGER", &result) == DuckDBSuccess) {
    if (duckdb_data_chunk chunk = duckdb_fetch_chunk(result)) {
      threads = *static_cast<std::uint32_t*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0)));
      duckdb_destroy_data_chunk(&chunk);
    }
  }
  duckdb_destroy_result(&result);
  return usable_threads(threads);
}

bool register_functions(duckdb_connection connection) {
  function_set set{connection, threads_of(connection)};
  set.add<integers<std::int8_t>>(DUCKDB_TYPE_TINYINT);
  set.add<integers<std::int16_t>>(DUCKDB_TYPE_SMALLINT);
  set.add<integers<std::int32_t>>(DUCKDB_TYPE_INTEGER);
  set.add<integers<std::int64_t>>(DUCKDB_TYPE_BIGINT);
  set.add<integers<std::uint8_t>>(DUCKDB_TYPE_UTINYINT);
  set.add<integers<std::uint16_t>>(DUCKDB_TYPE_USMALLINT);
  set.add<integers<std::uint32_t>>(DUCKDB_TYPE_UINTEGER);
  set.add<integers<std::uint64_t>>(DUCKDB_TYPE_UBIGINT);
  set.add<strings>(DUCKDB_TYPE_VARCHAR);
  set.add<strings>(DUCKDB_TYPE_BLOB);
  set.add<uuids>(DUCKDB_TYPE_UUID);
  return set.register_all();
}

}  // namespace
}  // namespace copse::duckdb

DUCKDB_EXTENSION_ENTRYPOINT(duckdb_connection connection, duckdb_extension_info info, struct duckdb_extension_access* access) {
  try {
    if (copse::duckdb::register_functions(connection)) return true;
    access->set_error(info, "copse: DuckDB refused the function copse_components");
  } catch (const std::exception& error) {
    access->set_error(info, error.what());
  }
  return false;
}
