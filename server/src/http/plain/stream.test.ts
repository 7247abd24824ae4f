import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { invoiceBody, issuer } from '../../../../test/harness/invoices.ts'
import { ok } from '../../../../test/harness/issued.ts'
import { usualStreamBounds } from './stream.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    streams: { ...usualStreamBounds, most: 4, mostOfPerson: 2, checkMs: 20, batchMs: 5, heartbeatMs: 30 },
  })
})
afterAll(async () => {
  const last = await placeFor(await app.person())
  await last.says('begun')
  // An open stream does not keep the server from closing.
  await app.close()
  await eventually(async () => expect(last.isOver()).toBe(true))
})

interface Stream {
  readonly answer: Response
  readonly ended: Promise<void>
  heard(): string
  isOver(): boolean
  says(words: string): Promise<void>
  close(): Promise<void>
}

async function listen({ token }: Pick<Person, 'token'>, { url } = app, from = '192.0.2.1'): Promise<Stream> {
  const answer = await fetch(`${url}/i/v1/stream`, {
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': from },
  })
  const reader = answer.body?.getReader()
  let text = ''
  const read = async (): Promise<void> => {
    const { value, done } = (await reader?.read()) ?? { done: true }
    text += Buffer.from(value ?? []).toString()
    if (!done) await read()
  }
  let over = false
  const ended = read().finally(() => {
    over = true
  })
  return {
    answer,
    ended,
    heard: () => text,
    isOver: () => over,
    says: (words) => eventually(async () => expect(text).toContain(words)),
    close: async () => await reader?.cancel(),
  }
}

/** Slots are free a moment after their streams ended. */
async function placeFor(person: Pick<Person, 'token'>): Promise<Stream> {
  let stream: Stream | undefined
  await eventually(async () => {
    stream = await listen(person)
    expect(stream.answer.status).toBe(200)
  })
  return stream as Stream
}

test('a stream sends the kinds of changed objects of its organisation and mode that the caller may read', async () => {
  const owner = await issuer(app)
  const member = await app.member(owner.organisationId, 'MEMBER')
  const [mine, theirs] = [await listen(owner), await listen(member)]
  expect(mine.answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(mine.answer.headers.get('cache-control')).toBe('no-store, no-transform')
  await Promise.all([mine.says('begun'), theirs.says('begun')])
  ok(
    await app.a.post('/a/v1/organizations/me/api-keys', {
      token: owner.token,
      body: { name: 'shop', mode: 'sandbox', preset: 'read_only' },
    }),
    201,
  )
  await mine.says('"api_key"')
  ok(await app.a.post('/i/v1/invoices', { token: owner.token, body: invoiceBody.A(owner) }), 201)
  await Promise.all([mine.says('"invoice"'), theirs.says('"invoice"')])
  expect(theirs.heard()).not.toContain('api_key')
  await mine.says('\n:\n')
  await Promise.all([mine.close(), theirs.close()])
})

test('a stream sends nothing of another organisation or mode', async () => {
  const [owner, other] = [await issuer(app), await issuer(app)]
  const live = await app.member(owner.organisationId, 'OWNER', { mode: 'live' })
  const [stranger, inLive, own] = [await listen(other), await listen(live), await listen(owner)]
  await Promise.all([stranger, inLive, own].map((each) => each.says('begun')))
  ok(await app.a.post('/i/v1/invoices', { token: owner.token, body: invoiceBody.A(owner) }), 201)
  await own.says('"invoice"')
  // One read of the log notifies both.
  expect(stranger.heard() + inLive.heard()).not.toContain('"invoice"')
  await Promise.all([stranger, inLive, own].map((each) => each.close()))
})

test('a stream ends with its session, and needs one', async () => {
  const person = await app.person()
  const stream = await listen(person)
  await stream.says('begun')
  ok(await app.a.post('/a/v1/auth/logout', { token: person.token }))
  await stream.ended
  expect((await listen(person)).answer.status).toBe(401)
  expect((await fetch(`${app.url}/i/v1/stream`)).status).toBe(401)
  const key = await app.key((await app.person()).organisationId)
  expect((await listen({ token: key })).answer.status).toBe(403)
})

test('streams are limited per person and in total, and places are freed', async () => {
  const people = [await app.person(), await app.person(), await app.person()]
  const [one, other, third] = people as [Person, Person, Person]
  const streams = [await listen(one), await listen(one)]
  expect((await listen(one)).answer.status).toBe(429)
  streams.push(await listen(other), await listen(other))
  expect((await listen(third)).answer.status).toBe(429)
  for (const stream of streams) await stream.close()
  await (await placeFor(third)).close()
})

describe('the places are shared', () => {
  let shared: TestApp
  beforeAll(async () => {
    shared = await startTestApp({
      trustProxy: { hops: 1 },
      streams: {
        ...usualStreamBounds,
        most: 4,
        mostOfPerson: 2,
        mostOfOrganisation: 3,
        mostOfNetwork: 4,
        checkMs: 20,
        batchMs: 5,
        heartbeatMs: 30,
      },
    })
  })
  afterAll(() => shared.close())
  const [crowd, elsewhere] = ['198.51.100.7', '203.0.113.9']

  test('streams are limited per organisation, for any number of people', async () => {
    const owner = await shared.person()
    const members = [owner, await shared.member(owner.organisationId, 'VIEWER')]
    const streams: Stream[] = []
    for (const person of members) for (let nth = 0; nth < 2; nth++) streams.push(await listen(person, shared, crowd))
    expect(streams.map(({ answer }) => answer.status)).toEqual([200, 200, 200, 429])
    for (const stream of streams) await stream.close()
  })

  test('if all places are taken, the network with the most streams loses its oldest', async () => {
    const people = [await shared.person(), await shared.person(), await shared.person()]
    const [one, other, third] = people as [Person, Person, Person]
    let taken: Stream[] = []
    await eventually(async () => {
      taken = [await listen(one, shared, crowd), await listen(one, shared, crowd)]
      taken.push(await listen(other, shared, crowd), await listen(other, shared, crowd))
      const statuses = taken.map(({ answer }) => answer.status)
      if (statuses.includes(429)) for (const stream of taken) await stream.close()
      expect(statuses).toEqual([200, 200, 200, 200])
    })
    // The same network gets no further stream.
    expect((await listen(third, shared, crowd)).answer.status).toBe(429)
    const honest = await listen(third, shared, elsewhere)
    expect(honest.answer.status).toBe(200)
    await taken[0]?.ended
    await honest.says('begun')
    expect(taken.slice(1).map((stream) => stream.isOver())).toEqual([false, false, false])
    for (const stream of [...taken, honest]) await stream.close()
  })
})
