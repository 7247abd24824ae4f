import { createOutbound } from '../../server/src/platform/outbound/outbound-http.ts'

/**
 * Outbound HTTP for tests of single clients. It needs no close, because idle connections do not keep a process alive.
 */
export const outbound = createOutbound()
