/* Every function that takes arrays, from C. */
#include <inttypes.h>
#include <stdlib.h>

#include "check.h"

static copse_error error;

/* 0 - 1 - 2, 3 - 4, 5 */
static void graphs_in_memory_of_every_width(void) {
  const uint32_t offsets[] = {0, 1, 3, 4, 5, 6, 6}, targets[] = {1, 0, 2, 1, 4, 3};
  const uint64_t wide_offsets[] = {0, 1, 3, 4, 5, 6, 6}, wide_targets[] = {1, 0, 2, 1, 4, 3};
  uint32_t labels[6];
  uint64_t wide[6];
  SUCCEEDS(copse_components_csr(6, COPSE_UINT32, offsets, COPSE_UINT32, targets, 6, COPSE_SYMMETRIC, labels, NULL, &error));
  EQUAL(labels, 0, 0, 0, 3, 3, 5);
  memset(labels, 0, sizeof labels);
  SUCCEEDS(copse_components_csr(6, COPSE_INT64, wide_offsets, COPSE_INT32, targets, 6, COPSE_SYMMETRY_UNKNOWN, labels, NULL, &error));
  EQUAL(labels, 0, 0, 0, 3, 3, 5);
  SUCCEEDS(copse_components_csr(6, COPSE_UINT64, wide_offsets, COPSE_UINT64, wide_targets, 6, COPSE_ASYMMETRIC, wide, NULL, &error));
  EQUAL(wide, 0, 0, 0, 3, 3, 5);

  const uint32_t pairs[] = {2, 1, 1, 0, 4, 3};
  memset(labels, 0, sizeof labels);
  SUCCEEDS(copse_components_pairs(6, COPSE_UINT32, pairs, 3, labels, NULL, &error));
  EQUAL(labels, 0, 0, 0, 3, 3, 5);
  const int64_t sources[] = {2, 1, 4}, ends[] = {1, 0, 3};
  memset(wide, 0, sizeof wide);
  SUCCEEDS(copse_components_columns(6, COPSE_INT64, sources, ends, 3, wide, NULL, &error));
  EQUAL(wide, 0, 0, 0, 3, 3, 5);

  copse_options options = COPSE_OPTIONS_INIT;
  options.threads = 2;
  options.variant = "serial.none.fast";
  memset(wide, 0, sizeof wide);
  SUCCEEDS(copse_components_columns(6, COPSE_UINT64, sources, ends, 3, wide, &options, &error));
  EQUAL(wide, 0, 0, 0, 3, 3, 5);
  SUCCEEDS(copse_components_pairs(0, COPSE_UINT64, NULL, 0, NULL, NULL, &error));
}

static void batches_of_sparse_ids(void) {
  copse_edges* edges = NULL;
  copse_labels* labels = NULL;
  const int32_t left[] = {5, 9}, right[] = {9, 9};
  const uint64_t far[] = {UINT64_C(1) << 63}, near[] = {5}, alone[] = {77};
  SUCCEEDS(copse_edges_new(COPSE_ANY_VERTICES, NULL, &edges, &error));
  SUCCEEDS(copse_edges_add(edges, COPSE_INT32, left, right, 2, &error));
  SUCCEEDS(copse_edges_add(edges, COPSE_UINT64, far, near, 1, &error));
  SUCCEEDS(copse_edges_add_vertices(edges, COPSE_INT64, alone, 1, &error));
  SUCCEEDS(copse_edges_finish(edges, &labels, &error));
  FAILS(copse_edges_add(edges, COPSE_INT32, left, right, 2, &error), COPSE_MISUSE, "finish");
  copse_edges_free(edges);

  uint64_t vertices = 0, components = 0, ids[4], groups[4];
  copse_labels_count(labels, &vertices, &components);
  CHECK(vertices == 4 && components == 2);
  CHECK(copse_labels_type(labels) == COPSE_UINT64);
  SUCCEEDS(copse_labels_copy(labels, COPSE_UINT64, ids, groups, 4, &error));
  EQUAL(ids, 5, 9, 77, UINT64_C(1) << 63);
  EQUAL(groups, 5, 5, 77, 5);
  FAILS(copse_labels_copy(labels, COPSE_INT64, ids, groups, 4, &error), COPSE_MISUSE, "9223372036854775808");
  FAILS(copse_labels_copy(labels, COPSE_UINT64, ids, groups, 3, &error), COPSE_MISUSE, "size must be the number of vertices, 4, not 3");
  copse_labels_free(labels);

  const uint32_t u[] = {1}, v[] = {3};
  uint32_t declared[5];
  SUCCEEDS(copse_edges_new(5, NULL, &edges, &error));
  SUCCEEDS(copse_edges_add(edges, COPSE_UINT32, u, v, 1, &error));
  FAILS(copse_edges_add(edges, COPSE_INT32, left, right, 2, &error), COPSE_BAD_INPUT, "5");
  SUCCEEDS(copse_edges_finish(edges, &labels, &error));
  SUCCEEDS(copse_labels_copy(labels, COPSE_UINT32, NULL, declared, 5, &error));
  EQUAL(declared, 0, 1, 2, 1, 4);
  CHECK(copse_labels_type(labels) == COPSE_INT64);
  copse_labels_free(labels);
  copse_edges_free(edges);
}

