import { setTimeout as wait } from 'node:timers/promises'
import type { SystemCaller } from '../../server/src/kernel/callers.ts'
import { newId, type OrganisationId } from '../../server/src/kernel/ids.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { operation } from '../../server/src/platform/operations/operation.ts'

const told = {
  buyerId: 'b',
  name: 'B',
  taxId: null,
  taxIdType: 'national',
  taxIdStatus: 'unverified',
  changed: ['name'],
} as const

/** Emits `count` events and commits later than transactions that began after it. */
export const tellingOf = (organisationId: OrganisationId, chance: () => number) =>
  operation<SystemCaller, number, void>({ needs: [], refuses: [] }, async ({ tx, emit }, many) => {
    // Takes a transaction number here. Other transactions with later numbers commit first.
    await tx.run(sql`select pg_current_xact_id()`)
    await wait(chance() * 40)
    for (let version = 1; version <= many; version++)
      emit('buyer.updated', { organisationId, mode: 'sandbox', objectId: newId(), version }, told)
  })
