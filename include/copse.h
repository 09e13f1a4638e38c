/* copse for C: graph connectivity, the components of edges that are in arrays or in Arrow tables.
 *
 * The header is C99, and can also be read by C++ and by tools that make bindings for other languages. The library is libcopse_c:
 * `pkg-config --cflags --libs copse_c`, or the target copse::c of find_package(copse) in CMake.
 *
 * Answers. The label of a vertex is the smallest vertex of its component, whatever the device, the threads and the order of the edges. For
 * sparse ids it is the smallest id, and for strings the smallest in byte order.
 *
 * Errors. Functions that can fail return a copse_status, which is COPSE_OK (0) when they succeed, and take as their last argument a pointer
 * to a copse_error of the caller, which may be NULL; it receives the status and a text of one line. No exception leaves the library, and
 * the library never prints and never exits. A function that fails sets the handle that it would have made to NULL.
 *
 * Ownership. Handles (copse_edges, copse_labels, ...) are made by functions whose last argument but one is a pointer to the handle, and
 * freed by copse_..._free, which accepts NULL. Handles are independent: an object made from a handle remains valid when the handle is
 * freed. But callbacks and their context must outlive every handle that was made with them. Arrays and texts of the caller are read during
 * the call only, and never kept.
 *
 * Threads. The library has no global state. Functions may be called from any thread, and at the same time on different handles. Calls on
 * one handle may not overlap, except that functions that take a const handle may overlap each other.
 *
 * Compatibility. Functions, constants and fields keep their meaning while copse_abi_version() is the same. Structures that may get more
 * fields begin with their size: initialise them with their macro, such as COPSE_OPTIONS_INIT, and then set the fields that differ. */
#ifndef COPSE_H
#define COPSE_H

#include <copse/arrow.h>
#include <copse/version.h>
#include <stddef.h>
#include <stdint.h>

/* Marks the functions that the library exports. */
#if defined(__GNUC__)
#define COPSE_API __attribute__((visibility("default")))
#else
#define COPSE_API
#endif

/* In C++ an enumeration with a fixed underlying type can hold any number, as in C; the library refuses numbers without a meaning. */
#ifdef __cplusplus
#define COPSE_ENUM(name) enum name : int
#else
#define COPSE_ENUM(name) enum name
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Versions: copse/version.h has the version of the library ---- */

/* The version of the binary interface that this header describes, which is the suffix of libcopse_c.so. */
#define COPSE_ABI_VERSION 1

/* The versions of the loaded library: its release, such as "0.1.0", and the COPSE_ABI_VERSION with which it was compiled. A program that
 * loads the library at run time must compare the latter with COPSE_ABI_VERSION. */
COPSE_API const char* copse_version(void);
COPSE_API int copse_abi_version(void);

/* ---- Errors ---- */

typedef COPSE_ENUM(copse_status) {
  COPSE_OK = 0,
  COPSE_MISUSE = 1,           /* the call is wrong: an unknown variant, an option out of range, a column that is not there */
  COPSE_BAD_INPUT = 2,        /* the data are invalid, or a file cannot be opened */
  COPSE_OUT_OF_RESOURCES = 3, /* memory, disk or ids ran out */
  COPSE_CANCELLED = 4,        /* the caller's cancel() returned nonzero */
  COPSE_FAILED = 5            /* any other error, which is a fault of the library: please report it */
} copse_status;

/* A few words that describe a status: "misuse", "bad input", ... Never NULL. */
COPSE_API const char* copse_status_text(copse_status status);

/* The result of a call. The text is empty after COPSE_OK, otherwise one null-terminated line of UTF-8; a line that does not fit is
 * truncated and ends with "...". Options in a text are spelled as on the command line. */
typedef struct copse_error {
  copse_status status;
  char text[1020];
} copse_error;

/* ---- How a call runs ---- */

/* The options of a call, or of all calls on a handle. A null pointer to options means COPSE_OPTIONS_INIT. The strings are copied.
 *
 * copse_edges_new(), copse_components_stream() and copse_partial_merge() have one method only, on the CPU: they accept the variant "auto"
 * and the device "cpu" or "auto", and fail with COPSE_MISUSE for others.
 *
 * The callbacks are called from any thread, also from several at once, a few times a second at most; they must be quick, may not call copse
 * on the same handle, and may not leave by an exception or longjmp. */
