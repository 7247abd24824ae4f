import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp, testVault } from '../../../../test/harness/app.ts'
import { createTestDatabase } from '../../../../test/harness/database.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { insertingAuthChanges } from '../callers/auth-changes.store.ts'
import type { TestClock } from './business-time.ts'
import { clockSubject, saveTestClock } from './test-clocks.store.ts'

const now = '2026-03-01T10:00:00.000Z'
const day = 24 * 3600_000
let here: TestApp
let there: TestApp
let moved: Person
let other: Person

beforeAll(async () => {
  const database = await createTestDatabase()
  const vault = testVault()
  ;[here, there] = await Promise.all([startTestApp({ database, vault, now }), startTestApp({ database, vault, now })])
  moved = await here.person()
  other = await here.person()
  for (const { organisationId } of [moved, other]) await here.openAccount(organisationId)
})
afterAll(() => Promise.all([here.close(), there.close()]))

const timeAt = async (app: TestApp, organisationId: OrganisationId, mode: Mode) =>
  (await app.runtime.clocks.nowOf({ organisationId, mode })).toISOString()
const workTimeAt = async (app: TestApp, organisationId: OrganisationId) =>
  (await app.runtime.clocks.forWork(app.runtime.db).nowOf({ organisationId, mode: 'sandbox' })).toISOString()

const save = (organisationId: OrganisationId, clock: TestClock) =>
  here.runtime.db.transaction(async (tx) => {
    await saveTestClock(tx, organisationId, clock)
    await tx.run(insertingAuthChanges([clockSubject(organisationId)]))
  })

test('a moved sandbox has its own time on every node, and nobody else has it', async () => {
  const { organisationId } = moved
  for (const app of [here, there]) expect(await timeAt(app, organisationId, 'sandbox')).toBe(now)
  const offset = { ms: 30 * day, reachedAt: new Date('2026-03-31T10:00:00.000Z') }
  await save(organisationId, { offset, next: undefined, moment: undefined })
  for (const app of [here, there])
    await eventually(async () => expect(await timeAt(app, organisationId, 'sandbox')).toBe('2026-03-31T10:00:00.000Z'))
  for (const app of [here, there]) {
    expect(await timeAt(app, organisationId, 'live')).toBe(now)
    expect(await timeAt(app, other.organisationId, 'sandbox')).toBe(now)
    expect(await workTimeAt(app, organisationId)).toBe('2026-03-31T10:00:00.000Z')
  }
})

test('background work sees the moment of a move at once, and callers do not', async () => {
  const { organisationId } = moved
  const offset = { ms: 30 * day, reachedAt: new Date('2026-03-31T10:00:00.000Z') }
  await save(organisationId, { offset, next: undefined, moment: new Date('2026-04-05T00:00:00.000Z') })
  for (const app of [here, there]) {
    expect(await workTimeAt(app, organisationId)).toBe('2026-04-05T00:00:00.000Z')
    expect(await timeAt(app, organisationId, 'sandbox')).toBe('2026-03-31T10:00:00.000Z')
  }
  await save(organisationId, { offset, next: undefined, moment: undefined })
})

test('once the time is cached, it needs no query', async () => {
  const { organisationId } = moved
  await eventually(async () => {
    await here.runtime.clocks.nowOf({ organisationId, mode: 'sandbox' })
    expect(here.runtime.clocks.nowOf({ organisationId, mode: 'sandbox' })).toBeInstanceOf(Date)
  })
})

test.each(['A', 'B'] as const)('form %s: what is created gets the time of its tenant', async (form) => {
  const buyerOf = async ({ token }: { token: string }) => {
    const address = { line1: '4 Bompai Road', city: 'Kano', country: 'NG' }
    const body = {
      A: { name: 'Kano Mills', email: 'accounts@kano.test', address },
      B: {
        partyName: 'Kano Mills',
        taxNumber: '20198222-0002',
        email: 'accounts@kano.test',
        phoneNumber: '+2348012345678',
        postalAddress: address,
      },
    }[form]
    const reply = await here.client(form).post('/i/v1/buyers', { token, body })
    expect(reply.status, reply.text).toBe(201)
    return reply.data.createdAt as string
  }
  expect(await buyerOf(moved)).toBe('2026-03-31T10:00:00.000Z')
  expect(await buyerOf(other)).toBe(now)
  expect(await buyerOf({ token: await here.key(moved.organisationId, { mode: 'live' }) })).toBe(now)
})