static void questions_between_batches(const char* file) {
  copse_incremental* live = NULL;
  copse_labels* labels = NULL;
  const int64_t left[] = {1, 7000000000}, right[] = {2, 3}, asked[] = {1, 2, 99, 98}, with[] = {2, 3, 99, 1};
  const int64_t more[] = {2}, end[] = {3};
  uint8_t answers[4];
  SUCCEEDS(copse_incremental_new(NULL, &live, &error));
  SUCCEEDS(copse_incremental_insert(live, COPSE_INT64, left, right, 2, &error));
  SUCCEEDS(copse_incremental_connected(live, COPSE_INT64, asked, with, 4, answers, &error));
  EQUAL(answers, 1, 0, 1, 0);
  SUCCEEDS(copse_incremental_save(live, file, &error));
  copse_incremental_free(live);

  SUCCEEDS(copse_incremental_open(file, NULL, &live, &error));
  SUCCEEDS(copse_incremental_insert(live, COPSE_INT64, more, end, 1, &error));
  SUCCEEDS(copse_incremental_connected(live, COPSE_INT64, asked, with, 4, answers, &error));
  EQUAL(answers, 1, 1, 1, 0);
  uint64_t vertices = 0, components = 0;
  copse_incremental_count(live, &vertices, &components);
  CHECK(vertices == 4 && components == 1);
  int64_t ids[4], groups[4];
  SUCCEEDS(copse_incremental_labels(live, &labels, &error));
  copse_incremental_free(live);
  SUCCEEDS(copse_labels_copy(labels, COPSE_INT64, ids, groups, 4, &error));
  EQUAL(ids, 1, 2, 3, 7000000000);
  EQUAL(groups, 1, 1, 1, 1);
  copse_labels_free(labels);
  remove(file);
  FAILS(copse_incremental_open(file, NULL, &live, &error), COPSE_BAD_INPUT, file);
  CHECK(live == NULL);
}

