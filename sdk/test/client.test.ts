import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '../../server/src/kernel/ids.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { type Person, startTestApp, type TestApp } from '../../test/harness/app.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { invoiceBody, issuer } from '../../test/harness/invoices.ts'
import { Risiti as RisitiB } from '../src/form-b.ts'
import {
  type ClientOptions,
  cookies,
  type Fetch,
  type NewInvoice,
  NoAnswer,
  Refused,
  Risiti,
  RisitiError,
  TimedOut,
} from '../src/index.ts'

let app: TestApp
let person: Person
let key: string
const hasty = { firstMs: 1, longestMs: 5 }

beforeAll(async () => {
  app = await startTestApp()
  person = await app.person()
  await app.openAccount(person.organisationId)
  key = await app.key(person.organisationId)
})
afterAll(() => app?.close())

const clientWith = (options: Partial<ClientOptions> = {}) =>
  new Risiti({
    baseUrl: app.url,
    retry: hasty,
    ...('token' in options || 'credential' in options ? {} : { apiKey: key }),
    ...options,
  })

const invoice: NewInvoice = {
  invoiceKind: 'B2C',
  invoiceDate: '2026-11-16',
  currency: 'NGN',
  lineItems: [{ description: 'Palm oil', quantity: 2, unitCode: 'LTR', unitPrice: '1950.50', taxCategory: 'standard' }],
}

/** Forwards requests and records them. `meddle` may answer instead, before or after the service's work. */
function watched(meddle: (sent: number, reply: () => Promise<Response>) => Promise<Response> = (_, reply) => reply()) {
  const requests: { url: string; init: Parameters<Fetch>[1] }[] = []
  const through: Fetch = (url, init) => {
    requests.push({ url, init })
    return meddle(requests.length, () => fetch(url, init as RequestInit))
  }
  return { requests, fetch: through, header: (name: string) => requests.map(({ init }) => init.headers[name]) }
}
const says = (status: number, headers: Record<string, string> = {}) =>
  Promise.resolve(new Response('{}', { status, headers: { 'content-type': 'application/json', ...headers } }))
const refusalOf = async (calling: PromiseLike<unknown>): Promise<Refused> => {
  const error = await Promise.resolve(calling).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Refused)
  return error as Refused
}

describe('a call', () => {
  test('gives the data, and on request what came along with them', async () => {
    const risiti = clientWith()
    const { data, etag, status, location, replayed, requestId } = await risiti.invoices.create(invoice).withResponse()
    expect(data).toMatchObject({ currency: 'NGN', status: 'draft', lineItems: [{ unitPrice: '1950.50' }] })
    expect({ etag, status, location, replayed }).toEqual({
      etag: '"1"',
      status: 201,
      location: `/i/v1/invoices/${data.id}`,
      replayed: false,
    })
    expect(requestId).toMatch(/^[\w-]+$/)
    const changed = await risiti.invoices.update(data.id, { notes: 'Thank you' }, { ifMatch: etag })
    expect(changed.notes).toBe('Thank you')
    const stale = await refusalOf(risiti.invoices.update(data.id, { notes: 'No' }, { ifMatch: etag }))
    expect(stale).toMatchObject({ status: 409, code: 'RES003', reason: 'version.stale' })
  })

  test('that is refused says why, in the words of the catalogue', async () => {
    // @ts-expect-error: currencies are a closed list
    const wrong: NewInvoice = { ...invoice, currency: 'nairas', lineItems: [] }
    const error = await refusalOf(clientWith().invoices.create(wrong))
    expect(error).toBeInstanceOf(RisitiError)
    expect(error).toMatchObject({ name: 'Refused', status: 400, code: 'VAL001', reason: 'request.invalid' })
    expect(error.details.map(({ path }) => path).sort()).toEqual(['currency', 'lineItems'])
    expect(error.requestId).toMatch(/^[\w-]+$/)
    expect(error.is('request.invalid', 'request.malformed')).toBe(true)
    expect(error.is('limit.exceeded')).toBe(false)
    const missing = refusalOf(clientWith().invoices.get(person.organisationId).withResponse())
    expect((await missing).reason).toBe('resource.not_found')
  })

  test('spells ids and queries so that they stay what they are', async () => {
    const { fetch, requests } = watched()
    const risiti = clientWith({ fetch })
    await refusalOf(risiti.invoices.get('../buyers?x=1'))
    await risiti.buyers.list({ search: 'A & B=c', page: undefined, limit: 1 })
    expect(requests.map(({ url }) => url.slice(app.url.length))).toEqual([
      '/i/v1/invoices/..%2Fbuyers%3Fx%3D1',
      '/i/v1/buyers?search=A+%26+B%3Dc&limit=1',
    ])
    expect(() => risiti.invoices.get('')).toThrow(TypeError)
  })

  test('goes to the organisation of the token where the address names one', async () => {
    const risiti = clientWith({ token: person.token })
    expect((await risiti.members.list()).data.map(({ email }) => email)).toEqual([person.email])
    expect((await risiti.organisations.get(person.organisationId)).id).toBe(person.organisationId)
    expect((await risiti.identity.whoAmI()).principal).toBe('user')
  })
})

