/* fuzz run INPUTS SEED FOLDER  feeds that many frames, in sessions from a cold start, each in a process
                                of its own; a session that fails leaves its script in the folder
   fuzz play [SCRIPT]           plays a script, from standard input if none is named: to see a finding
                                again, and for fuzzers that feed a program (AFL)
   fuzz check                   checks that counters and buffers come out as they must */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "script.h"
#include "session.h"

enum { USAGE = 2, SCRIPT_BYTES_MAX = 64 << 20 };

static int play(FILE *file)
{
    uint8_t *script = malloc(SCRIPT_BYTES_MAX);
    if (file == NULL || script == NULL) {
        fprintf(stderr, "cannot read the script\n");
        return USAGE;
    }
    const size_t bytes = fread(script, 1, SCRIPT_BYTES_MAX, file);
    script_play(script, bytes);
    free(script);
    return EXIT_SUCCESS;
}

int main(int count, char **words)
{
    const char *command = count > 1 ? words[1] : "";
    if (count == 5 && strcmp(command, "run") == 0) {
        return sessions_run(strtoull(words[2], NULL, 10), strtoull(words[3], NULL, 10), words[4]);
    }
    if (count <= 3 && strcmp(command, "play") == 0) {
        return play(count == 3 ? fopen(words[2], "rb") : stdin);
    }
    if (count == 2 && strcmp(command, "check") == 0) {
        counts_check();
        return EXIT_SUCCESS;
    }
    fprintf(stderr, "usage: fuzz run INPUTS SEED FOLDER | fuzz play [SCRIPT] | fuzz check\n");
    return USAGE;
}
