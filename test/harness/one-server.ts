import { inject, test } from 'vitest'

/**
 * A test about one PostgreSQL server: it reads a query plan, or makes a sequence or trigger that data servers do not have. Runs on a
 * Citus cluster leave it out.
 */
export const testOnOneServer = test.runIf(inject('workers').length === 0)
