/* copse for C: graph connectivity, the components of edges that are in arrays or in Arrow tables.
 *
 * C99; also read by C++, and by tools that make bindings for other languages. The library is libcopse_c: `pkg-config --cflags --libs copse_c`,
 * or the target copse::c of find_package(copse) in CMake.
 *
 * Answers. The label of a vertex is the smallest vertex of its component, whatever the device, the threads and the order of the edges. Where
 * ids are sparse it is the smallest id, and where they are strings the smallest by bytes.
 *
 * Errors. Functions that can fail return a copse_status, which is COPSE_OK (0) when they succeed, and take a copse_error as their last
 * argument, which is the caller's and may be NULL; it receives the status and a text of one line. No exception leaves the library, and the
 * library never prints and never exits. A function that fails sets the handle that it would have made to NULL.
 *
 * Ownership. Handles (copse_edges, copse_labels, ...) are made by functions whose last argument but one is a pointer to the handle, and freed
 * by copse_..._free, which accepts NULL. Each handle stands alone: what was made from one remains valid when that is freed, except that
 * callbacks and their context must outlive the handle that was made with them. Arrays and texts of the caller are read during the call only,
 * and never kept.
 *
 * Threads. The library has no global state. Functions may be called from any thread, and at the same time on different handles. Calls on one
 * handle may not overlap, except that functions that take a const handle may overlap each other.
 *
 * Compatibility. Functions, constants and fields keep their meaning while copse_abi_version() is the same. Structures that may get more
 * fields begin with their size: initialise them with their macro, such as COPSE_OPTIONS_INIT, and set what differs. */
#ifndef COPSE_H
#define COPSE_H

#include <copse/arrow.h>
#include <copse/version.h>
#include <stddef.h>
#include <stdint.h>

/* Only what is marked with this is exported. */
#if defined(__GNUC__)
#define COPSE_API __attribute__((visibility("default")))
#else
#define COPSE_API
#endif

/* In C++ the type of an enumeration has to be fixed for it to hold any number, as it does in C: the library refuses wrong ones. */
#ifdef __cplusplus
#define COPSE_ENUM(name) enum name : int
#else
#define COPSE_ENUM(name) enum name
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Versions: that of the program is in copse/version.h ---- */

/* The binary interface that this header describes; the number behind libcopse_c.so. */
#define COPSE_ABI_VERSION 1

/* Those of the library that runs: "0.1.0", and COPSE_ABI_VERSION when it was compiled. A program that loads the library itself compares
 * the second. */
COPSE_API const char* copse_version(void);
COPSE_API int copse_abi_version(void);

/* ---- Errors ---- */

typedef COPSE_ENUM(copse_status) {
  COPSE_OK = 0,
  COPSE_MISUSE = 1,           /* the call is wrong: an unknown variant, an option out of range, a column that is not there */
  COPSE_BAD_INPUT = 2,        /* the data are not what they must be, or a file cannot be opened */
  COPSE_OUT_OF_RESOURCES = 3, /* memory, disk or ids ran out */
  COPSE_CANCELLED = 4,        /* the caller's cancel() returned nonzero */
  COPSE_FAILED = 5            /* anything else: a fault of the library, which is worth a report */
} copse_status;

/* What a status means, in a few words: "misuse", "bad input", ... Never NULL. */
COPSE_API const char* copse_status_text(copse_status status);

/* What a call did. The text is empty after COPSE_OK, otherwise one line of UTF-8 with a zero at its end; one that is longer than fits ends
 * with "...". Options that a text names are spelled as on the command line. */
typedef struct copse_error {
  copse_status status;
  char text[1020];
} copse_error;

/* ---- How a call runs ---- */

/* Of a call, or of all calls on a handle. NULL instead of a pointer to it stands for COPSE_OPTIONS_INIT. The strings are copied.
 *
 * copse_edges_new(), copse_components_stream() and copse_partial_merge() run on the CPU by one method: they take the variant "auto", and the
 * device "cpu" or "auto", and refuse others (COPSE_MISUSE).
 *
 * The callbacks are called from any thread, also from several at once, a few times a second at most; they must be quick, may not call copse
 * on the same handle, and may not leave by an exception or longjmp. */