test('the error for a wrong key asks to check the key', async () => {
  const wrong = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
  for (const apiKey of [wrong, 'sk_test_x']) {
    const error = await refusalOf(clientWith({ apiKey }).invoices.list())
    expect(error).toMatchObject({ status: 401, reason: 'auth.token_invalid' })
    expect(error.message).toBe('Check the API key: it is unknown, revoked, expired, or of another installation.')
  }
})

describe('a list', () => {
  test('is its first page when awaited, and all of it when gone through', async () => {
    const risiti = clientWith()
    const names = ['Ada', 'Bola', 'Chidi', 'Dayo', 'Efe']
    for (const name of names) await risiti.buyers.create({ name: `${name} Stores` })
    const first = await risiti.buyers.list({ limit: 2 })
    expect(first.data).toHaveLength(2)
    expect(first.pagination).toMatchObject({ page: 1, limit: 2, total: 5, totalPages: 3 })
    const { fetch, requests } = watched()
    const found: string[] = []
    for await (const buyer of clientWith({ fetch }).buyers.list({ limit: 2 })) found.push(buyer.name)
    expect(found.toSorted()).toEqual(names.map((name) => `${name} Stores`))
    expect(requests).toHaveLength(3)
    const pages: number[] = []
    for await (const page of risiti.buyers.list({ limit: 2, page: 2 }).byPage()) pages.push(page.data.length)
    expect(pages).toEqual([2, 1])
  })

  test('gives nothing twice when something new moves the rest down', async () => {
    const risiti = clientWith()
    const ids: string[] = []
    for await (const { id } of risiti.buyers.list({ limit: 2 })) {
      ids.push(id)
      if (ids.length === 2) await risiti.buyers.create({ name: 'Newcomer' })
    }
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength(5)
  })
})

describe('a change', () => {
  test('is made once, although its answer is lost: the key was there before the first try', async () => {
    const { fetch, header } = watched(async (sent, reply) => {
      const done = await reply()
      if (sent === 1) throw new TypeError('the connection broke')
      return done
    })
    const { data, replayed, idempotencyKey } = await clientWith({ fetch }).invoices.create(invoice).withResponse()
    expect(replayed).toBe(true)
    expect(header('idempotency-key')).toEqual([idempotencyKey, idempotencyKey])
    expect((await clientWith().invoices.get(data.id)).id).toBe(data.id)
  })

  test('has another key each time, or the one that is given', async () => {
    const { fetch, header } = watched()
    const risiti = clientWith({ fetch })
    await risiti.buyers.create({ name: 'One' })
    await risiti.buyers.create({ name: 'Two' })
    const idempotencyKey = 'order-4711-attempt'
    const first = await risiti.buyers.create({ name: 'Three' }, { idempotencyKey })
    expect((await risiti.buyers.create({ name: 'Three' }, { idempotencyKey })).id).toBe(first.id)
    const [one, two, ...given] = header('idempotency-key')
    expect(one).toMatch(/^[0-9a-f-]{32,36}$/)
    expect(two).not.toBe(one)
    expect(given).toEqual([idempotencyKey, idempotencyKey])
  })

  test('that failed for good tells the key, for another try some time later', async () => {
    const { fetch } = watched(async (_, reply) => {
      await reply()
      throw new TypeError('no network')
    })
    const error = await clientWith({ fetch })
      .buyers.create({ name: 'Later' })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(NoAnswer)
    const { idempotencyKey } = error as NoAnswer
    const again = await clientWith().buyers.create({ name: 'Later' }, { idempotencyKey }).withResponse()
    expect(again.replayed).toBe(true)
  })
})

