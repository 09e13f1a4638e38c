/* The checks of a test in C: each that fails is told, with its line, and counted. */
#ifndef COPSE_TESTS_C_CHECK_H
#define COPSE_TESTS_C_CHECK_H

#include <copse.h>
#include <stdio.h>
#include <string.h>

static int failures;

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("%s:%d: found it false: %s\n", __FILE__, __LINE__, #condition);   \
      ++failures;                                                              \
    }                                                                          \
  } while (0)

/* A call that takes &error. */
#define SUCCEEDS(call)                                                                         \
  do {                                                                                         \
    if ((call) != COPSE_OK) {                                                                  \
      printf("%s:%d: found %d: %s\n", __FILE__, __LINE__, (int)error.status, error.text);      \
      ++failures;                                                                              \
    }                                                                                          \
    CHECK(error.status == COPSE_OK && error.text[0] == '\0');                                  \
  } while (0)

/* A call that takes &error and fails with a status and a text that has `part` in it. */
#define FAILS(call, expected, part)                                                            \
  do {                                                                                         \
    const copse_status found = (call);                                                         \
    if (found != (expected) || error.status != found || strstr(error.text, (part)) == NULL) {  \
      printf("%s:%d: found %d: %s, expected %d: %s\n", __FILE__, __LINE__, (int)found, error.text, (int)(expected), part); \
      ++failures;                                                                              \
    }                                                                                          \
  } while (0)

#define EQUAL(found, ...)                                                          \
  do {                                                                             \
    const uint64_t expected[] = {__VA_ARGS__};                                     \
    for (size_t k = 0; k < sizeof expected / sizeof *expected; ++k) CHECK((uint64_t)(found)[k] == expected[k]); \
  } while (0)

#endif