typedef struct copse_options {
  size_t size;           /* sizeof(copse_options) */
  const char* variant;   /* a name that `copse variants` lists; NULL: "auto" */
  const char* device;    /* "cpu", "cuda", "cuda:0,1", "hybrid", "auto"; NULL: "cpu" */
  uint64_t seed;         /* seed of all random choices; 0: the default. Answers do not depend on it */
  uint64_t memory_limit; /* limit in bytes for large arrays in host memory; beyond it calls fail with COPSE_OUT_OF_RESOURCES; 0: none */
  uint64_t gpu_memory;   /* limit in bytes of the memory of each GPU; 0: all that is free */
  uint32_t threads;      /* number of threads; 0: all cores that the process may use */
  void* context;         /* passed to the callbacks */

  /* Reports progress: `done` of `total` `unit`s ("edges", "bytes") of a stage ("read", "solve"). total is 0 if it is unknown. */
  void (*progress)(void* context, const char* stage, uint64_t done, uint64_t total, const char* unit);
  /* Reports something that the user should know although nothing is wrong. */
  void (*note)(void* context, const char* text);
  /* Asked between blocks of work: the call ends with COPSE_CANCELLED when it returns nonzero. */
  int (*cancel)(void* context);
} copse_options;

#define COPSE_OPTIONS_INIT {sizeof(copse_options), NULL, NULL, 0, 0, 0, 0, NULL, NULL, NULL, NULL}

/* ---- Arrays ---- */

/* The element type of an array of the caller. */
typedef COPSE_ENUM(copse_type) {
  COPSE_INT32 = 0,
  COPSE_UINT32 = 1,
  COPSE_INT64 = 2,
  COPSE_UINT64 = 3,
  COPSE_STRINGS = 4 /* only as the type of ids in answers; strings are passed in Arrow tables, never in arrays */
} copse_type;

/* ---- Components of a graph in memory ---- */

/* Whether rows store both directions of every edge. If it is unknown, the library determines it when it needs to know. */
typedef COPSE_ENUM(copse_symmetry) { COPSE_ASYMMETRIC = 0, COPSE_SYMMETRIC = 1, COPSE_SYMMETRY_UNKNOWN = 2 } copse_symmetry;

/* The three functions below write the component labels of the vertices 0 .. vertices - 1 to `labels`, an array of `vertices` elements of
 * type id_type. The inputs are checked first, and not copied: the text of COPSE_BAD_INPUT or COPSE_MISUSE says which element is wrong.
 * Signed arrays are read as unsigned ones of their size. After an error the labels have no meaning. */

/* Components of rows (CSR): the neighbours of v are targets[offsets[v]] .. targets[offsets[v + 1] - 1]. There are vertices + 1 offsets and
 * `arcs` targets. Ids and offsets have (32, 32), (32, 64) or (64, 64) bits. */
COPSE_API copse_status copse_components_csr(uint64_t vertices, copse_type offset_type, const void* offsets, copse_type id_type,
                                            const void* targets, uint64_t arcs, copse_symmetry symmetry, void* labels,
                                            const copse_options* options, copse_error* error);

/* Components of an edge list in one array: edge i joins edges[2 * i] and edges[2 * i + 1]. Each edge once, in any direction and order. */
COPSE_API copse_status copse_components_pairs(uint64_t vertices, copse_type id_type, const void* edges, uint64_t count, void* labels,
                                              const copse_options* options, copse_error* error);

/* Components of an edge list in two columns: edge i joins sources[i] and targets[i]. */
COPSE_API copse_status copse_components_columns(uint64_t vertices, copse_type id_type, const void* sources, const void* targets,
                                                uint64_t count, void* labels, const copse_options* options, copse_error* error);

/* ---- Labels of vertices with any ids ---- */

/* An answer: the vertices in ascending order (integers by value, strings by bytes) and the label of each. Immutable. */
typedef struct copse_labels copse_labels;

