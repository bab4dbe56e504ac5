#pragma once

/* Serves UDP echo (RFC 862) on the study's echo port. The network must have been started. */
void echo_start(void);