describe('trying again', () => {
  test.each([429, 503, 502])('helps after %i', async (status) => {
    const { fetch, requests } = watched((sent, reply) => (sent < 3 ? says(status, { 'retry-after': '0' }) : reply()))
    await clientWith({ fetch }).invoices.create(invoice)
    expect(requests).toHaveLength(3)
  })

  test('ends with the last refusal', async () => {
    const { fetch, requests } = watched(() => says(503, { 'risiti-reason': 'dependency.unavailable' }))
    const error = await refusalOf(clientWith({ fetch }).invoices.list())
    expect(error).toMatchObject({ status: 503, reason: 'dependency.unavailable' })
    expect(requests).toHaveLength(3)
  })

  test('is left where the wait that is asked for is longer than the time that is left', async () => {
    const { fetch, requests } = watched(() => says(429, { 'retry-after': '3600' }))
    const error = await refusalOf(clientWith({ fetch }).invoices.list())
    expect(error.retryAfterSeconds).toBe(3600)
    expect(requests).toHaveLength(1)
  })

  test('is not for what the service refuses, nor for a sign-in whose answer was lost', async () => {
    const refused = watched(() => says(500, { 'risiti-reason': 'internal.failure' }))
    await refusalOf(clientWith({ fetch: refused.fetch }).invoices.list())
    expect(refused.requests).toHaveLength(1)
    const lost = watched(() => Promise.reject(new TypeError('lost')))
    const signIn = clientWith({ fetch: lost.fetch }).identity.logIn({ email: person.email, password: 'x' })
    await expect(signIn).rejects.toBeInstanceOf(NoAnswer)
    expect(lost.requests).toHaveLength(1)
  })
})

describe('time', () => {
  const never = (init: { signal: AbortSignal }) =>
    new Promise<Response>((_, reject) => init.signal.addEventListener('abort', () => reject(init.signal.reason)))
  const silent: Fetch = (_, init) => never(init)

  test('is up when it is up', async () => {
    const call = clientWith({ fetch: silent }).invoices.create(invoice, { timeoutMs: 20 })
    const error = await call.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TimedOut)
    expect((error as TimedOut).idempotencyKey).toMatch(/^[0-9a-f-]{32,36}$/)
  })

  test('ends when the caller says so, in the middle of a wait too', async () => {
    const controller = new AbortController()
    const waiting = clientWith({ fetch: () => says(503, { 'retry-after': '20' }) }).invoices.list(
      {},
      {
        signal: controller.signal,
      },
    )
    const outcome = Promise.resolve(waiting).catch((thrown: unknown) => thrown)
    controller.abort('not wanted any more')
    expect(await outcome).toBe('not wanted any more')
    const silently = clientWith({ fetch: silent }).invoices.create(invoice, { signal: AbortSignal.abort('too late') })
    await expect(silently).rejects.toBe('too late')
  })
})

describe('who is calling', () => {
  test('shows in the key: a key of the other mode is refused before anything is sent', () => {
    expect(clientWith().mode).toBe('sandbox')
    expect(new Risiti({ baseUrl: app.url, apiKey: 'sk_live_x' }).mode).toBe('live')
    expect(() => clientWith({ mode: 'live' })).toThrow('a key for sandbox data')
    expect(() => clientWith({ apiKey: 'whsec_x' })).toThrow('sk_test_ or sk_live_')
    expect(() => new Risiti({ baseUrl: 'http://api.example.com', apiKey: key })).toThrow('over https only')
    expect(() => new Risiti({ apiKey: key })).toThrow('baseUrl')
    expect(() => clientWith({ apiKey: key, token: 'x' })).toThrow('one of apiKey, token and credential')
  })

  test('is renewed once for all calls that were turned away together', async () => {
    let token = 'expired'
    let renewals = 0
    const bearer = {
      apply: ({ headers }: { headers: Record<string, string> }) => {
        headers.authorization = `Bearer ${token}`
      },
      renew: async () => {
        renewals += 1
        await Promise.resolve()
        token = person.token
        return true
      },
    }
    const risiti = clientWith({ credential: bearer })
    const [me, buyers] = await Promise.all([risiti.identity.whoAmI(), risiti.buyers.list()])
    expect(me.user?.email).toBe(person.email)
    expect(buyers.pagination.page).toBe(1)
    expect(renewals).toBe(1)
    const hopeless = clientWith({ credential: { ...bearer, apply: () => undefined } })
    expect((await refusalOf(hopeless.identity.whoAmI())).reason).toBe('auth.token_missing')
  })

  test('may be kept in a cookie by the browser', async () => {
    const { fetch, requests } = watched(() => says(200))
    const risiti = new Risiti({ baseUrl: app.url, fetch, credential: cookies({ headers: () => ({ 'x-csrf': 't' }) }) })
    await risiti.identity.whoAmI()
    expect(requests[0]?.init).toMatchObject({ credentials: 'same-origin', headers: { 'x-csrf': 't' } })
    expect(requests[0]?.init.headers).not.toHaveProperty('authorization')
  })
})