/* Writes the number of vertices and of components. Either pointer may be NULL. O(vertices). */
COPSE_API void copse_labels_count(const copse_labels* labels, uint64_t* vertices, uint64_t* components);

/* The narrowest of COPSE_INT64, COPSE_UINT64 and COPSE_STRINGS that holds all ids; COPSE_INT64 if there is no vertex. */
COPSE_API copse_type copse_labels_type(const copse_labels* labels);

/* Copies the ids and their labels into arrays of the caller, of `size` elements of one type. Either array may be NULL. COPSE_MISUSE unless
 * `size` is the number of vertices, the ids are integers, and all of them fit the type. */
COPSE_API copse_status copse_labels_copy(const copse_labels* labels, copse_type type, void* ids, void* components, uint64_t size,
                                         copse_error* error);

/* Exports a table with the columns `id` and `component`. Their type is int64, uint64, large_string, or large_binary if binaries were passed
 * in or, for labels of parts and of opened files, if an id is not UTF-8. The caller owns the structures and calls their release; they
 * remain valid when the labels are freed. Strings are not copied. */
COPSE_API copse_status copse_labels_stream(const copse_labels* labels, struct ArrowArrayStream* to, copse_error* error);
COPSE_API copse_status copse_labels_array(const copse_labels* labels, struct ArrowSchema* schema, struct ArrowArray* array,
                                          copse_error* error);

COPSE_API void copse_labels_free(copse_labels* labels);

/* ---- Arrow tables ---- */

/* The columns of a table that hold edges, and the rows to take. A null pointer to it means COPSE_TABLE_INIT.
 *
 * Ids are integers of 8 to 64 bits, strings, binaries or dictionaries of these; both id columns have the same kind. Weights are integers,
 * floats or decimals. */
typedef struct copse_table {
  size_t size;           /* sizeof(copse_table) */
  const char* source;    /* name of the column of first ends; NULL: the first column */
  const char* target;    /* name of the column of second ends; NULL: the second column */
  const char* weight;    /* name of the column of weights; NULL: none, or for a weighted forest the third column */
  const char* threshold; /* a decimal number: rows with a smaller weight are left out. NULL: no threshold */
  int drop_nulls;        /* nonzero: rows with a null id, or a weight that is null or NaN, are left out and counted; 0: they are refused */
  int vertices_only;     /* nonzero: the source column holds vertices, which need not have an edge; there is no target column */
} copse_table;

#define COPSE_TABLE_INIT {sizeof(copse_table), NULL, NULL, NULL, NULL, 0, 0}

/* Counts of the rows of a table, and of those that were left out. */
typedef struct copse_table_counts {
  uint64_t rows;  /* all rows */
  uint64_t nulls; /* rows left out because of a null or NaN */
  uint64_t below; /* rows left out because their weight is below the threshold */
} copse_table_counts;

/* A table is passed as a stream of batches, or as one batch with its schema; the type of either is a struct of columns, as table libraries
 * export it. A function that takes a table takes ownership even if it fails: it releases the table, and marks the caller's structure as
 * released. `counts` may be NULL.
 *
 * The Arrow C data interface does not state the sizes of buffers, so buffers that are too small cannot be detected. Offsets, indices and
 * UTF-8 are checked. */

/* Finds the components of all edges of a stream, and exports the answer as copse_labels_stream() does. */
COPSE_API copse_status copse_components_stream(struct ArrowArrayStream* edges, const copse_table* table, struct ArrowArrayStream* to,
                                               copse_table_counts* counts, const copse_options* options, copse_error* error);

/* ---- Edges in batches ---- */

/* Takes edges in any number of batches and answers once; memory is proportional to the number of vertices, because edges are not stored.
 * Vertices are the ids that occur: integers, dense or sparse, or strings, but not both. Integer types may be mixed, and ids may be negative
 * if none is above INT64_MAX.
 *
 * A batch that is refused (COPSE_MISUSE, COPSE_BAD_INPUT) changes nothing, except that the rows of a table before the one that is refused
 * may have been taken. After another error, and after copse_edges_finish(), the handle can only be freed. */
typedef struct copse_edges copse_edges;

/* A value for the argument `vertices`: the vertices are the ids that occur. */
#define COPSE_ANY_VERTICES UINT64_MAX