typedef struct copse_options {
  size_t size;           /* sizeof(copse_options) */
  const char* variant;   /* a name that `copse variants` lists; NULL: "auto" */
  const char* device;    /* "cpu", "cuda", "cuda:0,1", "hybrid", "auto"; NULL: "cpu" */
  uint64_t seed;         /* of everything random; 0: the default. Answers do not depend on it */
  uint64_t memory_limit; /* bytes of host memory for large arrays, above which calls fail with COPSE_OUT_OF_RESOURCES; 0: none */
  uint64_t gpu_memory;   /* bytes of the memory of each GPU; 0: all that is free */
  uint32_t threads;      /* 0: all cores that the process may use */
  void* context;         /* handed to the callbacks */

  /* How far a call is: `done` of `total` `unit`s ("edges", "bytes") of a stage ("read", "solve"). total is 0 where it is unknown. */
  void (*progress)(void* context, const char* stage, uint64_t done, uint64_t total, const char* unit);
  /* Something the user should know although nothing is wrong. */
  void (*note)(void* context, const char* text);
  /* Asked between blocks of work: the call ends with COPSE_CANCELLED when it returns nonzero. */
  int (*cancel)(void* context);
} copse_options;

#define COPSE_OPTIONS_INIT {sizeof(copse_options), NULL, NULL, 0, 0, 0, 0, NULL, NULL, NULL, NULL}

/* ---- Arrays ---- */

/* What an array of the caller holds. */
typedef COPSE_ENUM(copse_type) {
  COPSE_INT32 = 0,
  COPSE_UINT32 = 1,
  COPSE_INT64 = 2,
  COPSE_UINT64 = 3,
  COPSE_STRINGS = 4 /* of ids in answers only: strings come and go in Arrow tables */
} copse_type;

/* ---- Components of a graph in memory ---- */

/* Whether rows hold every edge in both directions. Where it is unknown, the library finds out when it needs to know. */
typedef COPSE_ENUM(copse_symmetry) { COPSE_ASYMMETRIC = 0, COPSE_SYMMETRIC = 1, COPSE_SYMMETRY_UNKNOWN = 2 } copse_symmetry;

/* The components of vertices 0 .. vertices - 1, which are written to `labels`, an array of `vertices` ids of the type of the caller's ids.
 * The inputs are checked first, and not copied: COPSE_BAD_INPUT or COPSE_MISUSE says which element is wrong. Signed arrays are read as
 * unsigned ones of their size. After an error the labels have no meaning. */

/* Of rows (CSR): the neighbours of v are targets[offsets[v]] .. targets[offsets[v + 1] - 1]. There are vertices + 1 offsets and `arcs`
 * targets. Ids and offsets are of (32, 32), (32, 64) or (64, 64) bits. */
COPSE_API copse_status copse_components_csr(uint64_t vertices, copse_type offset_type, const void* offsets, copse_type id_type,
                                            const void* targets, uint64_t arcs, copse_symmetry symmetry, void* labels,
                                            const copse_options* options, copse_error* error);

/* Of an edge list, whose two ends are side by side: edges[2 * i] and edges[2 * i + 1]. Each edge once, in any direction and order. */
COPSE_API copse_status copse_components_pairs(uint64_t vertices, copse_type id_type, const void* edges, uint64_t count, void* labels,
                                              const copse_options* options, copse_error* error);

/* Of an edge list in two columns: edge i joins sources[i] and targets[i]. */
COPSE_API copse_status copse_components_columns(uint64_t vertices, copse_type id_type, const void* sources, const void* targets,
                                                uint64_t count, void* labels, const copse_options* options, copse_error* error);

/* ---- Labels of any ids ---- */

/* An answer: the vertices in ascending order (integers by value, strings by bytes) and the label of each. It does not change. */
typedef struct copse_labels copse_labels;

