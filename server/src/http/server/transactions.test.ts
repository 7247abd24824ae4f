import { randomUUID } from 'node:crypto'
import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { origin, type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, type Reply } from '../../../../test/harness/client.ts'
import type { KeyCaller, TokenCaller } from '../../kernel/callers.ts'
import { newId, type OrganisationId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import { CommitOutcomeUnknown, type Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { job } from '../../platform/jobs/jobs.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { createRunner, type EncodedReply } from '../../platform/operations/runner.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import { Fields } from '../definitions/fields.ts'
import { form } from '../definitions/form.ts'
import { defineRoute } from '../definitions/route-definition.ts'
import { answers as answersOfA } from '../form-a/answers.ts'
import { answers as answersOfB } from '../form-b/answers.ts'

interface Input {
  readonly how: string
  readonly name: string
}
const probeJob = job<{ name: string }>('probe-job', 'upkeep')

/** How often each request was tried, and where two of them meet. */
let tries: Map<string, number>
let waiting: number
let met: PromiseWithResolvers<void>
beforeEach(() => {
  tries = new Map()
  waiting = 0
  met = Promise.withResolvers()
})
/** Whether the two requests met: at least one of them was tried again. */
const triedAgain = () => Math.max(...tries.values()) > 1
async function meet(): Promise<void> {
  if (++waiting === 2) met.resolve()
  await met.promise
}

/** Emits an event, enqueues a job and writes a row; then ends in the requested way. */
async function act({ tx, emit, enqueue, caller }: Inside<TokenCaller>, { how, name }: Input) {
  const number = (tries.get(name) ?? 0) + 1
  tries.set(name, number)
  if (how === 'serializable') await tx.run(sql`set transaction isolation level serializable`)
  const { organisationId } = caller.tenant
  emit('organization.onboarding_completed', { organisationId, objectId: name }, { name })
  enqueue(probeJob, { name }, { dueAt: new Date(Date.now() + 3600_000) })
  await tx.run(sql`insert into notes (name) values (${name})`)
  switch (how) {
    case 'throw':
      throw refuse('state.changed')
    case 'return':
      return refuse('state.changed')
    case 'dangle':
      await tx.run(sql`insert into notes (name, parent) values (${name}, ${newId()})`)
      break
    case 'die':
      await tx.run(sql`insert into deaths (name) values (${name})`)
      break
    case 'always':
      await tx.run(sql`select raise_serialization_failure()`)
      break
    case 'ab':
    case 'ba': {
      await tx.run(sql`select notice_deadlocks_soon()`)
      await tx.run(sql`update counters set value = value + 1 where name = ${how.slice(0, 1)}`)
      await meet()
      await tx.run(sql`update counters set value = value + 1 where name = ${how.slice(1)}`)
      break
    }
    case 'serializable': {
      const { value } = await tx.one<{ value: number }>(sql`select value from counters where name = 's'`)
      await meet()
      await tx.run(sql`update counters set value = ${value + 1} where name = 's'`)
      break
    }
  }
  return { number }
}

const facts = { needs: [], refuses: ['state.changed'] } as const
const doing = operation(facts, act)
const routes = { probe: { act: defineRoute('POST', '/p/v1/act', 'token', doing, { summary: 'Act' }) } }
const probe = {
  act: describeRoute(routes.probe.act, {
    status: 200,
    body: Fields({ how: Type.String(), name: Type.String() }),
    reply: Fields({ number: Type.Integer() }),
    decode: ({ body }) => body,
    encode: (output) => output,
  }),
}
const about = { title: 'Probe', description: 'Probe.' }
const forms = [
  form(routes, { ...about, name: 'A', prefix: '', answers: answersOfA }, { probe }),
  form(routes, { ...about, name: 'B', prefix: '/form-b', answers: answersOfB }, { probe }),
]

let app: TestApp
let person: Person
beforeAll(async () => {
  app = await startTestApp({ forms })
  person = await app.person()
  await app.owner.pool.query(`
    create table notes (id uuid primary key default gen_random_uuid(), name text, at timestamptz default clock_timestamp(),
      parent uuid references notes deferrable initially deferred);
    create table counters (name text primary key, value int not null);
    insert into counters values ('a', 0), ('b', 0), ('s', 0);
    create table deaths (name text);
    create function die() returns trigger language plpgsql as
      $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
    create constraint trigger die_at_commit after insert on deaths deferrable initially deferred
      for each row execute function die();
    create function notice_deadlocks_soon() returns text language sql security definer as
      $$ select set_config('deadlock_timeout', '20ms', true) $$;
    create function raise_serialization_failure() returns void language plpgsql as
      $$ begin raise exception 'again' using errcode = '40001'; end $$`)
})
afterAll(() => app.close())

/** What is there of one request: rows, events, jobs and kept answers. */
async function traces(name: string, key = ''): Promise<object> {
  const { rows } = await app.runtime.db.pool.query(
    `select (select count(*)::int from notes where name = $1) as notes,
            (select count(*)::int from events where data->>'name' = $1) as events,
            (select count(*)::int from jobs where payload->>'name' = $1) as jobs,
            (select count(*)::int from idempotency_keys where key = $2) as keys`,
    [name, key],
  )
  return rows[0]
}
const nothing = { notes: 0, events: 0, jobs: 0, keys: 0 }
const once = { notes: 1, events: 1, jobs: 1, keys: 0 }
const counter = async (name: string): Promise<number> =>
  (await app.runtime.db.pool.query('select value from counters where name = $1', [name])).rows[0].value
const isReplay = ({ headers }: Reply) => headers.get('idempotent-replayed') === 'true'

describe.each(['A', 'B'] as const)('Form %s', (form) => {
  const send = (how: string, name: string, key?: string) =>
    app.client(form).post('/p/v1/act', {
      token: person.token,
      body: { how, name },
      headers: key === undefined ? {} : { 'idempotency-key': key },
    })
  /** For answers that no document names. */
  const sendPlainly = async (how: string, name: string, key: string) => {
    const response = await fetch(`${app.client(form).url}/p/v1/act`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ how, name }),
    })
    return [response.status, response.headers.get('risiti-reason')]
  }

  test('effect, events and jobs are written together, once', async () => {
    const [name, key] = [randomUUID(), randomUUID()]
    expect((await send('plainly', name)).data).toEqual({ number: 1 })
    expect(await traces(name)).toEqual(once)
    const other = randomUUID()
    await send('plainly', other, key)
    expect(isReplay(await send('plainly', other, key))).toBe(true)
    expect(await traces(other, key)).toEqual({ ...once, keys: 1 })
  })

  test('a thrown refusal rolls everything back', async () => {
    const [name, key] = [randomUUID(), randomUUID()]
    expectRefusal(await send('throw', name), 'state.changed')
    expectRefusal(await send('throw', name, key), 'state.changed')
    expect(await traces(name, key)).toEqual(nothing)
  })

  test('a returned refusal keeps its writes, events and jobs, but no idempotent reply', async () => {
    const [name, key] = [randomUUID(), randomUUID()]
    expectRefusal(await send('return', name), 'state.changed')
    expect(await traces(name)).toEqual(once)
    const other = randomUUID()
    expectRefusal(await send('return', other, key), 'state.changed')
    expect(await traces(other, key)).toEqual(once)
  })

  test.each([
    ['dangle', [500, 'internal.failure']],
    ['die', [503, 'dependency.unavailable']],
  ])('a failed commit stores neither effect nor reply, and the key is free: %s', async (how, expected) => {
    const [name, key] = [randomUUID(), randomUUID()]
    expect(await sendPlainly(how, name, key)).toEqual(expected)
    expect(await traces(name, key)).toEqual(nothing)
    expect((await send('plainly', name, key)).status).toBe(200)
    expect(await traces(name, key)).toEqual({ ...once, keys: 1 })
  })

  test.each([false, true])('a deadlock is retried without the caller’s notice; with a key: %s', async (keyed) => {
    const names = [randomUUID(), randomUUID()] as const
    const [a, b] = [await counter('a'), await counter('b')]
    const replies = await Promise.all([
      send('ab', names[0], keyed ? names[0] : undefined),
      send('ba', names[1], keyed ? names[1] : undefined),
    ])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(triedAgain()).toBe(true)
    expect([await counter('a'), await counter('b')]).toEqual([a + 2, b + 2])
    for (const name of names) expect(await traces(name, name)).toEqual({ ...once, keys: keyed ? 1 : 0 })
  })

  test('a serialization failure is retried', async () => {
    const names = [randomUUID(), randomUUID()]
    const before = await counter('s')
    const replies = await Promise.all(names.map((name) => send('serializable', name)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(triedAgain()).toBe(true)
    expect(await counter('s')).toBe(before + 2)
    for (const name of names) expect(await traces(name)).toEqual(once)
  })

  test('an endless deadlock ends as 503, and the key is free', async () => {
    const [name, key] = [randomUUID(), randomUUID()]
    const reply = await send('always', name, key)
    expectRefusal(reply, 'dependency.unavailable')
    expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(tries.get(name)).toBeGreaterThan(1)
    expect(await traces(name, key)).toEqual(nothing)
    expect((await send('plainly', name, key)).status).toBe(200)
  })
})

describe('the outcome of the commit is unknown', () => {
  const caller = (organisationId: OrganisationId): KeyCaller => ({
    kind: 'api_key',
    keyId: newId(),
    name: 'Probe',
    itself: true,
    tenant: { organisationId, mode: 'sandbox' },
    country: 'NG',
    capabilities: new Set(),
  })
  const encode = (output: { number: number }): EncodedReply => {
    const reply = { status: 200, headers: {}, body: JSON.stringify(output) }
    return { sent: reply, kept: reply }
  }
  /** A database whose connection breaks at the commit. */
  const breaking = (happened: boolean): Database => ({
    ...app.runtime.db,
    transaction: async (body, options) => {
      await app.runtime.db
        .transaction(async (tx) => {
          await body(tx)
          if (!happened) throw new Error('lost')
        }, options)
        .catch((error: unknown) => {
          if (happened) throw error
        })
      throw new CommitOutcomeUnknown('the connection broke during COMMIT')
    },
  })

  test.each([true, false])('with a key the service checks: it was committed %s', async (happened) => {
    const [name, key] = [randomUUID(), randomUUID()]
    const runner = createRunner({ ...app.runtime, db: breaking(happened) })
    const call = { caller: caller(person.organisationId), origin, input: { how: 'plainly', name } }
    const claim = { key, target: 'POST /p/v1/act', body: 'x' }
    const answer = runner.runOnce(doing, call, claim, encode)
    if (happened)
      expect(await answer).toEqual({ reply: { status: 200, headers: {}, body: '{"number":1}' }, replayed: true })
    else await expect(answer).rejects.toBeInstanceOf(CommitOutcomeUnknown)
    expect(await traces(name, key)).toEqual(happened ? { ...once, keys: 1 } : nothing)
    // A repeated request on a healthy node gets that reply or a first one.
    const again = await app.runner.runOnce(doing, call, claim, encode)
    expect([again.replayed, await traces(name, key)]).toEqual([happened, { ...once, keys: 1 }])
  })
})
