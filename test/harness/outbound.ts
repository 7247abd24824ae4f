import { createOutbound } from '../../server/src/platform/outbound/outbound-http.ts'

/** The way out for tests of single clients. It need not be closed: connections that are idle keep no process from ending. */
export const outbound = createOutbound()
