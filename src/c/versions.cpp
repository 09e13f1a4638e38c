// Version numbers of the library and names of status codes, which need no other call before.
#include <copse.h>

const char* copse_version(void) { return COPSE_VERSION_TEXT; }

int copse_abi_version(void) { return COPSE_ABI_VERSION; }

const char* copse_status_text(copse_status status) {
  switch (status) {
    case COPSE_OK:
      return "done";
    case COPSE_MISUSE:
      return "misuse";
    case COPSE_BAD_INPUT:
      return "bad input";
    case COPSE_OUT_OF_RESOURCES:
      return "out of resources";
    case COPSE_CANCELLED:
      return "cancelled";
    case COPSE_FAILED:
      return "failed";
  }
  return "no status of copse";
}
