#include "session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "board.h"
#include "check.h"
#include "coverage.h"
#include "frames.h"
#include "mutate.h"
#include "peers.h"
#include "script.h"

enum { INPUTS_PER_SESSION = 5000, INPUTS_PER_PROBE = 250, LOG_BYTES = 32 << 20 };

/* What a session has played, for the process that outlives it; and the sums of all of them. */
static struct {
    struct peers_seen seen;
    size_t bytes;
    uint8_t script[LOG_BYTES];
} *log;

static void play(enum record_kind kind, uint8_t flags, uint32_t length, const uint8_t *frame)
{
    const size_t frame_bytes = kind == RECORD_FRAME ? length : 0;
    uint8_t *record = log->script + log->bytes;
    CHECK(log->bytes + sizeof(struct record) + frame_bytes <= sizeof log->script, "the log is full");
    record[0] = (uint8_t)kind;
    record[1] = flags;
    write_16(record + 2, length);
    if (frame_bytes > 0) {
        memcpy(record + sizeof(struct record), frame, frame_bytes);
    }
    log->bytes += sizeof(struct record) + frame_bytes;
    script_play_one(record, sizeof(struct record) + frame_bytes);
}

static void play_time(uint32_t ms)
{
    play(RECORD_TIME, 0, ms, NULL);
}

/* Long enough without an answer for a lease to end. */
static void play_silence(void)
{
    play(RECORD_CABLE, CABLE_PLUGGED_IN | CABLE_LEADS_NOWHERE, 0, NULL);
    for (int minutes = 0; minutes < 7; minutes++) {
        play_time(60000);
    }
    play(RECORD_CABLE, CABLE_PLUGGED_IN, 0, NULL);
}

static void play_event(struct random *random)
{
    static const uint16_t times_ms[] = { 1, 100, 500, 1000, 5000, 8000 };
    const uint32_t event = random_below(random, 2048);
    if (event < 16) {
        play(RECORD_CABLE, (uint8_t)random_below(random, 4), 0, NULL);
    } else if (event < 128) {
        play_time(times_ms[random_below(random, sizeof times_ms / sizeof times_ms[0])]);
    } else if (event < 144) {
        play(RECORD_CABLE, CABLE_PLUGGED_IN, 0, NULL);
        play_time(5000);
    } else if (event == 144) {
        play_silence();
    }
}

static void play_input(struct random *random)
{
    uint8_t frame[FRAME_SPACE_BYTES];
    const size_t bytes = mutate_frame(random, frame);
    /* Most frames are good ones that are answered at once. */
    uint8_t flags = random_below(random, 16) == 0 ? (uint8_t)random_below(random, 4) : 0;
    flags |= random_below(random, 8) == 0 ? FRAME_IN_BURST : 0;
    flags |= random_below(random, 8) == 0 ? FRAME_HOLDS_TRANSMITTER : 0;
    play(RECORD_FRAME, flags, (uint32_t)bytes, frame);
    if (coverage_is_new()) {
        mutate_keep(frame, bytes);
    }
}

static void play_session(struct random random, uint64_t inputs)
{
    board_start();
    for (uint64_t i = 1; i <= inputs; i++) {
        /* Every other session begins with a lease, and the others without an address. */
        if (i % INPUTS_PER_PROBE == 0 || (i == 1 && random_below(&random, 2) == 0)) {
            play(RECORD_PROBE, 0, 0, NULL);
        }
        play_event(&random);
        play_input(&random);
    }
    play(RECORD_PROBE, 0, 0, NULL);
    log->seen.frames += peers_seen.frames;
    log->seen.echoed += peers_seen.echoed;
    log->seen.telemetry += peers_seen.telemetry;
}

static void keep_script(const char *folder, uint64_t seed, uint64_t session)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/script-%" PRIu64 "-%" PRIu64, folder, seed, session);
    FILE *file = fopen(path, "wb");
    const bool is_kept = file != NULL && fwrite(log->script, 1, log->bytes, file) == log->bytes;
    if (!is_kept || fclose(file) != 0) {
        fprintf(stderr, "cannot write %s\n", path);
    } else {
        fprintf(stderr, "fuzz play %s shows it again\n", path);
    }
}

/* Whether the session found nothing. */
static bool run_session(uint64_t inputs, uint64_t seed, uint64_t session)
{
    log->bytes = 0;
    fflush(NULL);
    const pid_t child = fork();
    CHECK(child >= 0, "no process for a session");
    if (child == 0) {
        const struct random random = { .state = (seed + 1) * 0x9E3779B97F4A7C15u ^ (session + 1) << 20 };
        play_session(random, inputs);
        exit(EXIT_SUCCESS);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child, "a session is lost");
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int sessions_run(uint64_t inputs, uint64_t seed, const char *folder)
{
    log = mmap(NULL, sizeof *log, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(log != MAP_FAILED, "no memory for scripts");
    mutate_share();
    coverage_share();
    const double start = seconds();
    uint64_t session = 0;
    for (uint64_t left = inputs; left > 0; session++) {
        const uint64_t some = left < INPUTS_PER_SESSION ? left : INPUTS_PER_SESSION;
        if (!run_session(some, seed, session)) {
            keep_script(folder, seed, session);
            return EXIT_FAILURE;
        }
        left -= some;
    }
    const double took = seconds() - start;
    printf("%" PRIu64 " inputs in %" PRIu64 " sessions, %.0f a second: %u edges; %" PRIu64
           " frames sent, %" PRIu64 " of them echoes and %" PRIu64 " telemetry\n",
           inputs, session, (double)inputs / took, coverage_edges(), log->seen.frames,
           log->seen.echoed, log->seen.telemetry);
    return EXIT_SUCCESS;
}
