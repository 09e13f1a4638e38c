/* Components of two columns of ids, which may be any integers: who belongs together? */
#include <copse.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int failed(const copse_error* error) {
  fprintf(stderr, "%s: %s\n", copse_status_text(error->status), error->text);
  return 2;
}

int main(void) {
  const int64_t left[] = {1000000007, 42, 7}, right[] = {42, 99, 8};
  copse_error error;

  copse_edges* edges = NULL;
  copse_labels* labels = NULL;
  if (copse_edges_new(COPSE_ANY_VERTICES, NULL, &edges, &error) != COPSE_OK) return failed(&error);
  if (copse_edges_add(edges, COPSE_INT64, left, right, 3, &error) != COPSE_OK ||
      copse_edges_finish(edges, &labels, &error) != COPSE_OK) {
    copse_edges_free(edges);
    return failed(&error);
  }
  copse_edges_free(edges);

  uint64_t vertices = 0, components = 0;
  copse_labels_count(labels, &vertices, &components);
  int64_t* ids = malloc(2 * (size_t)vertices * sizeof *ids);
  int64_t* groups = ids + vertices;
  if (ids == NULL || copse_labels_copy(labels, COPSE_INT64, ids, groups, vertices, &error) != COPSE_OK) return failed(&error);
  printf("%" PRIu64 " ids in %" PRIu64 " components\n", vertices, components);
  for (uint64_t i = 0; i < vertices; ++i) printf("%" PRId64 " %" PRId64 "\n", ids[i], groups[i]);
  free(ids);
  copse_labels_free(labels);
  return 0;
}