test('Form B is spoken in its own words, under its own address', async () => {
  const risiti = new RisitiB({ baseUrl: app.url, apiKey: key, retry: hasty })
  const { id } = await risiti.buyers.create({
    partyName: 'Okoro Foods',
    email: 'okoro@example.com',
    phoneNumber: '+2348012345678',
    postalAddress: { line1: '12 Marina', city: 'Lagos', country: 'NG' },
  })
  expect((await risiti.buyers.get(id)).partyName).toBe('Okoro Foods')
  const names: string[] = []
  for await (const { partyName } of risiti.buyers.list({ limit: 5 })) names.push(partyName)
  expect(names).toContain('Okoro Foods')
  expect(names.length).toBeGreaterThan(5)
  const error = await refusalOf(risiti.submissions.submit(person.organisationId))
  expect(error.reason).toBe('resource.not_found')
})

describe('going through a list that changes', () => {
  test('visits every draft although each leaves the list when it is finalised', async () => {
    const owner = await issuer(app)
    const risiti = clientWith({ apiKey: await app.key(owner.organisationId) })
    for (let made = 0; made < 40; made++) await risiti.invoices.create(invoiceBody.A(owner) as NewInvoice)
    let finalised = 0
    for await (const { id } of risiti.invoices.list({ status: 'draft', limit: 10 })) {
      await risiti.invoices.finalise(id)
      finalised += 1
    }
    expect(finalised).toBe(40)
    expect((await risiti.invoices.list({ status: 'draft' })).pagination.total).toBe(0)
  })

  test('follows events beyond the thousand that are counted', async () => {
    const owner = await issuer(app)
    const ids = Array.from({ length: 1_400 }, () => newId())
    await app.runtime.db.run(sql`
      insert into events (organisation_id, id, mode, type, object_id, data, actor_kind, actor_name, address, user_agent, request_id, created_at)
      select organisation_id, copies.id, mode, type, object_id, data, actor_kind, actor_name, address, user_agent, request_id, created_at
        from events, unnest(${ids}::uuid[]) as copies (id) where organisation_id = ${owner.organisationId} and type = 'buyer.created'`)
    const risiti = clientWith({ apiKey: await app.key(owner.organisationId) })
    const query = { after: 'start', limit: 100, type: 'buyer.created' }
    const events = await eventually(async () => {
      const found = await risiti.webhooks.listEvents(query).toArray()
      expect(found.length).toBeGreaterThan(1_000)
      return found
    })
    expect(events).toHaveLength(1401)
    expect(new Set(events.map(({ id }) => id)).size).toBe(1401)
  })

  test('is an array, or its beginning; and failure is caught as of a promise', async () => {
    const risiti = clientWith()
    const all = await risiti.buyers.list({ limit: 2 }).toArray()
    expect(all.length).toBeGreaterThan(3)
    expect(await risiti.buyers.list({ limit: 2 }).toArray({ limit: 3 })).toEqual(all.slice(0, 3))
    const { fetch } = watched(() => says(403, { 'risiti-reason': 'auth.capability_missing' }))
    let ended = 0
    const refused = clientWith({ fetch }).buyers.list()
    expect(await refused.catch((error: unknown) => error)).toBeInstanceOf(Refused)
    await refused.finally(() => ended++).catch(() => undefined)
    expect(ended).toBe(1)
  })
})

describe('the time that a call may take', () => {
  test('outlasts a rate limit: a minute is waited for', async () => {
    const { setTimeout: later } = globalThis
    const waits: number[] = []
    // Skips the wait. All other timers stay real: deadlines of jobs are 60 seconds, and those of kept connections 64.
    const hurrying = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms = 0) => {
      const isWait = ms >= 77_000 && ms < 78_000
      if (isWait) waits.push(ms)
      return later(run, isWait ? 0 : ms)
    }) as typeof setTimeout)
    try {
      const { fetch, requests } = watched((sent) =>
        sent === 1 ? says(429, { 'retry-after': '77' }) : says(403, { 'risiti-reason': 'auth.capability_missing' }),
      )
      expect((await refusalOf(clientWith({ fetch }).invoices.list())).status).toBe(403)
      expect([requests.length, waits.length]).toEqual([2, 1])
    } finally {
      hurrying.mockRestore()
    }
  })

  test('is shared by tries: one that hangs is given up, and the next may do better', async () => {
    const { fetch, requests } = watched((sent) =>
      sent === 1 ? new Promise(() => undefined) : says(403, { 'risiti-reason': 'auth.capability_missing' }),
    )
    const call = clientWith({ fetch, tryTimeoutMs: 50, retry: { firstMs: 1 } }).invoices.list()
    expect((await refusalOf(call)).status).toBe(403)
    expect(requests).toHaveLength(2)
  })
})