/* How many vertices, and how many components. Each may be NULL. O(vertices). */
COPSE_API void copse_labels_count(const copse_labels* labels, uint64_t* vertices, uint64_t* components);

/* The narrowest of COPSE_INT64, COPSE_UINT64 and COPSE_STRINGS that holds all ids; COPSE_INT64 where there is no vertex. */
COPSE_API copse_type copse_labels_type(const copse_labels* labels);

/* Copies the ids and their labels into arrays of the caller, of `size` elements of one type. Each may be NULL. COPSE_MISUSE unless `size` is
 * the number of vertices, the ids are integers, and all of them fit the type. */
COPSE_API copse_status copse_labels_copy(const copse_labels* labels, copse_type type, void* ids, void* components, uint64_t size,
                                         copse_error* error);

/* Hands out a table of the columns `id` and `component`: int64 or uint64, large_string, or large_binary where binaries came in or, of parts
 * and of what was opened, an id is not UTF-8. The structures belong to the caller, who calls their release; they live on when the labels are
 * freed. Strings are not copied. */
COPSE_API copse_status copse_labels_stream(const copse_labels* labels, struct ArrowArrayStream* to, copse_error* error);
COPSE_API copse_status copse_labels_array(const copse_labels* labels, struct ArrowSchema* schema, struct ArrowArray* array,
                                          copse_error* error);

COPSE_API void copse_labels_free(copse_labels* labels);

/* ---- Arrow tables ---- */

/* Which columns of a table hold edges, and which rows are taken. NULL instead of a pointer to it stands for COPSE_TABLE_INIT.
 *
 * Ids are integers of 8 to 64 bits, strings, binaries or dictionaries of these, both columns of one kind. Weights are integers, floats or decimals. */
typedef struct copse_table {
  size_t size;           /* sizeof(copse_table) */
  const char* source;    /* the name of a column; NULL: the first */
  const char* target;    /* NULL: the second */
  const char* weight;    /* NULL: none; of a weighted forest, the third */
  const char* threshold; /* a number in decimal digits: rows whose weight is below are left out. NULL: none */
  int drop_nulls;        /* nonzero: rows with a null id, or a weight that is null or NaN, are left out and counted; 0: they are refused */
  int vertices_only;     /* nonzero: the source column holds vertices, which need not have an edge; there is no target */
} copse_table;

#define COPSE_TABLE_INIT {sizeof(copse_table), NULL, NULL, NULL, NULL, 0, 0}

/* What became of the rows of a table. */
typedef struct copse_table_counts {
  uint64_t rows;  /* all of them */
  uint64_t nulls; /* left out for a null */
  uint64_t below; /* left out for a weight below the threshold */
} copse_table_counts;

/* Tables come as a stream of batches, or as one batch with its schema; the types of both are structs of columns, as every library of tables
 * exports them. A function that takes one owns it from then on, whatever it returns: it releases it, and marks the caller's structure as
 * released. `counts` may be NULL.
 *
 * The Arrow C data interface does not say how large buffers are: a producer whose buffers are too small cannot be found out. All else that a
 * value is read by (offsets, indices, UTF-8) is checked. */

/* Finds the components of all edges of a stream, and hands out copse_labels_stream() of the answer. */
COPSE_API copse_status copse_components_stream(struct ArrowArrayStream* edges, const copse_table* table, struct ArrowArrayStream* to,
                                               copse_table_counts* counts, const copse_options* options, copse_error* error);

/* ---- Edges in batches ---- */

/* Takes edges in any number of batches and answers once; memory is proportional to the number of vertices, as no edge is kept. Vertices are
 * the ids that occur: integers, dense or sparse, or strings, but not both. Types of integers may be mixed, and ids may be negative unless
 * others are above INT64_MAX.
 *
 * A batch that is refused (COPSE_MISUSE, COPSE_BAD_INPUT) changes nothing, except that the rows of a table before the one that is refused may
 * have been taken. After another error, and after copse_edges_finish(), the handle can only be freed. */
typedef struct copse_edges copse_edges;

