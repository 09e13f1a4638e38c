/* What goes wrong, as C sees it: statuses, texts, and what is left. */
#include <stdlib.h>

#include "check.h"

static copse_error error;

static void misuse_is_told(void) {
  const uint32_t u[] = {0}, v[] = {1}, far[] = {7};
  uint32_t labels[2];
  copse_options options = COPSE_OPTIONS_INIT;
  FAILS(copse_components_columns(2, COPSE_UINT32, u, far, 1, labels, NULL, &error), COPSE_MISUSE, "7");
  FAILS(copse_components_columns(2, COPSE_UINT32, NULL, v, 1, labels, NULL, &error), COPSE_MISUSE, "sources must not be NULL");
  FAILS(copse_components_columns(2, COPSE_UINT32, u, v, 1, NULL, NULL, &error), COPSE_MISUSE, "labels must not be NULL");
  FAILS(copse_components_columns(2, COPSE_STRINGS, u, v, 1, labels, NULL, &error), COPSE_MISUSE, "type");
  FAILS(copse_components_columns(2, (copse_type)9, u, v, 1, labels, NULL, &error), COPSE_MISUSE, "not 9");
  FAILS(copse_components_columns(UINT64_C(1) << 33, COPSE_UINT32, u, v, 1, labels, NULL, &error), COPSE_MISUSE, "8589934592");
  FAILS(copse_components_pairs(2, COPSE_UINT32, u, UINT64_MAX / 2, labels, NULL, &error), COPSE_MISUSE, "elements, which no memory holds");
  FAILS(copse_components_csr(1, COPSE_UINT32, u, COPSE_UINT64, v, 1, COPSE_SYMMETRIC, labels, NULL, &error), COPSE_MISUSE, "64 bits");
  options.variant = "no.such.variant";
  FAILS(copse_components_columns(2, COPSE_UINT32, u, v, 1, labels, &options, &error), COPSE_MISUSE, "unknown backend 'no'");
  options.variant = NULL;
  options.device = "toaster";
  FAILS(copse_components_columns(2, COPSE_UINT32, u, v, 1, labels, &options, &error), COPSE_MISUSE, "toaster");
  options.device = NULL;
  options.size = 0;
  FAILS(copse_components_columns(2, COPSE_UINT32, u, v, 1, labels, &options, &error), COPSE_MISUSE, "macro");
  CHECK(copse_components_columns(2, COPSE_UINT32, NULL, v, 1, labels, NULL, NULL) == COPSE_MISUSE); /* nobody wants the text */
}

/* Callers of an older and of a later version: their structure is shorter or longer. */
static void structures_of_other_versions_are_read(void) {
  const uint32_t u[] = {0}, v[] = {1};
  uint32_t labels[2];
  struct {
    copse_options options;
    uint64_t later;
  } longer = {COPSE_OPTIONS_INIT, 0};
  longer.options.size = sizeof longer;
  SUCCEEDS(copse_components_columns(2, COPSE_UINT32, u, v, 1, labels, &longer.options, &error));
  longer.later = 1;
  FAILS(copse_components_columns(2, COPSE_UINT32, u, v, 1, labels, &longer.options, &error), COPSE_MISUSE, "later version");
  copse_options shorter = COPSE_OPTIONS_INIT;
  shorter.size = offsetof(copse_options, device);
  shorter.device = "never read";
  SUCCEEDS(copse_components_columns(2, COPSE_UINT32, u, v, 1, labels, &shorter, &error));
}

static void handles_are_null_after_an_error(void) {
  copse_edges* edges = (copse_edges*)&error;
  copse_labels* labels = (copse_labels*)&error;
  copse_options options = COPSE_OPTIONS_INIT;
  options.threads = 1;
  options.memory_limit = 100;
  const uint32_t u[] = {0}, v[] = {1};
  FAILS(copse_edges_new(1000, &options, &edges, &error), COPSE_OUT_OF_RESOURCES, "100");
  CHECK(edges == NULL);
  FAILS(copse_edges_finish(NULL, &labels, &error), COPSE_MISUSE, "edges must not be NULL");
  CHECK(labels == NULL);
  FAILS(copse_edges_add(NULL, COPSE_UINT32, u, v, 1, &error), COPSE_MISUSE, "edges must not be NULL");
  FAILS(copse_edges_new(COPSE_ANY_VERTICES, NULL, NULL, &error), COPSE_MISUSE, "edges must not be NULL");
  options.memory_limit = 0;
  options.variant = "serial.none.fast";
  FAILS(copse_edges_new(COPSE_ANY_VERTICES, &options, &edges, &error), COPSE_MISUSE, "the variant must be auto for");
  copse_edges_free(NULL);
  copse_labels_free(NULL);
  copse_incremental_free(NULL);
  copse_forest_free(NULL);
  copse_partial_free(NULL);
  uint64_t count = 1;
  copse_labels_count(NULL, &count, NULL);
  CHECK(count == 0);
}

/* Where the CPU does all, no other device is taken in silence. */
static void devices_without_a_use_are_refused(void) {
  const char* const others[] = {"cuda", "cuda:0", "hybrid", "toaster"};
  copse_options options = COPSE_OPTIONS_INIT;
  copse_edges* edges = NULL;
  copse_partial* merged = NULL;
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    options.device = others[i];
    FAILS(copse_edges_new(COPSE_ANY_VERTICES, &options, &edges, &error), COPSE_MISUSE, "must be cpu or auto for edges");
    CHECK(edges == NULL && strstr(error.text, others[i]) != NULL);
    FAILS(copse_partial_merge(NULL, 0, &options, &merged, &error), COPSE_MISUSE, "must be cpu or auto for parts");
  }
  options.device = "auto";
  SUCCEEDS(copse_edges_new(COPSE_ANY_VERTICES, &options, &edges, &error));
  copse_edges_free(edges);
  options.variant = "serial.none.fast";
  FAILS(copse_partial_merge(NULL, 0, &options, &merged, &error), COPSE_MISUSE, "variant");
}

