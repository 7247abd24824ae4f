import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { sql } from '../../platform/database/sql.ts'
import { statusOf } from './api-key.ts'
import { countUsableKeys, listApiKeys } from './api-keys.store.ts'

// ADR 15 lists the rules that stand twice, in TypeScript and in SQL.

let app: TestApp
let owner: Person
beforeAll(async () => {
  app = await startTestApp()
  owner = await app.person()
  await app.key(owner.organisationId)
})
afterAll(() => app.close())

const now = new Date('2026-11-19T12:00:00Z')
const times = [null, -2, -1, 0, 1, 2].map((hours) =>
  hours === null ? null : new Date(now.getTime() + hours * 3600_000),
)

/** Every order of the three ends of a key around one moment. */
const ends = [null, new Date(now.getTime() - 1)].flatMap((revokedAt) =>
  times.flatMap((stopsAt) => times.map((expiresAt) => ({ revokedAt, stopsAt, expiresAt }))),
)

test('a filter by status finds a key exactly if it has that status', async () => {
  const { organisationId } = owner
  const { db } = app.runtime
  for (const end of ends) {
    const { revokedAt, stopsAt, expiresAt } = end
    await app.owner.run(sql`
      update api_keys set revoked_at = ${revokedAt}, stops_at = ${stopsAt}, expires_at = ${expiresAt}
       where organisation_id = ${organisationId}`)
    const found: string[] = []
    for (const status of ['active', 'rotating', 'expired', 'revoked'] as const) {
      const { rows } = await listApiKeys(db, organisationId, { status }, now, { page: 1, limit: 10 })
      if (rows.length > 0) found.push(status)
    }
    const status = statusOf(end, now)
    expect({ end, found }).toEqual({ end, found: [status] })
    const usable = await db.transaction((tx) => countUsableKeys(tx, organisationId, now))
    expect({ end, usable }).toEqual({ end, usable: ['active', 'rotating'].includes(status) ? 1 : 0 })
  }
})