/* For `vertices`: vertices are the ids that occur. */
#define COPSE_ANY_VERTICES UINT64_MAX

/* vertices: declares 0 .. vertices - 1, isolated ones included; larger ids are refused. Or COPSE_ANY_VERTICES. */
COPSE_API copse_status copse_edges_new(uint64_t vertices, const copse_options* options, copse_edges** edges, copse_error* error);

/* Edge i joins sources[i] and targets[i]. Loops and repeated edges are allowed. */
COPSE_API copse_status copse_edges_add(copse_edges* edges, copse_type type, const void* sources, const void* targets, uint64_t count,
                                       copse_error* error);
/* Vertices that need not have an edge. */
COPSE_API copse_status copse_edges_add_vertices(copse_edges* edges, copse_type type, const void* ids, uint64_t count, copse_error* error);
COPSE_API copse_status copse_edges_add_stream(copse_edges* edges, struct ArrowArrayStream* from, const copse_table* table,
                                              copse_table_counts* counts, copse_error* error);
COPSE_API copse_status copse_edges_add_array(copse_edges* edges, struct ArrowSchema* schema, struct ArrowArray* array,
                                             const copse_table* table, copse_table_counts* counts, copse_error* error);

/* The answer of all edges that were added. */
COPSE_API copse_status copse_edges_finish(copse_edges* edges, copse_labels** labels, copse_error* error);

COPSE_API void copse_edges_free(copse_edges* edges);

/* ---- Edges in batches, with questions in between ---- */

/* The components of the edges inserted so far, of any ids, as above. After an error a part of a batch may have been inserted; to insert it
 * again is harmless. */
typedef struct copse_incremental copse_incremental;

COPSE_API copse_status copse_incremental_new(const copse_options* options, copse_incremental** live, copse_error* error);
/* Goes on from a file of copse_incremental_save(). */
COPSE_API copse_status copse_incremental_open(const char* path, const copse_options* options, copse_incremental** live, copse_error* error);
/* Replaces the file as a whole; it is on the disk when this returns. */
COPSE_API copse_status copse_incremental_save(const copse_incremental* live, const char* path, copse_error* error);

COPSE_API copse_status copse_incremental_insert(copse_incremental* live, copse_type type, const void* sources, const void* targets,
                                                uint64_t count, copse_error* error);
COPSE_API copse_status copse_incremental_insert_stream(copse_incremental* live, struct ArrowArrayStream* from, const copse_table* table,
                                                       copse_table_counts* counts, copse_error* error);

/* answers[i]: 1 if sources[i] and targets[i] are connected, otherwise 0. A vertex that did not occur is connected with itself alone. */
COPSE_API copse_status copse_incremental_connected(copse_incremental* live, copse_type type, const void* sources, const void* targets,
                                                   uint64_t count, uint8_t* answers, copse_error* error);
/* The same of the `count` rows of a table; COPSE_MISUSE when it has another number of rows, or `table` leaves some out. */
COPSE_API copse_status copse_incremental_connected_stream(copse_incremental* live, struct ArrowArrayStream* from, const copse_table* table,
                                                          uint64_t count, uint8_t* answers, copse_error* error);

/* As of now, in O(1). Each may be NULL. */
COPSE_API void copse_incremental_count(const copse_incremental* live, uint64_t* vertices, uint64_t* components);
COPSE_API copse_status copse_incremental_labels(copse_incremental* live, copse_labels** labels, copse_error* error);

COPSE_API void copse_incremental_free(copse_incremental* live);

/* ---- Weighted forests and thresholds ---- */

/* The spanning forest of the edges that were added, which is minimum or maximum by their weights: at most one edge less than there are
 * vertices, and memory in proportion. A maximum forest of edges whose weights say how similar two things are answers which components there
 * are at any threshold. Edges can be added after a question. After COPSE_OUT_OF_RESOURCES or COPSE_CANCELLED it can only be freed. */
typedef struct copse_forest copse_forest;

typedef COPSE_ENUM(copse_goal) { COPSE_MINIMUM = 0, COPSE_MAXIMUM = 1 } copse_goal;

