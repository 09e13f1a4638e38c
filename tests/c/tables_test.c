/* Arrow tables made by hand, in and out. */
#include <stdlib.h>

#include "check.h"

static copse_error error;

/* What was made and not released. */
static int alive;

static void release_schema(struct ArrowSchema* schema) {
  for (int64_t i = 0; i < schema->n_children; ++i) {
    if (schema->children[i]->release != NULL) schema->children[i]->release(schema->children[i]);
  }
  schema->release = NULL;
  --alive;
}
static void release_array(struct ArrowArray* array) {
  for (int64_t i = 0; i < array->n_children; ++i) {
    if (array->children[i]->release != NULL) array->children[i]->release(array->children[i]);
  }
  array->release = NULL;
  --alive;
}

/* A table of at most three columns, whose parts are in one structure that outlives it. */
struct table {
  struct ArrowSchema schemas[3], *schema_pointers[3];
  struct ArrowArray arrays[3], *array_pointers[3];
  const void* buffers[3][3];
  const void* no_bitmap;
  struct ArrowSchema schema;
  struct ArrowArray array;
  int given;
};

static struct table* new_table(int columns, int64_t rows) {
  struct table* t = calloc(1, sizeof *t);
  for (int i = 0; i < columns; ++i) {
    t->schema_pointers[i] = &t->schemas[i];
    t->array_pointers[i] = &t->arrays[i];
  }
  t->schema.format = "+s";
  t->schema.n_children = columns;
  t->schema.children = t->schema_pointers;
  t->schema.release = release_schema;
  t->array.length = rows;
  t->array.n_buffers = 1;
  t->array.buffers = &t->no_bitmap;
  t->array.n_children = columns;
  t->array.children = t->array_pointers;
  t->array.release = release_array;
  alive += 2;
  return t;
}

/* `bitmap`: NULL, or a bit for each value that is there. `third`: bytes of strings. */
static void set_column(struct table* t, int i, const char* name, const char* format, const void* bitmap, const void* second,
                       const void* third) {
  t->schemas[i].name = name;
  t->schemas[i].format = format;
  t->schemas[i].release = release_schema;
  t->buffers[i][0] = bitmap;
  t->buffers[i][1] = second;
  t->buffers[i][2] = third;
  t->arrays[i].length = t->array.length;
  t->arrays[i].null_count = bitmap == NULL ? 0 : -1;
  t->arrays[i].n_buffers = third == NULL ? 2 : 3;
  t->arrays[i].buffers = t->buffers[i];
  t->arrays[i].release = release_array;
  alive += 2;
}

/* The table as a stream of one batch. */
static int get_schema(struct ArrowArrayStream* stream, struct ArrowSchema* to) {
  struct table* t = stream->private_data;
  *to = t->schema;
  t->schema.release = NULL;
  return 0;
}
static int get_next(struct ArrowArrayStream* stream, struct ArrowArray* to) {
  struct table* t = stream->private_data;
  if (t->given < 0) return 5;
  *to = t->array;
  t->array.release = NULL;
  if (t->given++ != 0) to->release = NULL;
  return 0;
}
static const char* get_last_error(struct ArrowArrayStream* stream) {
  (void)stream;
  return "the disk is on fire";
}
static void release_stream(struct ArrowArrayStream* stream) {
  struct table* t = stream->private_data;
  if (t->schema.release != NULL) t->schema.release(&t->schema);
  if (t->array.release != NULL) t->array.release(&t->array);
  free(t);
  stream->release = NULL;
  --alive;
}
static struct ArrowArrayStream stream_of(struct table* t) {
  struct ArrowArrayStream stream = {get_schema, get_next, get_last_error, release_stream, NULL};
  stream.private_data = t;
  ++alive;
  return stream;
}

static struct table* short_ids(void) {
  static const int16_t left[] = {1, 5, 5}, right[] = {2, 6, 7};
  static const float weights[] = {.9f, .4f, .5f};
  struct table* t = new_table(3, 3);
  set_column(t, 0, "l", "s", NULL, left, NULL);
  set_column(t, 1, "r", "s", NULL, right, NULL);
  set_column(t, 2, "w", "f", NULL, weights, NULL);
  return t;
}

