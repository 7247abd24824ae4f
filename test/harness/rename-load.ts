import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { sql } from '../../server/src/platform/database/sql.ts'
import type { TestApp } from './app.ts'
import type { Issuer } from './invoices.ts'

/** A name that only one request gives. */
export const renameTag = /\bRenamed-\d{6}\b/g

/**
 * Clients that rename organisations. On a cluster, each request writes on every server, because organisations have copies, and emits an event
 * on one of them: all in one transaction that commits in two phases.
 */
export function renameLoad(app: TestApp, owners: readonly Issuer[]) {
  const statuses = new Map<string, number>()
  let isOn = true

  async function rename({ token }: Issuer): Promise<void> {
    const name = `Renamed-${String(statuses.size).padStart(6, '0')}`
    statuses.set(name, 0)
    const { status, text } = await app.a.patch('/a/v1/organizations/me', { token, body: { name } })
    expect([200, 503], text).toContain(status)
    statuses.set(name, status)
  }
  const clients = Promise.all(
    owners.map(async (own) => {
      while (isOn) {
        await rename(own)
        await wait(5)
      }
    }),
  )
  clients.catch(() => {}) // the error is thrown when the caller awaits `callOff`

  return {
    /** the reply to the request that gave this name; 0 until then */
    statusOf: (name: string): number => statuses.get(name) ?? 0,
    async callOff(): Promise<void> {
      isOn = false
      await clients
    },
    /** Every acknowledged request has one event. No request has two. Returns how many were acknowledged. */
    async expectAllEmitted(): Promise<number> {
      const events = await app.owner.rows<{ name: string; count: number }>(sql`
        select data ->> 'name' as name, count(*)::int as count from events where type = 'organization.updated' group by 1`)
      const counts = new Map(events.map(({ name, count }) => [name, count]))
      const acknowledged = [...statuses].filter(([, status]) => status === 200).map(([name]) => name)
      expect(acknowledged.filter((name) => counts.get(name) !== 1)).toEqual([])
      expect(events.filter(({ count }) => count > 1)).toEqual([])
      return acknowledged.length
    },
  }
}
