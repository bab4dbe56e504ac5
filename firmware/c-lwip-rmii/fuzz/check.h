/* What the firmware must hold; when it does not, the run ends as it does for a sanitizer. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition, ...)                                            \
    do {                                                                 \
        if (!(condition)) {                                              \
            fprintf(stderr, "%s:%d: not %s: ", __FILE__, __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__);                                \
            fputc('\n', stderr);                                         \
            abort();                                                     \
        }                                                                \
    } while (0)
