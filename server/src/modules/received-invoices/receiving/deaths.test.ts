import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventsAbout } from '../../../../../test/harness/purchases.ts'
import { receivers } from '../../../../../test/harness/receivers.ts'
import type { Authority } from '../../../jurisdictions/port.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { createRunner, type Runner } from '../../../platform/operations/runner.ts'
import { acknowledgeForTenant, followOneFeed, receiveForTenant } from './follow-feeds.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'], now: '2026-11-15T09:00:00Z' })
})
afterAll(() => app.close())

const { arrived, items, list, poll, receiver } = receivers(() => app)

type Question = 'pull' | 'download' | 'lookup' | 'acknowledge'
type When = 'before it asks' | 'when it was answered'

/**
 * A worker that loses its database connections at one moment: the authority has carried out its request, but the answer
 * is never written.
 */
function mortal(question: Question, when: When): { readonly runner: Runner; readonly isDead: () => boolean } {
  const db = openDatabase({ connection: app.database.url, poolSize: 2, onIdleError: () => {} })
  let dead: Promise<void> | undefined
  const die = () => {
    dead ??= db.end()
    return dead
  }
  const dying = (authority: Authority): Authority =>
    new Proxy(authority, {
      get: (target, name) => {
        const ask = Reflect.get(target, name) as unknown
        if (name !== question || typeof ask !== 'function') return typeof ask === 'function' ? ask.bind(target) : ask
        return async (...told: unknown[]) => {
          if (when === 'before it asks') await die()
          const answer: unknown = await ask.apply(target, told)
          await die()
          return answer
        }
      },
    })
  const { jurisdictions } = app.runtime.ports
  const authorityForWork: typeof jurisdictions.authorityForWork = (...asked) => {
    const found = jurisdictions.authorityForWork(...asked)
    return found && dying(found)
  }
  const ports = { ...app.runtime.ports, jurisdictions: { ...jurisdictions, authorityForWork } }
  return { runner: createRunner({ ...app.runtime, db, ports }), isDead: () => dead !== undefined }
}

const attempt = { number: 1, last: false }
const feed = { country: 'NG', mode: 'sandbox', access: 'installation' } as const

test.each<[Question, When]>([
  ['pull', 'when it was answered'],
  ['download', 'when it was answered'],
  ['lookup', 'before it asks'],
  ['lookup', 'when it was answered'],
  ['acknowledge', 'before it asks'],
  ['acknowledge', 'when it was answered'],
])('after a worker dies at its %s, %s, the document is stored once and acknowledged', async (question, when) => {
  const person = await receiver()
  await app.stopWork()
  const { organisationId } = person
  const tenant = { organisationId, mode: 'sandbox' as const }
  const irn = app.authority.control.receive({ buyerTin: person.taxId })
  const { runner, isDead } = mortal(question, when)
  try {
    const isFirstStep = question === 'pull' || question === 'download'
    if (!isFirstStep) await followOneFeed(app.runtime, app.runner).handle(feed, attempt)
    if (question === 'acknowledge') await receiveForTenant(app.runtime, app.runner).handle(tenant, attempt)
    const secondStep = question === 'acknowledge' ? acknowledgeForTenant : receiveForTenant
    const work = isFirstStep
      ? followOneFeed(app.runtime, runner).handle(feed, attempt)
      : secondStep(app.runtime, runner).handle(tenant, attempt)
    // A step over one item records the failure of that item and ends; a step over the whole feed fails.
    await Promise.allSettled([work])
    expect(isDead()).toBe(true)
    const held = await items(person)
    expect(held.length).toBe(question === 'acknowledge' ? 1 : 0)
    if (held[0]) expect(held[0]).toMatchObject({ transmissionStatus: 'transmitted' })
  } finally {
    await app.startWork()
  }
  await poll()
  const kept = await arrived(person, irn)
  const { data, body } = await list(person)
  expect([data.items.length, body.meta.pagination.total, data.sync.syncing]).toEqual([1, 1, false])
  expect(await eventsAbout(app, kept.id)).toHaveLength(1)
  const left = await app.runtime.db.rows(
    sql`select reference from received_arrivals where organisation_id = ${organisationId}`,
  )
  expect(left).toEqual([])
})