static struct table* strings(void) {
  static const int32_t left[] = {0, 1, 2}, right[] = {0, 1, 5};
  struct table* t = new_table(2, 2);
  set_column(t, 0, "l", "u", NULL, left, "ba");
  set_column(t, 1, "r", "u", NULL, right, "cdddd");
  return t;
}

static struct table* binaries(void) {
  static const int32_t left[] = {0, 1}, right[] = {0, 2};
  struct table* t = new_table(2, 1);
  set_column(t, 0, "l", "z", NULL, left, "\xFF");
  set_column(t, 1, "r", "z", NULL, right, "\xFE\xFF");
  return t;
}

static void a_table_of_integers_becomes_a_table(void) {
  struct ArrowArrayStream in = stream_of(short_ids()), out;
  copse_table columns = COPSE_TABLE_INIT;
  columns.weight = "w";
  columns.threshold = "0.5";
  copse_table_counts counts;
  SUCCEEDS(copse_components_stream(&in, &columns, &out, &counts, NULL, &error));
  CHECK(in.release == NULL && alive == 0);
  CHECK(counts.rows == 3 && counts.nulls == 0 && counts.below == 1);
  struct ArrowSchema schema;
  struct ArrowArray array;
  CHECK(out.get_schema(&out, &schema) == 0 && out.get_next(&out, &array) == 0);
  CHECK(strcmp(schema.format, "+s") == 0 && schema.n_children == 2);
  CHECK(strcmp(schema.children[0]->name, "id") == 0 && strcmp(schema.children[0]->format, "l") == 0);
  CHECK(strcmp(schema.children[1]->name, "component") == 0);
  CHECK(array.length == 4 && array.n_children == 2);
  EQUAL((const int64_t*)array.children[0]->buffers[1], 1, 2, 5, 7);
  EQUAL((const int64_t*)array.children[1]->buffers[1], 1, 1, 5, 5);
  struct ArrowArray moved = *array.children[1]; /* a consumer may move a child out, and keep it */
  array.children[1]->release = NULL;
  array.release(&array);
  CHECK(out.get_next(&out, &array) == 0 && array.release == NULL);
  out.release(&out);
  schema.release(&schema);
  EQUAL((const int64_t*)moved.buffers[1], 1, 1, 5, 5);
  moved.release(&moved);
}

static void strings_come_and_go(void) {
  struct table* t = strings();
  copse_edges* edges = NULL;
  copse_labels* labels = NULL;
  struct ArrowSchema schema;
  struct ArrowArray array;
  SUCCEEDS(copse_edges_new(COPSE_ANY_VERTICES, NULL, &edges, &error));
  SUCCEEDS(copse_edges_add_array(edges, &t->schema, &t->array, NULL, NULL, &error));
  CHECK(t->schema.release == NULL && t->array.release == NULL && alive == 0);
  free(t);
  SUCCEEDS(copse_edges_finish(edges, &labels, &error));
  copse_edges_free(edges);
  CHECK(copse_labels_type(labels) == COPSE_STRINGS);
  int64_t ids[4];
  FAILS(copse_labels_copy(labels, COPSE_INT64, ids, NULL, 4, &error), COPSE_MISUSE, "strings");
  SUCCEEDS(copse_labels_array(labels, &schema, &array, &error));
  copse_labels_free(labels); /* the table lives on */
  CHECK(strcmp(schema.children[0]->format, "U") == 0);
  EQUAL((const int64_t*)array.children[0]->buffers[1], 0, 1, 2, 3, 7);
  CHECK(memcmp(array.children[0]->buffers[2], "abcdddd", 7) == 0);
  EQUAL((const int64_t*)array.children[1]->buffers[1], 0, 1, 2, 3, 4);
  CHECK(memcmp(array.children[1]->buffers[2], "abba", 4) == 0);
  schema.release(&schema);
  array.release(&array);
}