/* `vertices` declares the vertices 0 .. vertices - 1, isolated ones included, and larger ids are refused; or it is COPSE_ANY_VERTICES. */
COPSE_API copse_status copse_edges_new(uint64_t vertices, const copse_options* options, copse_edges** edges, copse_error* error);

/* Adds edges: edge i joins sources[i] and targets[i]. Loops and repeated edges are allowed. */
COPSE_API copse_status copse_edges_add(copse_edges* edges, copse_type type, const void* sources, const void* targets, uint64_t count,
                                       copse_error* error);
/* Adds vertices, which need not have an edge. */
COPSE_API copse_status copse_edges_add_vertices(copse_edges* edges, copse_type type, const void* ids, uint64_t count, copse_error* error);
COPSE_API copse_status copse_edges_add_stream(copse_edges* edges, struct ArrowArrayStream* from, const copse_table* table,
                                              copse_table_counts* counts, copse_error* error);
COPSE_API copse_status copse_edges_add_array(copse_edges* edges, struct ArrowSchema* schema, struct ArrowArray* array,
                                             const copse_table* table, copse_table_counts* counts, copse_error* error);

/* Makes the labels for all edges that were added. */
COPSE_API copse_status copse_edges_finish(copse_edges* edges, copse_labels** labels, copse_error* error);

COPSE_API void copse_edges_free(copse_edges* edges);

/* ---- Edges in batches, with queries in between ---- */

/* The components of the edges inserted so far, with the same kinds of ids as copse_edges. After an error a part of a batch may have been
 * inserted; inserting it again is harmless. */
typedef struct copse_incremental copse_incremental;

COPSE_API copse_status copse_incremental_new(const copse_options* options, copse_incremental** live, copse_error* error);
/* Continues from a file that copse_incremental_save() wrote. */
COPSE_API copse_status copse_incremental_open(const char* path, const copse_options* options, copse_incremental** live, copse_error* error);
/* Writes a file, which is replaced atomically and is on disk when this returns. */
COPSE_API copse_status copse_incremental_save(const copse_incremental* live, const char* path, copse_error* error);

COPSE_API copse_status copse_incremental_insert(copse_incremental* live, copse_type type, const void* sources, const void* targets,
                                                uint64_t count, copse_error* error);
COPSE_API copse_status copse_incremental_insert_stream(copse_incremental* live, struct ArrowArrayStream* from, const copse_table* table,
                                                       copse_table_counts* counts, copse_error* error);

/* answers[i]: 1 if sources[i] and targets[i] are connected, otherwise 0. A vertex that did not occur is connected to itself only. */
COPSE_API copse_status copse_incremental_connected(copse_incremental* live, copse_type type, const void* sources, const void* targets,
                                                   uint64_t count, uint8_t* answers, copse_error* error);
/* Like copse_incremental_connected() for the rows of a table; COPSE_MISUSE unless it has `count` rows, or if `table` leaves some out. */
COPSE_API copse_status copse_incremental_connected_stream(copse_incremental* live, struct ArrowArrayStream* from, const copse_table* table,
                                                          uint64_t count, uint8_t* answers, copse_error* error);

/* Writes the current number of vertices and of components, in O(1). Either pointer may be NULL. */
COPSE_API void copse_incremental_count(const copse_incremental* live, uint64_t* vertices, uint64_t* components);
COPSE_API copse_status copse_incremental_labels(copse_incremental* live, copse_labels** labels, copse_error* error);

COPSE_API void copse_incremental_free(copse_incremental* live);

/* ---- Weighted forests and thresholds ---- */

/* The minimum or maximum spanning forest of the edges that were added: it has fewer edges than vertices, and memory is proportional to
 * the number of vertices. If weights are similarities, the maximum forest gives the components at any threshold. Edges can be added between
 * queries. After COPSE_OUT_OF_RESOURCES or COPSE_CANCELLED it can only be freed. */
typedef struct copse_forest copse_forest;

typedef COPSE_ENUM(copse_goal) { COPSE_MINIMUM = 0, COPSE_MAXIMUM = 1 } copse_goal;

