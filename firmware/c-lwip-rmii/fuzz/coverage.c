#include "coverage.h"

#include <sys/mman.h>

#include "check.h"

enum { EDGES_MAX = 1 << 18 };

static struct {
    uint32_t edges;
    bool is_new;
    uint8_t reached[EDGES_MAX];
} *record;

static uint32_t previous;

void coverage_share(void)
{
    record = mmap(NULL, sizeof *record, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(record != MAP_FAILED, "no memory for coverage");
}

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    if (record == NULL) {
        return;
    }
    const uint32_t block = (uint32_t)(uintptr_t)__builtin_return_address(0) * 2654435761u >> 14;
    uint8_t *reached = &record->reached[(block ^ previous) % EDGES_MAX];
    previous = block >> 1;
    if (!*reached) {
        *reached = 1;
        record->edges++;
        record->is_new = true;
    }
}

bool coverage_is_new(void)
{
    const bool is_new = record->is_new;
    record->is_new = false;
    return is_new;
}

uint32_t coverage_edges(void)
{
    return record->edges;
}
