import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Person, startTestApp, type TestApp, testVault } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { passTime } from '../../../../test/harness/pass-time.ts'
import type { TokenCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Clock, SettableClock, systemClock } from '../clock.ts'
import { type Database, openDatabase } from '../database/database.ts'
import type { Sql } from '../database/sql.ts'
import { silentLogger } from '../logger.ts'
import { insertingAuthChanges } from './auth-changes.store.ts'
import { type Authenticated, type Authentication, createAuthentication } from './authentication.ts'

const promisedMs = 1000

/** Asks until the answer is the hoped-for one; says whether it came within the promised time. */
async function withinPromise(ask: () => Promise<boolean>): Promise<boolean> {
  const began = performance.now()
  for (;;) {
    const sentAfterMs = performance.now() - began
    if (await ask()) return true
    if (sentAfterMs >= promisedMs) return false
    await wait(10)
  }
}

describe('two nodes on one database', () => {
  let database: TestDatabase
  let here: TestApp
  let there: TestApp
  let sql: pg.Client

  beforeAll(async () => {
    database = await createTestDatabase()
    const vault = testVault()
    ;[here, there] = await Promise.all([startTestApp({ database, vault }), startTestApp({ database, vault })])
    sql = new pg.Client(database.url)
    await sql.connect()
  })
  afterAll(async () => {
    await sql.end()
    await Promise.all([here.close(), there.close()])
  })

  const me = (app: TestApp, token: string) => app.a.get('/a/v1/auth/me', { token })
  const isServed = async (app: TestApp, { token }: { token: string }) => (await me(app, token)).status === 200
  const isRefused = async (app: TestApp, { token }: { token: string }) => (await me(app, token)).status === 401
  const sessionOf = async ({ token }: Person): Promise<string> =>
    (await here.a.get('/a/v1/auth/sessions', { token })).data[0].id

  /** Waits until the node has read the log of changes as it is now. */
  async function hasLooked(app: TestApp): Promise<void> {
    const subject = `key:${randomUUID()}`
    const heard = Promise.withResolvers<void>()
    app.runtime.authentication.listen((subjects) => {
      if (subjects?.includes(subject)) heard.resolve()
    })
    await here.runtime.db.transaction((tx) => tx.run(insertingAuthChanges([subject])))
    await heard.promise
  }

  test('once the caller is cached, a request needs no database query', async () => {
    const person = await here.person()
    expect(await isServed(here, person)).toBe(true)
    const { db } = here.runtime
    const asked: string[] = []
    const spies = (['rows', 'maybe', 'one', 'run'] as const).map((name) => {
      const real = db[name] as (statement: Sql) => Promise<never>
      return vi.spyOn(db, name).mockImplementation((statement: Sql) => {
        asked.push(statement.text)
        return real(statement)
      })
    })
    let connectionsTaken = 0
    const take = () => connectionsTaken++
    db.pool.on('acquire', take)
    for (let count = 0; count < 200; count++) expect((await me(here, person.token)).status).toBe(200)
    db.pool.off('acquire', take)
    for (const spy of spies) spy.mockRestore()

    // None, but for a pause of this very process of a second and more: then it asks once.
    expect(asked.filter((text) => /sessions|users|memberships|api_keys/.test(text)).length).toBeLessThan(5)
    // What is left: the limiter's lease.
    expect(connectionsTaken).toBeLessThan(20)
  })

  test('an ended session is refused at once by that node, and by others within a second', async () => {
    const person = await here.person()
    expect(await isServed(there, person)).toBe(true)
    expect((await here.a.post('/a/v1/auth/logout', { token: person.token })).status).toBe(200)
    expectRefusal(await me(here, person.token), 'auth.token_invalid')
    expect(await withinPromise(() => isRefused(there, person))).toBe(true)
  })

  test('the node that ended a session refuses it without waiting for the notification', async () => {
    const person = await here.person()
    await here.runtime.authentication.stop() // from here on it hears of nothing, and trusts its memory for a second
    expect(await isServed(here, person)).toBe(true)
    await here.a.post('/a/v1/auth/logout', { token: person.token })
    expect(await isRefused(here, person)).toBe(true)
    await here.runtime.authentication.start()
  })

  test('a change with an early number and a late commit is not missed', async () => {
    const [early, late] = [await here.person(), await here.person()]
    const sessionId = await sessionOf(early)
    expect(await isServed(there, early)).toBe(true)
    expect(await isServed(there, late)).toBe(true)

    await sql.query('begin')
    await sql.query('update sessions set ended_at = now() where id = $1', [sessionId])
    await sql.query('insert into auth_changes (subject) values ($1)', [`session:${sessionId}`])
    await here.a.post('/a/v1/auth/logout', { token: late.token })
    expect(await withinPromise(() => isRefused(there, late))).toBe(true)
    for (let looks = 0; looks < 2; looks++) await hasLooked(there)
    expect(await isServed(there, early)).toBe(true)

    await sql.query('commit')
    expect(await withinPromise(() => isRefused(there, early))).toBe(true)
  })

  test('a change that was rolled back changes nothing', async () => {
    const person = await here.person()
    const sessionId = await sessionOf(person)
    await sql.query('begin')
    await sql.query('update sessions set ended_at = now() where id = $1', [sessionId])
    await sql.query('insert into auth_changes (subject) values ($1)', [`session:${sessionId}`])
    await sql.query('rollback')
    await hasLooked(there)
    expect(await isServed(there, person)).toBe(true)
  })

  test('a revoked key is refused by other nodes within a second', async () => {
    const { organisationId } = await here.person()
    const token = await here.key(organisationId)
    const { data } = await me(there, token)
    await sql.query('begin')
    await sql.query('update api_keys set revoked_at = now() where id = $1', [data.apiKey.id])
    await sql.query('insert into auth_changes (subject) values ($1)', [`key:${data.apiKey.id}`])
    await sql.query('commit')
    expect(await withinPromise(() => isRefused(there, { token }))).toBe(true)
  })
})