static void expect_binaries(const copse_labels* labels) {
  struct ArrowSchema schema;
  struct ArrowArray array;
  SUCCEEDS(copse_labels_array(labels, &schema, &array, &error));
  CHECK(strcmp(schema.children[0]->format, "Z") == 0 && strcmp(schema.children[1]->format, "Z") == 0);
  EQUAL((const int64_t*)array.children[0]->buffers[1], 0, 2, 3);
  CHECK(memcmp(array.children[0]->buffers[2], "\xFE\xFF\xFF", 3) == 0);
  CHECK(memcmp(array.children[1]->buffers[2], "\xFE\xFF\xFE\xFF", 4) == 0);
  schema.release(&schema);
  array.release(&array);
}

/* Neither files nor parts say that ids came as binaries. */
static void ids_that_are_not_utf8_stay_binaries(void) {
  const char* const file = "tables_test.copse";
  struct ArrowArrayStream in = stream_of(binaries());
  copse_incremental* live = NULL;
  copse_labels* labels = NULL;
  copse_partial* part = NULL;
  SUCCEEDS(copse_incremental_new(NULL, &live, &error));
  SUCCEEDS(copse_incremental_insert_stream(live, &in, NULL, NULL, &error));
  CHECK(alive == 0);
  SUCCEEDS(copse_incremental_save(live, file, &error));
  copse_incremental_free(live);
  SUCCEEDS(copse_incremental_open(file, NULL, &live, &error));
  remove(file);
  SUCCEEDS(copse_incremental_labels(live, &labels, &error));
  copse_incremental_free(live);
  expect_binaries(labels);
  SUCCEEDS(copse_partial_new(labels, &part, &error));
  copse_labels_free(labels);
  SUCCEEDS(copse_partial_labels(part, &labels, &error));
  copse_partial_free(part);
  expect_binaries(labels);
  copse_labels_free(labels);
}

static void nulls_are_refused_or_dropped(void) {
  static const uint64_t left[] = {1, 2}, right[] = {2, 3};
  static const uint8_t bitmap[] = {2};
  for (int drop = 0; drop < 2; ++drop) {
    struct table* t = new_table(2, 2);
    set_column(t, 0, "l", "L", bitmap, left, NULL);
    set_column(t, 1, "r", "L", NULL, right, NULL);
    struct ArrowArrayStream in = stream_of(t);
    copse_table columns = COPSE_TABLE_INIT;
    columns.drop_nulls = drop;
    copse_table_counts counts = {0, 0, 0};
    copse_edges* edges = NULL;
    SUCCEEDS(copse_edges_new(COPSE_ANY_VERTICES, NULL, &edges, &error));
    const copse_status status = copse_edges_add_stream(edges, &in, &columns, &counts, &error);
    CHECK(alive == 0);
    if (drop != 0) {
      CHECK(status == COPSE_OK && counts.rows == 2 && counts.nulls == 1);
    } else {
      CHECK(status == COPSE_BAD_INPUT && strstr(error.text, "column 'l': found a null in row 0") != NULL);
    }
    copse_edges_free(edges);
  }
}

