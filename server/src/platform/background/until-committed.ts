import { setTimeout as wait } from 'node:timers/promises'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Database } from '../database/database.ts'
import { listPrepared } from './prepared.store.ts'

const lookAgainMs = 50
/** Citus ends what a broken connection left prepared once a minute. */
const patienceMs = 90_000

/**
 * Citus commits on the coordinator before the workers. So a job can be seen before the rows that were written with it. Waits until the
 * server of its organisation has ended the transactions that it has prepared.
 */
export async function untilCommitted(db: Database, payload: object): Promise<void> {
  const { organisationId } = payload as { organisationId?: OrganisationId }
  if (organisationId === undefined || !(await db.isDistributed())) return
  const prepared = async () => (await listPrepared(db, organisationId)).map(({ gid }) => gid)
  const before = new Set(await prepared())
  for (const beganAt = performance.now(); before.size > 0; await wait(lookAgainMs)) {
    const now = new Set(await prepared())
    for (const gid of before) if (!now.has(gid)) before.delete(gid)
    if (performance.now() > beganAt + patienceMs) throw new Error('a transaction of the organisation is still prepared')
  }
}