describe('the cache of callers', () => {
  let db: Database
  const started: Authentication[] = []

  beforeAll(async () => {
    db = openDatabase({ connection: (await createTestDatabase()).url })
  })
  afterAll(async () => {
    await Promise.all(started.map((authentication) => authentication.stop()))
    await db.end()
  })

  const foundFor = (subject: string): Authenticated => ({
    caller: { kind: 'api_key', name: subject } as TokenCaller,
    validUntil: undefined,
    subjects: [subject],
    limits: [],
  })
  const newSubject = () => `key:${randomUUID()}`
  const change = (subject: string) => db.transaction((tx) => tx.run(insertingAuthChanges([subject])))

  /** An authentication whose loads are counted, and can be held up or refused. */
  async function counted(
    loading: (token: string) => Promise<Authenticated>,
    { mostCallers, clock = systemClock }: { mostCallers?: number; clock?: Clock } = {},
  ) {
    const loads: string[] = []
    const authentication = createAuthentication(
      db,
      (_, token) => {
        loads.push(token)
        return loading(token)
      },
      clock,
      silentLogger,
      mostCallers,
    )
    started.push(authentication)
    await authentication.start()
    return { authentication, loads, loadsOf: (token: string) => loads.filter((one) => one === token).length }
  }

  /** Until the link is up, each request is loaded. */
  async function settled(authentication: Authentication, loadsOf: (token: string) => number): Promise<void> {
    const token = randomUUID()
    await eventually(async () => {
      const before = loadsOf(token)
      await authentication.authenticate(token)
      expect(loadsOf(token)).toBe(before)
    })
  }

  test('loads an unknown caller once for concurrent requests, and again after a change', async () => {
    const subject = newSubject()
    const held = Promise.withResolvers<void>()
    const { authentication, loadsOf } = await counted(async () => {
      await held.promise
      return foundFor(subject)
    })
    const token = randomUUID()
    const asked = Array.from({ length: 50 }, () => authentication.authenticate(token))
    expect(loadsOf(token)).toBe(1)
    authentication.forget([subject])
    asked.push(authentication.authenticate(token), authentication.authenticate(token))
    expect(loadsOf(token)).toBe(2)
    held.resolve()
    expect(await Promise.all(asked)).toHaveLength(52)
  })

  test('serves many requests with one query', async () => {
    const subject = newSubject()
    const { authentication, loadsOf } = await counted(async () => foundFor(subject))
    await settled(authentication, loadsOf)
    const found = await authentication.authenticate('token')
    for (let count = 0; count < 50; count++) expect(await authentication.authenticate('token')).toBe(found)
    expect(loadsOf('token')).toBe(1)
  })

  test('compares whole tokens, even if two end alike', async () => {
    const { authentication, loadsOf } = await counted(async (token) => foundFor(`key:${token}`))
    await settled(authentication, loadsOf)
    const end = 'e'.repeat(400)
    const [one, other] = [`one ${end}`, `other ${end}`]
    for (const token of [one, other, one, other])
      expect((await authentication.authenticate(token)).subjects).toEqual([`key:${token}`])
    expect(authentication.recall(one)).toBeUndefined()
    authentication.forget([`key:${other}`])
    expect(authentication.recall(other)).toBeUndefined()
  })

  test('holds a limited number of callers, and then replaces the oldest entry', async () => {
    const most = 500
    const { authentication, loadsOf } = await counted(async (token) => foundFor(`key:${token}`), {
      mostCallers: most,
    })
    await settled(authentication, loadsOf)
    const isKnown = async (token: string) => {
      const before = loadsOf(token)
      await authentication.authenticate(token)
      return loadsOf(token) === before
    }
    /** Nothing is known after a moment in which nobody confirmed it, which a busy machine may have. */
    async function isFirstForgotten(others: number): Promise<boolean> {
      for (let round = 0; round < 10; round++) {
        await authentication.authenticate(`first ${round}`)
        await authentication.authenticate(`second ${round}`)
        for (let nth = 0; nth < others; nth++) await authentication.authenticate(`${round} ${nth}`)
        if (await isKnown(`second ${round}`)) return !(await isKnown(`first ${round}`))
      }
      throw new Error('it was never confirmed for long enough')
    }
    expect(await isFirstForgotten(most - 2)).toBe(false)
    expect(await isFirstForgotten(most - 1)).toBe(true)
  })

  test.each(['on this node', 'elsewhere'])('does not keep data that was read before a change %s', async (where) => {
    const subject = newSubject()
    let gate: Promise<void> = Promise.resolve()
    const { authentication, loadsOf } = await counted(async (token) => {
      if (token === 'slow') await gate
      return foundFor(subject)
    })
    await settled(authentication, loadsOf)
    const held = Promise.withResolvers<void>()
    gate = held.promise
    await authentication.authenticate('witness')
    const slow = authentication.authenticate('slow')
    if (where === 'on this node') authentication.forget([subject])
    else await change(subject)
    // The change has arrived here when the witness, who depends on the same subject, is looked up again.
    await eventually(async () => {
      await authentication.authenticate('witness')
      expect(loadsOf('witness')).toBe(2)
    })
    held.resolve()
    await slow
    expect(loadsOf('slow')).toBe(1)
    await authentication.authenticate('slow')
    expect(loadsOf('slow')).toBe(2)
    await authentication.authenticate('slow')
    expect(loadsOf('slow')).toBe(2)
  })

  test('is not used if it was not confirmed for a second', async () => {
    const { authentication, loadsOf } = await counted(async () => foundFor(newSubject()))
    await settled(authentication, loadsOf)
    await authentication.authenticate('token')
    await authentication.stop()
    passTime(promisedMs)
    await authentication.authenticate('token')
    await authentication.authenticate('token')
    expect(loadsOf('token')).toBe(3)
  })

  test('is not trusted after a gap, even if the log was purged', async () => {
    const subject = newSubject()
    let isRevoked = false
    const { authentication, loadsOf } = await counted(async (token) => {
      if (token === 'token' && isRevoked) throw refuse('auth.token_invalid')
      return foundFor(subject)
    })
    await settled(authentication, loadsOf)
    await authentication.authenticate('token')
    await authentication.stop()
    isRevoked = true // and its row in the log is purged already
    passTime(promisedMs)
    const wallClock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + promisedMs + 1)
    onTestFinished(() => wallClock.mockRestore())
    await authentication.start()
    await settled(authentication, loadsOf)
    await expect(authentication.authenticate('token')).rejects.toMatchObject({ refusal: 'auth.token_invalid' })
  })

  test('expires with the token', async () => {
    const clock = new SettableClock(new Date())
    const validUntil = () => new Date(clock.now().getTime() + 150)
    const { authentication, loadsOf } = await counted(
      async () => ({ ...foundFor(newSubject()), validUntil: validUntil() }),
      { clock },
    )
    await settled(authentication, loadsOf)
    await authentication.authenticate('token')
    clock.advance({ seconds: 1 })
    await authentication.authenticate('token')
    expect(loadsOf('token')).toBe(2)
  })

  test('is not used while the database is unreachable', async () => {
    let isReachable = true
    const { authentication, loadsOf } = await counted(async () => {
      if (!isReachable) throw new Error('Connection terminated unexpectedly')
      return foundFor(newSubject())
    })
    await settled(authentication, loadsOf)
    await authentication.authenticate('token')
    await authentication.stop()
    isReachable = false
    passTime(promisedMs)
    await expect(authentication.authenticate('token')).rejects.toThrow('Connection terminated')
  })
})