static void questions_and_forests_take_tables(void) {
  struct ArrowArrayStream in = stream_of(strings());
  copse_incremental* live = NULL;
  uint8_t answers[2] = {9, 9};
  SUCCEEDS(copse_incremental_new(NULL, &live, &error));
  SUCCEEDS(copse_incremental_insert_stream(live, &in, NULL, NULL, &error));
  in = stream_of(strings());
  copse_table columns = COPSE_TABLE_INIT;
  columns.target = "l";
  SUCCEEDS(copse_incremental_connected_stream(live, &in, &columns, 2, answers, &error));
  EQUAL(answers, 1, 1);
  in = stream_of(strings());
  FAILS(copse_incremental_connected_stream(live, &in, NULL, 3, answers, &error), COPSE_MISUSE, "there are 2 rows for 3 answers");
  in = stream_of(strings());
  FAILS(copse_incremental_connected_stream(live, &in, NULL, 1, answers, &error), COPSE_MISUSE, "there are more rows for 1 answers");
  CHECK(alive == 0);
  copse_incremental_free(live);

  copse_forest* forest = NULL;
  struct ArrowArrayStream out;
  struct ArrowArray array;
  struct ArrowSchema schema;
  in = stream_of(short_ids());
  SUCCEEDS(copse_forest_new(COPSE_MAXIMUM, NULL, &forest, &error));
  SUCCEEDS(copse_forest_add_stream(forest, &in, NULL, NULL, &error));
  copse_threshold point = {.4, 0, 0, 0, 0, 0, 0, 0}; /* reached by the float .4 */
  SUCCEEDS(copse_forest_thresholds(forest, &point, 1, &error));
  CHECK(point.components == 2);
  SUCCEEDS(copse_forest_stream(forest, &out, &error));
  copse_forest_free(forest);
  CHECK(out.get_schema(&out, &schema) == 0 && out.get_next(&out, &array) == 0);
  CHECK(strcmp(schema.children[0]->name, "source") == 0 && strcmp(schema.children[2]->format, "g") == 0);
  EQUAL((const int64_t*)array.children[0]->buffers[1], 1, 5, 5);
  EQUAL((const int64_t*)array.children[1]->buffers[1], 2, 6, 7);
  CHECK(((const double*)array.children[2]->buffers[1])[0] == (double).9f);
  schema.release(&schema);
  array.release(&array);
  out.release(&out);
}

static void tables_that_are_wrong_are_released(void) {
  copse_edges* edges = NULL;
  copse_table columns = COPSE_TABLE_INIT;
  struct ArrowArrayStream in = stream_of(strings());
  SUCCEEDS(copse_edges_new(COPSE_ANY_VERTICES, NULL, &edges, &error));
  columns.source = "nobody";
  FAILS(copse_edges_add_stream(edges, &in, &columns, NULL, &error), COPSE_MISUSE, "no column 'nobody'; its columns are 'l', 'r'");
  FAILS(copse_edges_add_stream(edges, &in, NULL, NULL, &error), COPSE_MISUSE, "released");
  FAILS(copse_edges_add_stream(edges, NULL, NULL, NULL, &error), COPSE_MISUSE, "NULL");
  in = stream_of(strings());
  FAILS(copse_edges_add_stream(NULL, &in, NULL, NULL, &error), COPSE_MISUSE, "edges must not be NULL");
  columns.source = NULL;
  columns.threshold = ".5";
  in = stream_of(strings());
  FAILS(copse_edges_add_stream(edges, &in, &columns, NULL, &error), COPSE_MISUSE, "threshold");
  struct table* failing = strings();
  failing->given = -1;
  in = stream_of(failing);
  FAILS(copse_edges_add_stream(edges, &in, NULL, NULL, &error), COPSE_BAD_INPUT, "the disk is on fire");
  struct table* t = strings();
  struct ArrowSchema none = {0};
  FAILS(copse_edges_add_array(edges, &none, &t->array, NULL, NULL, &error), COPSE_MISUSE, "released");
  CHECK(t->array.release == NULL);
  t->schema.release(&t->schema);
  free(t);
  static const int32_t backwards[] = {0, 5, 2};
  t = strings();
  t->buffers[1][1] = backwards;
  in = stream_of(t);
  FAILS(copse_edges_add_stream(edges, &in, NULL, NULL, &error), COPSE_BAD_INPUT, "string offsets");
  CHECK(alive == 0);
  copse_edges_free(edges);
}

int main(void) {
  a_table_of_integers_becomes_a_table();
  strings_come_and_go();
  ids_that_are_not_utf8_stay_binaries();
  nulls_are_refused_or_dropped();
  questions_and_forests_take_tables();
  tables_that_are_wrong_are_released();
  CHECK(alive == 0);
  return failures != 0;
}