static void forests_and_thresholds(void) {
  copse_forest* forest = NULL;
  copse_labels* labels = NULL;
  const int32_t left[] = {10, 20, 10}, right[] = {20, 30, 30};
  const uint32_t alone[] = {40};
  const double weights[] = {.9, .5, .7};
  SUCCEEDS(copse_forest_new(COPSE_MAXIMUM, NULL, &forest, &error));
  SUCCEEDS(copse_forest_add(forest, COPSE_INT32, left, right, weights, 3, &error));
  SUCCEEDS(copse_forest_add_vertices(forest, COPSE_UINT32, alone, 1, &error));
  uint64_t edges = 0, vertices = 0, count = 0;
  SUCCEEDS(copse_forest_count(forest, &edges, &vertices, &error));
  CHECK(edges == 2 && vertices == 4);
  int64_t u[2], v[2];
  double w[2], levels[8];
  SUCCEEDS(copse_forest_copy(forest, COPSE_INT64, u, v, w, 2, &error));
  EQUAL(u, 10, 10);
  EQUAL(v, 20, 30);
  CHECK(w[0] == .9 && w[1] == .7);
  SUCCEEDS(copse_forest_levels(forest, levels, 8, &count, &error));
  CHECK(count == 2 && levels[0] == .9 && levels[1] == .7);
  copse_threshold points[] = {{.7, 0, 0, 0, 0, 0, 0, 0}, {.8, 0, 0, 0, 0, 0, 0, 0}};
  SUCCEEDS(copse_forest_thresholds(forest, points, 2, &error));
  CHECK(points[0].components == 2 && points[0].largest == 3 && points[0].singletons == 1 && points[0].pairs == 3);
  CHECK(points[1].threshold == .8 && points[1].components == 3 && points[1].largest == 2 && points[1].pairs == 1);
  int32_t ids[4], groups[4];
  SUCCEEDS(copse_forest_labels(forest, .8, &labels, &error));
  SUCCEEDS(copse_labels_copy(labels, COPSE_INT32, ids, groups, 4, &error));
  EQUAL(ids, 10, 20, 30, 40);
  EQUAL(groups, 10, 10, 30, 40);
  copse_labels_free(labels);
  copse_forest_free(forest);

  SUCCEEDS(copse_forest_new(COPSE_MINIMUM, NULL, &forest, &error));
  SUCCEEDS(copse_forest_add(forest, COPSE_INT32, left, right, weights, 3, &error));
  SUCCEEDS(copse_forest_copy(forest, COPSE_INT64, NULL, NULL, w, 2, &error));
  CHECK(w[0] == .5 && w[1] == .7);
  FAILS(copse_forest_labels(forest, .5, &labels, &error), COPSE_MISUSE, "COPSE_MAXIMUM");
  copse_forest_free(forest);
}

static copse_labels* labels_of(const int64_t* left, const int64_t* right, uint64_t count) {
  copse_edges* edges = NULL;
  copse_labels* labels = NULL;
  SUCCEEDS(copse_edges_new(COPSE_ANY_VERTICES, NULL, &edges, &error));
  SUCCEEDS(copse_edges_add(edges, COPSE_INT64, left, right, count, &error));
  SUCCEEDS(copse_edges_finish(edges, &labels, &error));
  copse_edges_free(edges);
  return labels;
}

static void parts_travel_as_bytes(void) {
  const int64_t left[] = {1, 3}, right[] = {2, 4}, other[] = {2}, end[] = {3};
  copse_labels *first = labels_of(left, right, 2), *second = labels_of(other, end, 1), *labels = NULL;
  copse_partial *here = NULL, *there = NULL, *merged = NULL;
  SUCCEEDS(copse_partial_new(first, &here, &error));
  SUCCEEDS(copse_partial_new(second, &there, &error));
  copse_labels_free(first);
  copse_labels_free(second);

  uint64_t size = 0;
  const void* bytes = copse_partial_bytes(there, &size);
  char* sent = malloc((size_t)size + 1);
  memcpy(sent + 1, bytes, (size_t)size); /* not aligned */
  copse_partial_free(there);
  SUCCEEDS(copse_partial_read(sent + 1, size, &there, &error));
  sent[1 + size / 2] ^= 1;
  FAILS(copse_partial_read(sent + 1, size, &merged, &error), COPSE_BAD_INPUT, "bytes");
  CHECK(merged == NULL);
  free(sent);

  const copse_partial* parts[] = {here, there};
  SUCCEEDS(copse_partial_merge(parts, 2, NULL, &merged, &error));
  copse_partial_free(here);
  copse_partial_free(there);
  SUCCEEDS(copse_partial_labels(merged, &labels, &error));
  copse_partial_free(merged);
  int64_t ids[4], groups[4];
  SUCCEEDS(copse_labels_copy(labels, COPSE_INT64, ids, groups, 4, &error));
  EQUAL(ids, 1, 2, 3, 4);
  EQUAL(groups, 1, 1, 1, 1);
  copse_labels_free(labels);
}

int main(int count, char** arguments) {
  graphs_in_memory_of_every_width();
  batches_of_sparse_ids();
  questions_between_batches(count > 1 ? arguments[1] : "arrays_test.copse");
  forests_and_thresholds();
  parts_travel_as_bytes();
  return failures != 0;
}
