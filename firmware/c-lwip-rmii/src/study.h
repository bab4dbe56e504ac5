/* What the study's metadata says of this build. The pipeline passes it on the command line, so that
   documents, measurements and firmware cannot disagree. */
#pragma once

#include <stdint.h>

#if !defined STUDY_CORE_HZ || !defined STUDY_HCLK_HZ || !defined STUDY_ICACHE || \
    !defined STUDY_DCACHE || !defined STUDY_MAC_ADDRESS || !defined STUDY_ECHO_PORT || \
    !defined STUDY_TELEMETRY_PORT
#error "build this firmware with cargo xtask build, which defines what Cargo.toml says of it"
#endif

enum {
    CORE_HZ = STUDY_CORE_HZ,
    HCLK_HZ = STUDY_HCLK_HZ,
    ECHO_PORT = STUDY_ECHO_PORT,
    TELEMETRY_PORT = STUDY_TELEMETRY_PORT,
};