COPSE_API copse_status copse_forest_new(copse_goal goal, const copse_options* options, copse_forest** forest, copse_error* error);

/* Edge i joins sources[i] and targets[i] and weighs weights[i], which may be infinite but must be a number. */
COPSE_API copse_status copse_forest_add(copse_forest* forest, copse_type type, const void* sources, const void* targets,
                                        const double* weights, uint64_t count, copse_error* error);
COPSE_API copse_status copse_forest_add_vertices(copse_forest* forest, copse_type type, const void* ids, uint64_t count,
                                                 copse_error* error);
COPSE_API copse_status copse_forest_add_stream(copse_forest* forest, struct ArrowArrayStream* from, const copse_table* table,
                                               copse_table_counts* counts, copse_error* error);

/* How many edges the forest has, and how many vertices. Each may be NULL. */
COPSE_API copse_status copse_forest_count(copse_forest* forest, uint64_t* edges, uint64_t* vertices, copse_error* error);
/* Copies the edges into arrays of `size` elements, ids of one type; as copse_labels_copy(). */
COPSE_API copse_status copse_forest_copy(copse_forest* forest, copse_type type, void* sources, void* targets, double* weights,
                                         uint64_t size, copse_error* error);
/* Hands out a table of the columns `source`, `target` and `weight`; as copse_labels_stream(). */
COPSE_API copse_status copse_forest_stream(copse_forest* forest, struct ArrowArrayStream* to, copse_error* error);

/* The components of the edges whose weight is at least `threshold`; vertices without such an edge are components, too. */
typedef struct copse_threshold {
  double threshold;
  uint64_t components;
  uint64_t largest;                              /* vertices of the largest component */
  uint64_t singletons;                           /* components of one vertex */
  uint64_t median, percentile_90, percentile_99; /* of the sizes of components */
  uint64_t pairs;                                /* of vertices in one component */
} copse_threshold;

/* The three functions below want a forest made with COPSE_MAXIMUM; of another they return COPSE_MISUSE. */

/* The distinct weights of the forest, descending, at which components change: at most `capacity` of them, evenly spread, the first and the
 * last included. `count` receives how many were written. */
COPSE_API copse_status copse_forest_levels(copse_forest* forest, double* levels, uint64_t capacity, uint64_t* count, copse_error* error);
/* points[i].threshold is the caller's; the other fields are written. In any order. */
COPSE_API copse_status copse_forest_thresholds(copse_forest* forest, copse_threshold* points, uint64_t count, copse_error* error);
COPSE_API copse_status copse_forest_labels(copse_forest* forest, double threshold, copse_labels** labels, copse_error* error);

COPSE_API void copse_forest_free(copse_forest* forest);

/* ---- Parts that processes exchange ---- */

/* The components of a part of the edges, which can be sent elsewhere and merged with those of other parts. Equal components are equal bytes,
 * wherever and however they were found. It does not change. */
typedef struct copse_partial copse_partial;

COPSE_API copse_status copse_partial_new(const copse_labels* labels, copse_partial** part, copse_error* error);

/* Its bytes belong to the part, and are valid until that is freed. */
COPSE_API const void* copse_partial_bytes(const copse_partial* part, uint64_t* size);
/* From bytes of copse_partial_bytes(), which need not be aligned. COPSE_BAD_INPUT for any others. */
COPSE_API copse_status copse_partial_read(const void* bytes, uint64_t size, copse_partial** part, copse_error* error);

/* The components of all edges of `count` parts, in any order; they may have vertices in common. Parts of integers and of strings do not go
 * together. The options are those of this call. */
COPSE_API copse_status copse_partial_merge(const copse_partial* const* parts, uint64_t count, const copse_options* options,
                                           copse_partial** merged, copse_error* error);
COPSE_API copse_status copse_partial_labels(const copse_partial* part, copse_labels** labels, copse_error* error);

COPSE_API void copse_partial_free(copse_partial* part);

#ifdef __cplusplus
}
#endif

#endif /* COPSE_H */
