#include "mutate.h"

#include <string.h>
#include <sys/mman.h>

#include "check.h"
#include "frames.h"
#include "seeds.h"

enum { KEPT_MAX = 2048, MUTATIONS_MAX = 6, HEADERS_BYTES = 60 };

static struct kept {
    size_t count;
    struct {
        size_t bytes;
        uint8_t frame[1600];
    } frames[KEPT_MAX];
} *kept;

/* xorshift64* (Vigna 2016) */
uint32_t random_below(struct random *random, uint32_t limit)
{
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return (uint32_t)(((random->state * 2685821657736338717u) >> 32) * limit >> 32);
}

void mutate_share(void)
{
    kept = mmap(NULL, sizeof *kept, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(kept != MAP_FAILED, "no memory for frames");
}

void mutate_keep(const uint8_t *frame, size_t bytes)
{
    if (bytes > sizeof kept->frames[0].frame) {
        return;
    }
    const size_t slot = kept->count++ % KEPT_MAX;
    kept->frames[slot].bytes = bytes;
    memcpy(kept->frames[slot].frame, frame, bytes);
}

static size_t pick(struct random *random, uint8_t *frame)
{
    const uint32_t count = (uint32_t)(kept->count < KEPT_MAX ? kept->count : KEPT_MAX);
    if (count == 0 || random_below(random, 3) > 0) {
        return seed_frame(random, frame);
    }
    const uint32_t slot = random_below(random, count);
    memcpy(frame, kept->frames[slot].frame, kept->frames[slot].bytes);
    return kept->frames[slot].bytes;
}

/* Bytes at the edges of what lengths, counts and flags may be. */
static uint8_t edge(struct random *random)
{
    static const uint8_t edges[] = { 0, 1, 4, 7, 8, 14, 20, 27, 28, 63, 64, 127, 128, 240, 254, 255 };
    return edges[random_below(random, sizeof edges)];
}

/* Headers are hit more often than data. */
static size_t position(struct random *random, size_t bytes)
{
    const uint32_t limit = (uint32_t)bytes;
    return random_below(random, limit > HEADERS_BYTES && random_below(random, 4) > 0 ? HEADERS_BYTES : limit);
}

/* Takes bytes out, or puts some in that stand somewhere in the frame. */
static size_t resize(struct random *random, uint8_t *frame, size_t bytes)
{
    const size_t at = position(random, bytes);
    size_t count = 1 + random_below(random, 40);
    if (random_below(random, 2) == 0) {
        count = count < bytes - at ? count : bytes - at;
        memmove(frame + at, frame + at + count, bytes - at - count);
        return bytes - count;
    }
    if (bytes + count > FRAME_SPACE_BYTES - 1) {
        return bytes;
    }
    memmove(frame + at + count, frame + at, bytes - at);
    for (size_t i = 0; i < count; i++) {
        frame[at + i] = frame[position(random, bytes)];
    }
    return bytes + count;
}

static size_t mutate_once(struct random *random, uint8_t *frame, size_t bytes)
{
    uint8_t *at = frame + position(random, bytes);
    switch (random_below(random, 9)) {
    case 0:
        *at ^= (uint8_t)(1u << random_below(random, 8));
        return bytes;
    case 1:
        *at = (uint8_t)random_below(random, 256);
        return bytes;
    case 2:
        *at = edge(random);
        return bytes;
    case 3:
        *at = (uint8_t)(*at + random_below(random, 5) - 2);
        return bytes;
    case 4: /* a 16-bit field */
        if (at + 1 < frame + bytes) {
            write_16(at, random_below(random, 2) ? edge(random) : random_below(random, 1600));
        }
        return bytes;
    case 5:
        return 1 + random_below(random, (uint32_t)bytes);
    case 6:
        return resize(random, frame, bytes);
    case 7: { /* the head of one frame and the tail of another one */
        uint8_t other[FRAME_SPACE_BYTES];
        const size_t other_bytes = pick(random, other);
        const size_t from = position(random, bytes);
        if (from < other_bytes) {
            memcpy(frame + from, other + from, other_bytes - from);
            return other_bytes;
        }
        return bytes;
    }
    default: { /* a piece somewhere else once more */
        const size_t count = 1 + random_below(random, 8);
        const size_t from = position(random, bytes);
        if (from + count <= bytes && at + count <= frame + bytes) {
            memmove(at, frame + from, count);
        }
        return bytes;
    }
    }
}

/* Lengths that agree with the frame's, so that what is wrong elsewhere is looked at. */
static void fit_lengths(uint8_t *frame, size_t bytes)
{
    uint8_t *ip = frame + ETHERNET_BYTES;
    if (bytes < ETHERNET_BYTES + IPV4_BYTES + UDP_BYTES || read_16(frame + 12) != ETHERTYPE_IPV4) {
        return;
    }
    const size_t header_bytes = (ip[0] & 15u) * 4u;
    write_16(ip + 2, (uint32_t)(bytes - ETHERNET_BYTES));
    if (ip[9] == PROTOCOL_UDP && ETHERNET_BYTES + header_bytes + UDP_BYTES <= bytes) {
        write_16(ip + header_bytes + 4, (uint32_t)(bytes - ETHERNET_BYTES - header_bytes));
    }
}

size_t mutate_frame(struct random *random, uint8_t *frame)
{
    size_t bytes = pick(random, frame);
    for (uint32_t left = random_below(random, MUTATIONS_MAX); left > 0 && bytes > 0; left--) {
        bytes = mutate_once(random, frame, bytes);
    }
    if (random_below(random, 2) == 0) {
        fit_lengths(frame, bytes);
    }
    return bytes;
}
