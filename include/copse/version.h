/* The version of copse, for C and C++: `#if COPSE_VERSION >= 200` is true from 0.2.0 on. */
#ifndef COPSE_VERSION_H
#define COPSE_VERSION_H

#define COPSE_VERSION_MAJOR 0
#define COPSE_VERSION_MINOR 1
#define COPSE_VERSION_PATCH 0

/* 10000 for each major version, 100 for each minor one. */
#define COPSE_VERSION (COPSE_VERSION_MAJOR * 10000 + COPSE_VERSION_MINOR * 100 + COPSE_VERSION_PATCH)

/* "0.1.0" */
#define COPSE_VERSION_QUOTED(number) #number
#define COPSE_VERSION_JOINED(major, minor, patch) COPSE_VERSION_QUOTED(major) "." COPSE_VERSION_QUOTED(minor) "." COPSE_VERSION_QUOTED(patch)
#define COPSE_VERSION_TEXT COPSE_VERSION_JOINED(COPSE_VERSION_MAJOR, COPSE_VERSION_MINOR, COPSE_VERSION_PATCH)

#endif