static void a_batch_that_is_refused_changes_nothing(void) {
  const int64_t u[] = {1, 5}, v[] = {2, 3}, negative[] = {-1};
  copse_edges* edges = NULL;
  copse_labels* labels = NULL;
  uint64_t vertices = 9;
  SUCCEEDS(copse_edges_new(COPSE_ANY_VERTICES, NULL, &edges, &error));
  SUCCEEDS(copse_edges_add(edges, COPSE_INT64, u, negative, 1, &error));
  FAILS(copse_edges_add(edges, COPSE_UINT64, v, negative, 1, &error), COPSE_BAD_INPUT, "18446744073709551615");
  SUCCEEDS(copse_edges_finish(edges, &labels, &error));
  copse_labels_count(labels, &vertices, NULL);
  CHECK(vertices == 2);
  copse_labels_free(labels);
  copse_edges_free(edges);
}

static void a_long_text_is_cut_at_a_letter(void) {
  copse_incremental* live = NULL;
  for (size_t shift = 0; shift < 2; ++shift) {
    char name[2002];
    memset(name, 'x', sizeof name);
    for (size_t i = shift; i + 2 < sizeof name; i += 2) memcpy(name + i, "\xC3\xA4", 2);
    name[2000 + shift] = '\0';
    CHECK(copse_incremental_open(name, NULL, &live, &error) != COPSE_OK);
    const size_t size = strlen(error.text);
    CHECK(size < sizeof error.text && size + 3 >= sizeof error.text);
    CHECK(strcmp(error.text + size - 3, "...") == 0);
    CHECK((unsigned char)error.text[size - 4] != 0xC3); /* half of a letter */
  }
}

struct calls {
  int progress, asked, cancel;
  char unit[16];
};
static void on_progress(void* context, const char* stage, uint64_t done, uint64_t total, const char* unit) {
  struct calls* calls = context;
  ++calls->progress;
  strncpy(calls->unit, unit, sizeof calls->unit - 1);
  (void)stage, (void)done, (void)total;
}
static int on_cancel(void* context) {
  struct calls* calls = context;
  ++calls->asked;
  return calls->cancel;
}

static void the_caller_is_told_and_can_cancel(void) {
  enum { vertices = 1 << 21 };
  uint32_t* edges = malloc(2 * vertices * sizeof *edges);
  uint32_t* labels = malloc(vertices * sizeof *labels);
  for (uint32_t i = 0; i < vertices; ++i) edges[i] = i, edges[vertices + i] = i / 2;
  struct calls calls = {0, 0, 0, ""};
  copse_options options = COPSE_OPTIONS_INIT;
  options.threads = 1;
  options.context = &calls;
  options.progress = on_progress;
  options.cancel = on_cancel;
  SUCCEEDS(copse_components_columns(vertices, COPSE_UINT32, edges, edges + vertices, vertices, labels, &options, &error));
  CHECK(labels[vertices - 1] == 0);
  CHECK(calls.asked > 0);
  calls.cancel = 1;
  FAILS(copse_components_columns(vertices, COPSE_UINT32, edges, edges + vertices, vertices, labels, &options, &error), COPSE_CANCELLED,
        "cancelled");

  calls.cancel = 0;
  copse_edges* all = NULL;
  SUCCEEDS(copse_edges_new(COPSE_ANY_VERTICES, &options, &all, &error));
  for (int batch = 0; batch < 4; ++batch) SUCCEEDS(copse_edges_add(all, COPSE_UINT32, edges, edges + vertices, vertices, &error));
  calls.cancel = 1;
  FAILS(copse_edges_add(all, COPSE_UINT32, edges, edges + vertices, vertices, &error), COPSE_CANCELLED, "cancelled");
  calls.cancel = 0;
  FAILS(copse_edges_add(all, COPSE_UINT32, edges, edges + vertices, vertices, &error), COPSE_MISUSE, "");
  copse_edges_free(all);
  CHECK(calls.progress > 0 && strcmp(calls.unit, "edges") == 0);
  free(edges);
  free(labels);
}

static void versions_agree(void) {
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", COPSE_VERSION_MAJOR, COPSE_VERSION_MINOR, COPSE_VERSION_PATCH);
  CHECK(strcmp(copse_version(), version) == 0);
  CHECK(copse_abi_version() == COPSE_ABI_VERSION);
  for (int status = COPSE_OK; status <= COPSE_FAILED; ++status) {
    for (int other = COPSE_OK; other < status; ++other) {
      CHECK(strcmp(copse_status_text((copse_status)status), copse_status_text((copse_status)other)) != 0);
    }
  }
  CHECK(copse_status_text((copse_status)99) != NULL);
}

int main(void) {
  misuse_is_told();
  structures_of_other_versions_are_read();
  handles_are_null_after_an_error();
  devices_without_a_use_are_refused();
  a_batch_that_is_refused_changes_nothing();
  a_long_text_is_cut_at_a_letter();
  the_caller_is_told_and_can_cancel();
  versions_agree();
  return failures != 0;
}
