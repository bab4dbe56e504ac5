/* What lwIP calls: time, random numbers, and the memory of its heap. */

#include <string.h>

#include "lwip/mem.h"
#include "lwip/sys.h"

#include "platform/memory.h"
#include "platform/tick.h"
#include "study.h"

/* lwIP puts a header before and one behind, and aligns the beginning. */
enum { HEAP_OVERHEAD_BYTES = 32 };

unsigned char lwip_heap[MEM_SIZE + HEAP_OVERHEAD_BYTES] DMA_MEMORY;

u32_t sys_now(void)
{
    return tick_ms();
}

/* Transaction numbers and ports, which must differ between boards rather than be unpredictable:
   xorshift32 (Marsaglia 2003) from the MAC address and the time of the first call. */
unsigned int lwip_rand(void)
{
    static const uint8_t mac_address[6] = { STUDY_MAC_ADDRESS };
    static uint32_t state;
    if (state == 0) {
        memcpy(&state, &mac_address[2], sizeof state);
        state ^= tick_ms() << 8 | 1u;
    }
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}
