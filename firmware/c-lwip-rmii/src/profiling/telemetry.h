#pragma once

#ifdef STUDY_FEATURE_PROFILING

/* Answers telemetry requests on the study's telemetry port. The network must have been started. */
void telemetry_start(void);

#else

static inline void telemetry_start(void)
{
}

#endif