COPSE_API copse_status copse_forest_new(copse_goal goal, const copse_options* options, copse_forest** forest, copse_error* error);

/* Adds edges: edge i joins sources[i] and targets[i] with the weight weights[i], which may be infinite but not NaN. */
COPSE_API copse_status copse_forest_add(copse_forest* forest, copse_type type, const void* sources, const void* targets,
                                        const double* weights, uint64_t count, copse_error* error);
COPSE_API copse_status copse_forest_add_vertices(copse_forest* forest, copse_type type, const void* ids, uint64_t count,
                                                 copse_error* error);
COPSE_API copse_status copse_forest_add_stream(copse_forest* forest, struct ArrowArrayStream* from, const copse_table* table,
                                               copse_table_counts* counts, copse_error* error);

/* Writes the number of edges of the forest, and of vertices. Either pointer may be NULL. */
COPSE_API copse_status copse_forest_count(copse_forest* forest, uint64_t* edges, uint64_t* vertices, copse_error* error);
/* Copies the edges of the forest into arrays of `size` elements, with ids of one type, under the conditions of copse_labels_copy(). */
COPSE_API copse_status copse_forest_copy(copse_forest* forest, copse_type type, void* sources, void* targets, double* weights,
                                         uint64_t size, copse_error* error);
/* Exports the forest as a table with the columns `source`, `target` and `weight`, as copse_labels_stream() exports labels. */
COPSE_API copse_status copse_forest_stream(copse_forest* forest, struct ArrowArrayStream* to, copse_error* error);

/* Statistics of the components of the edges whose weight is at least `threshold`; vertices without such an edge are components, too. */
typedef struct copse_threshold {
  double threshold;
  uint64_t components;
  uint64_t largest;                              /* number of vertices in the largest component */
  uint64_t singletons;                           /* number of components of one vertex */
  uint64_t median, percentile_90, percentile_99; /* percentiles of the component sizes */
  uint64_t pairs;                                /* number of pairs of vertices in the same component */
} copse_threshold;

/* The three functions below need a forest made with COPSE_MAXIMUM; for any other they return COPSE_MISUSE. */

/* Writes the distinct weights of the forest, at which components change, in descending order: at most `capacity` of them, evenly spread and
 * including the first and the last. `count` receives their number. */
COPSE_API copse_status copse_forest_levels(copse_forest* forest, double* levels, uint64_t capacity, uint64_t* count, copse_error* error);
/* Reads points[i].threshold and writes the other fields of points[i]. Thresholds may be in any order. */
COPSE_API copse_status copse_forest_thresholds(copse_forest* forest, copse_threshold* points, uint64_t count, copse_error* error);
COPSE_API copse_status copse_forest_labels(copse_forest* forest, double threshold, copse_labels** labels, copse_error* error);

COPSE_API void copse_forest_free(copse_forest* forest);

/* ---- Parts that processes exchange ---- */

/* The components of a part of the edges, which can be sent to other processes and merged with other parts. Equal components have equal
 * bytes, wherever and however they were computed. Immutable. */
typedef struct copse_partial copse_partial;

COPSE_API copse_status copse_partial_new(const copse_labels* labels, copse_partial** part, copse_error* error);

/* The serialised part. The bytes belong to the part, and are valid until it is freed. */
COPSE_API const void* copse_partial_bytes(const copse_partial* part, uint64_t* size);
/* Makes a part from the bytes of copse_partial_bytes(), which need not be aligned. COPSE_BAD_INPUT for any other bytes. */
COPSE_API copse_status copse_partial_read(const void* bytes, uint64_t size, copse_partial** part, copse_error* error);

/* Merges `count` parts, in any order, to the components of all their edges; parts may have vertices in common. Parts with integer ids
 * cannot be merged with parts with string ids. `options` are used for this call and by the merged part. */
COPSE_API copse_status copse_partial_merge(const copse_partial* const* parts, uint64_t count, const copse_options* options,
                                           copse_partial** merged, copse_error* error);
COPSE_API copse_status copse_partial_labels(const copse_partial* part, copse_labels** labels, copse_error* error);

COPSE_API void copse_partial_free(copse_partial* part);

#ifdef __cplusplus
}
#endif

#endif /* COPSE_H */
