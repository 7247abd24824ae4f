import { hash, randomUUID } from 'node:crypto'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { origin, type Person, startTestApp, type TestApp, testVault } from '../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths, type Reply } from '../../../../test/harness/client.ts'
import { createTestDatabase } from '../../../../test/harness/database.ts'
import {
  noOrganisation,
  type PublicCaller,
  type SystemCaller,
  systemCaller,
  type TokenCaller,
} from '../../kernel/callers.ts'
import { newId, type UserId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import { openSession } from '../../modules/identity/session.ts'
import { insertPerson } from '../../modules/people/index.ts'
import { sql } from '../../platform/database/sql.ts'
import { type Inside, operation, preparedOperation, statement } from '../../platform/operations/operation.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import { Fields, Uuid } from '../definitions/fields.ts'
import { form } from '../definitions/form.ts'
import { defineRoute } from '../definitions/route-definition.ts'
import { answers as answersOfA } from '../form-a/answers.ts'
import { answers as answersOfB } from '../form-b/answers.ts'

interface Input {
  readonly text: string
  readonly tags?: readonly string[]
}

async function writeNote({ tx, caller }: Inside<TokenCaller | PublicCaller>, { text }: Input) {
  const id = newId()
  const organisation = 'tenant' in caller ? caller.tenant.organisationId : noOrganisation
  await tx.run(sql`insert into notes (id, organisation_id, text) values (${id}, ${organisation}, ${text})`)
  if (text === 'refused by throwing') throw refuse('state.changed')
  if (text === 'refused by returning') return refuse('state.changed')
  await tx.run(sql`select pg_sleep(0.02)`)
  return { id, text }
}

const facts = { needs: [], refuses: ['state.changed'] } as const
const write = operation(facts, writeNote)
/** Refuses before its transaction when there is such a note already. */
const writeNew = preparedOperation(
  facts,
  async ({ db }, { text }: Input) => {
    if (await db.maybe(sql`select 1 from notes where text = ${text}`)) throw refuse('state.changed')
  },
  writeNote,
)
/** A hot operation whose reply holds a secret, against its rule. Its statement cannot store such a reply. */
const writeHot = statement(facts, {
  plan: async (_, { text }: Input) => ({ id: newId(), text }),
  write: async () => {
    throw new Error('the statement would store the secret')
  },
  returning: [],
  replyHasNoSecret: true,
  output: (plan) => plan,
  fallback: writeNote,
})
const noted = { summary: 'Probe' }
const routes = {
  notes: {
    write: defineRoute('POST', '/p/v1/notes', 'token', write, noted),
    writeNew: defineRoute('POST', '/p/v1/new-notes', 'token', writeNew, noted),
    put: defineRoute('PUT', '/p/v1/notes/{id}', 'token', write, noted),
    patch: defineRoute('PATCH', '/p/v1/notes/{id}', 'token', write, noted),
    remove: defineRoute('DELETE', '/p/v1/notes/{id}', 'token', write, noted),
    signIn: defineRoute('POST', '/a/v1/auth/probe', 'token', write, noted),
    everyone: defineRoute('POST', '/p/v1/everyone', 'public', write, noted),
    secret: defineRoute('POST', '/p/v1/secrets', 'token', write, noted),
    hotSecret: defineRoute('POST', '/p/v1/hot-secrets', 'token', writeHot, noted),
  },
}
const { notes } = routes

const Note = Fields({ text: Type.String(), tags: Type.Optional(Type.Array(Type.String())) })
const NoteReply = Fields({ id: Uuid, text: Type.String() })
type Output = { id: string; text: string }
const plain = { status: 200, reply: NoteReply, body: Note, encode: (note: Output) => note }
const byId = { ...plain, params: Fields({ id: Uuid }) }
const withSecret = {
  ...plain,
  status: 201,
  reply: Fields({
    id: Uuid,
    secret: Type.Optional(Type.String()),
    secretAlreadyShown: Type.Optional(Type.Boolean()),
  }),
  encode: ({ id }: Output) => ({ id, secret: `whsec_${id}` }),
  withoutSecret: ({ id }: { id: string }) => ({ id, secretAlreadyShown: true }),
}
const described = {
  write: describeRoute(notes.write, {
    ...plain,
    status: 201,
    query: Fields({ color: Type.Optional(Type.String()) }),
    location: ({ id }) => `/p/v1/notes/${id}`,
    version: () => 1,
    decode: ({ body }) => body,
  }),
  writeNew: describeRoute(notes.writeNew, { ...plain, decode: ({ body }) => body }),
  put: describeRoute(notes.put, { ...byId, decode: ({ body }) => body }),
  patch: describeRoute(notes.patch, { ...byId, decode: ({ body }) => body }),
  remove: describeRoute(notes.remove, { ...byId, decode: ({ body }) => body }),
  signIn: describeRoute(notes.signIn, { ...plain, decode: ({ body }) => body }),
  everyone: describeRoute(notes.everyone, { ...plain, decode: ({ body }) => body }),
  secret: describeRoute(notes.secret, { ...withSecret, decode: ({ body }) => body }),
  hotSecret: describeRoute(notes.hotSecret, { ...withSecret, decode: ({ body }) => body }),
}
const about = { title: 'Probe', description: 'Probe.' }
const forms = [
  form(routes, { ...about, name: 'A', prefix: '', answers: answersOfA }, { notes: described }),
  form(routes, { ...about, name: 'B', prefix: '/form-b', answers: answersOfB }, { notes: described }),
]

let app: TestApp
let other: TestApp
let person: Person
let token: string
beforeAll(async () => {
  const shared = { database: await createTestDatabase(), vault: testVault(), forms }
  app = await startTestApp(shared)
  other = await startTestApp(shared)
  person = await app.person()
  token = await app.key(person.organisationId)
  await app.owner.pool.query('create table notes (id uuid primary key, organisation_id uuid, text text)')
})
afterAll(() => Promise.all([app.close(), other.close()]))

const written = async (text: string): Promise<number> =>
  (await app.runtime.db.pool.query('select 1 from notes where text = $1', [text])).rows.length
const kept = async (key: string): Promise<number> =>
  (await app.runtime.db.pool.query('select 1 from idempotency_keys where key = $1', [key])).rows.length
const stored = async (key: string): Promise<Record<string, unknown>[]> =>
  (await app.runtime.db.pool.query('select * from idempotency_keys where key = $1', [key])).rows
const isReplay = ({ headers }: Reply) => headers.get('idempotent-replayed') === 'true'
const fresh = () => randomUUID()

describe.each(['A', 'B'] as const)('Form %s', (name) => {
  const client = (): Client => app.client(name)
  const send = (key: string, body: unknown, path = '/p/v1/notes', bearer = token) =>
    client().post(path, { token: bearer, body, headers: { 'idempotency-key': key } })

  test('the same key and body get the first reply again, byte for byte, with one effect', async () => {
    const [key, text] = [fresh(), fresh()]
    const first = await send(key, { text })
    const again = [await send(key, { text }), await send(key, { text })]
    expect([first.status, isReplay(first), await written(text)]).toEqual([201, false, 1])
    for (const reply of again) {
      expect([reply.status, isReplay(reply), reply.text]).toEqual([201, true, first.text])
      for (const header of ['content-type', 'location', 'etag'])
        expect(reply.headers.get(header)).toBe(first.headers.get(header))
      expect(reply.headers.get('location')).toBe(`${reply.form.prefix}/p/v1/notes/${first.data.id}`)
      // The request that asks again has an id of its own.
      expect(reply.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    }
  })

  test('the formatting of the body does not matter, its content does', async () => {
    const [key, text] = [fresh(), fresh()]
    const first = await send(key, `{"text":"${text}","tags":["a","b"]}`)
    for (const same of [
      `\n{ "tags" : [ "a", "b" ],\t"text" : "${text}" }`,
      `{"\\u0074ext":"${text}","tags":["\\u0061","b"]}`,
    ])
      expect((await send(key, same)).text).toBe(first.text)
    for (const different of [
      { text, tags: ['b', 'a'] },
      { text, tags: ['a'] },
      { text },
      { text: 'x', tags: ['a', 'b'] },
    ]) {
      const reply = await send(key, different)
      expectRefusal(reply, 'idempotency.body_differs')
      expect([reply.status, reply.body.error.code]).toEqual([409, 'BIZ107'])
    }
    expect(await written(text)).toBe(1)
  })

  test.each(['put', 'patch'] as const)('%s supports it', async (method) => {
    const [key, text] = [fresh(), fresh()]
    const path = `/p/v1/notes/${newId()}`
    const sending = { token, body: { text }, headers: { 'idempotency-key': key } }
    const [first, second] = [await client()[method](path, sending), await client()[method](path, sending)]
    expect([second.text, isReplay(second), await written(text)]).toEqual([first.text, true, 1])
  })

  test('another method, path or query is another request', async () => {
    const [key, text] = [fresh(), fresh()]
    const sending = { token, body: { text }, headers: { 'idempotency-key': key } }
    const [one, two] = [`/p/v1/notes/${newId()}`, `/p/v1/notes/${newId()}`]
    const replies = [
      await send(key, { text }),
      await send(key, { text }, '/p/v1/notes?color=red'),
      await send(key, { text }, '/p/v1/notes?color=blue'),
      await client().put(one, sending),
      await client().put(two, sending),
      await client().patch(one, sending),
    ]
    expect(replies.map((reply) => [reply.status < 300, isReplay(reply)])).toEqual(Array(6).fill([true, false]))
    expect(await written(text)).toBe(6)
    expect(isReplay(await send(key, { text }, '/p/v1/notes?color=red'))).toBe(true)
  })

  test('keys belong to an organisation and mode, and are shared by all its callers', async () => {
    const [key, text] = [fresh(), fresh()]
    const { organisationId } = person
    const stranger = await app.person()
    const live = await app.key(organisationId, { mode: 'live' })
    const first = await send(key, { text })
    expect(isReplay(await send(key, { text }, undefined, live))).toBe(false)
    expect(isReplay(await send(key, { text }, undefined, stranger.token))).toBe(false)
    const colleague = await app.key(organisationId)
    expect((await send(key, { text }, undefined, colleague)).text).toBe(first.text)
    expect(await written(text)).toBe(3)
  })

  test('people without an organisation do not share their keys', async () => {
    const [key, text] = [fresh(), fresh()]
    const loner = () =>
      app.runner.run(
        operation({ needs: [], refuses: [] }, async (context: Inside<SystemCaller>) => {
          const id: UserId = newId()
          const row = { id, email: `${id}@example.test`, passwordHash: '', firstName: 'A', lastName: 'B' }
          await insertPerson(context.tx, { ...row, emailVerifiedAt: context.now }, context.now)
          return (await openSession(context, id, 'sandbox')).accessToken
        }),
        { caller: systemCaller, origin, input: undefined },
      )
    const [one, two] = [await loner(), await loner()]
    const first = await send(key, { text }, undefined, one)
    const second = await send(key, { text }, undefined, two)
    expect([isReplay(second), second.text === first.text, await written(text)]).toEqual([false, false, 2])
    expect((await send(key, { text }, undefined, one)).text).toBe(first.text)
  })

  test('concurrent requests have one effect', async () => {
    const [key, text] = [fresh(), fresh()]
    const replies = await Promise.all(Array.from({ length: 30 }, () => send(key, { text })))
    expect(await written(text)).toBe(1)
    expect(replies.filter(isReplay)).toHaveLength(29)
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.text}`)).size).toBe(1)
  })

  test('concurrent requests on two nodes have one effect', async () => {
    for (let round = 0; round < 3; round++) {
      const [key, text] = [fresh(), fresh()]
      const sending = { token, body: { text }, headers: { 'idempotency-key': key } }
      const nodes = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? app : other).client(name))
      const replies = await Promise.all(nodes.map((node) => node.post('/p/v1/notes', sending)))
      expect(await written(text)).toBe(1)
      expect(replies.filter(isReplay)).toHaveLength(19)
      expect(new Set(replies.map((reply) => `${reply.status} ${reply.text}`)).size).toBe(1)
    }
  })

  test('of concurrent requests with different bodies, one is done and the others are refused', async () => {
    const key = fresh()
    const texts = Array.from({ length: 6 }, fresh)
    const replies = await Promise.all(texts.map((text) => send(key, { text })))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
    const counts = await Promise.all(texts.map(written))
    expect(counts.reduce((sum, count) => sum + count)).toBe(1)
  })

  test.each([
    ['refused by throwing', 0],
    ['refused by returning', 1],
  ])('an attempt that was %s stores no reply and leaves the key free', async (text, effects) => {
    const [key, next, before] = [fresh(), fresh(), await written(text)]
    expectRefusal(await send(key, { text }), 'state.changed')
    expect([await kept(key), (await written(text)) - before]).toEqual([0, effects])
    // The same again is tried again; and the key may go to another body.
    expectRefusal(await send(key, { text }), 'state.changed')
    const reply = await send(key, { text: next })
    expect([reply.status, isReplay(reply), await written(next)]).toEqual([201, false, 1])
  })

  test('a malformed request stores nothing', async () => {
    const [key, text] = [fresh(), fresh()]
    expectRefusal(await send(key, { txt: text }), 'request.invalid')
    expect(await kept(key)).toBe(0)
    expect((await send(key, { text })).status).toBe(201)
  })

  test('the stored reply is repeated before any check that would refuse now', async () => {
    const [key, text] = [fresh(), fresh()]
    const first = await send(key, { text }, '/p/v1/new-notes')
    expectRefusal(await send(fresh(), { text }, '/p/v1/new-notes'), 'state.changed')
    const again = await send(key, { text }, '/p/v1/new-notes')
    expect([again.text, isReplay(again)]).toEqual([first.text, true])
    const taken = fresh()
    await send(fresh(), { text: taken }, '/p/v1/new-notes')
    expectRefusal(await send(key, { text: taken }, '/p/v1/new-notes'), 'idempotency.body_differs')
  })

  test('a malformed body is refused before the key is looked up', async () => {
    const [key, text] = [fresh(), fresh()]
    await send(key, { text })
    expectRefusal(await send(key, { text, extra: 1 }), 'request.invalid')
  })

  test.each(['short12', 'x'.repeat(129), 'has a space', 'dots.are.not', 'täglich-1', 'semi;colon', 'a,b-12345', ''])(
    '%j is not a valid key',
    async (key) => {
      const text = fresh()
      const reply = await send(Buffer.from(key).toString('latin1'), { text })
      expectRefusal(reply, 'request.invalid')
      expect([faultPaths(reply), await written(text)]).toEqual([['Idempotency-Key'], 0])
    },
  )

  test.each(['12345678', 'A-Z_a-z-0-9', 'x'.repeat(128)])('%s is a valid key', async (key) => {
    const text = fresh()
    const path = `/p/v1/notes?color=${text}`
    await send(key, { text }, path)
    expect([isReplay(await send(key, { text }, path)), await written(text)]).toEqual([true, 1])
  })

  test.each([
    ['without a key', '/p/v1/notes', {}],
    ['signing in', '/a/v1/auth/probe', { 'idempotency-key': '0123456789' }],
    ['signing in, key malformed', '/a/v1/auth/probe', { 'idempotency-key': 'x' }],
    ['what needs no token', '/p/v1/everyone', { 'idempotency-key': '0123456789' }],
  ])('no reply is repeated: %s', async (_, path, headers: Record<string, string>) => {
    const text = fresh()
    for (let times = 0; times < 2; times++)
      expect(isReplay(await client().post(path, { token, body: { text }, headers }))).toBe(false)
    expect(await written(text)).toBe(2)
  })

  test('a DELETE is not repeated', async () => {
    const [key, text] = [fresh(), fresh()]
    const sending = { token, body: { text }, headers: { 'idempotency-key': key } }
    const path = `/p/v1/notes/${newId()}`
    const replies = [await client().delete(path, sending), await client().delete(path, sending)]
    expect([replies.some(isReplay), await written(text)]).toEqual([false, 2])
  })

  test.each(['/p/v1/secrets', '/p/v1/hot-secrets'])('%s: a secret is shown once', async (path) => {
    const [key, text] = [fresh(), fresh()]
    const first = await send(key, { text }, path)
    const { id, secret } = first.data
    expect(first.data).toEqual({ id, secret: `whsec_${id}` })
    const again = await send(key, { text }, path)
    expect([again.status, isReplay(again), again.data]).toEqual([201, true, { id, secretAlreadyShown: true }])
    expect(again.body.meta).toEqual(first.body.meta)
    expect(await stored(key)).toHaveLength(1)
    expect(JSON.stringify(await stored(key))).not.toContain(secret)
  })

  test('stored replies are unreadable without the key file', async () => {
    const [one, two, text] = [fresh(), fresh(), fresh()]
    const { data } = await send(one, { text })
    await send(two, { text })
    const rows = [...(await stored(one)), ...(await stored(two))]
    expect(rows).toHaveLength(2)
    const shown = JSON.stringify(rows)
    // Neither what was sent and answered, nor what a guess could be held against: a hash, or another request's mac.
    expect(shown).not.toContain(text)
    for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512'])
      for (const guess of [JSON.stringify({ text }), text])
        for (const digest of [hash(algorithm, guess), hash(algorithm, guess, 'base64url')])
          expect(shown).not.toContain(digest)
    expect(new Set(rows.map((row) => row.body_mac)).size).toBe(2)
    // The id stands in the Location, which opens nothing to anyone without a token.
    expect(rows.map((row) => String(row.sealed_body).includes(data.id))).toEqual([false, false])
    expect(JSON.stringify(rows[0]?.headers)).toContain(data.id)
  })
})

test('a reply that was sealed for one key does not open under another', async () => {
  const [one, two, text] = [fresh(), fresh(), fresh()]
  const send = (key: string) =>
    app.a.post('/p/v1/notes', { token, body: { text }, headers: { 'idempotency-key': key } })
  await send(one)
  await send(two)
  const { sealedBody } = await app.runtime.db.one<{ sealedBody: string }>(
    sql`select sealed_body from idempotency_keys where key = ${one}`,
  )
  await app.runtime.db.run(sql`update idempotency_keys set sealed_body = ${sealedBody} where key = ${two}`)
  const response = await fetch(`${app.url}/p/v1/notes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': two },
    body: JSON.stringify({ text }),
  })
  expect(response.status).toBe(500)
})

test('a key is kept for 24 hours and is then free', async () => {
  const [key, text, next] = [fresh(), fresh(), fresh()]
  const send = (body: object) => app.a.post('/p/v1/notes', { token, body, headers: { 'idempotency-key': key } })
  const first = await send({ text })
  app.clock.advance({ hours: 23, minutes: 59, seconds: 59 })
  expect((await send({ text })).text).toBe(first.text)
  expectRefusal(await send({ text: next }), 'idempotency.body_differs')
  app.clock.advance({ seconds: 1 })
  const second = await send({ text: next })
  expect([second.status, isReplay(second), await written(next)]).toEqual([201, false, 1])
  expect((await send({ text: next })).text).toBe(second.text)
  app.clock.advance({ hours: 24 })
  const [third, fourth] = await Promise.all([send({ text }), send({ text })])
  expect([third.text === fourth.text, third.text === first.text, await written(text)]).toEqual([true, false, 2])
})
