import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { origin, type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { memberHolding } from '../../../../../test/harness/custom-role.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { forbiddenV4 } from '../../../../../test/harness/forbidden-hosts.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import { sql } from '../../../platform/database/sql.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { publicOnly } from '../../../platform/outbound/public-urls.ts'

let app: TestApp
let owner: Person

beforeAll(async () => {
  app = await startTestApp({ webhookRules: publicOnly(['risiti.example']) })
  owner = await app.person()
  await app.openAccount(owner.organisationId)
})
afterAll(() => app.close())

const goods = {
  name: 'Broiler',
  description: 'Day old',
  itemType: 'goods',
  hsnCode: '0105.11',
  productCategory: 'Poultry',
  unitCode: 'EA',
  unitPriceMinor: '350000',
  currency: 'NGN',
  taxCategory: 'STANDARD_VAT',
}
const good = { url: 'https://hooks.example.com/in?x=1', events: ['invoice.*', 'buyer.created'] }
const create = (body: object = {}, by = owner, headers = {}) =>
  app.a.post('/n/v1/webhook-endpoints', { token: by.token, body: { ...good, ...body }, headers })
const at = (id: string) => `/n/v1/webhook-endpoints/${id}`
const token = () => ({ token: owner.token })

describe('an endpoint', () => {
  test('is created with a secret that is shown once', async () => {
    const headers = { 'idempotency-key': 'webhook-once-1' }
    const made = await create({ description: 'Shop' }, owner, headers)
    expect([made.status, made.headers.get('location')]).toEqual([201, at(made.data.id)])
    const { secret, ...view } = made.data
    expect(view).toMatchObject({
      url: good.url,
      description: 'Shop',
      events: good.events,
      enabled: true,
      status: 'enabled',
      mode: 'sandbox',
      suppressedTypes: [],
      createdBy: owner.userId,
    })
    expect((await create({ description: 'Shop' }, owner, headers)).data).toEqual({ ...view, secretAlreadyShown: true })
    expect((await app.a.get(at(view.id), token())).data).toEqual(view)
    const listed = (await app.a.get('/n/v1/webhook-endpoints', token())).data
    expect(listed).toContainEqual(view)
    const dump = JSON.stringify(
      await app.runtime.db.rows(sql`select * from webhook_endpoints where id = ${view.id}`),
      (_, value) => (typeof value === 'bigint' ? String(value) : value),
    )
    expect(dump).not.toContain(secret.slice(6))
  })

  test('can have its secret rotated, and a repeated request does not show it again', async () => {
    const { id, secret } = (await create()).data
    const headers = { 'idempotency-key': 'rotate-once-1' }
    const rotate = () => app.a.post(`${at(id)}/rotate-secret`, { ...token(), headers, body: { overlapSeconds: 60 } })
    const { data } = await rotate()
    expect(data.secret).not.toBe(secret)
    expect(Date.parse(data.previousSecretUntil)).toBe(app.clock.now().getTime() + 60_000)
    const { secret: _, ...view } = data
    expect((await rotate()).data).toEqual({ ...view, secretAlreadyShown: true })
  })

  test('is the same in the other form, with other names', async () => {
    const path = '/a/v1/organizations/me/webhooks'
    const body = { url: good.url, events: ['payment.*'], retryConfig: { maxAttempts: 5 } }
    const made = await app.b.post(path, { ...token(), body })
    expect(made.status).toBe(201)
    const { secret, ...view } = made.data
    expect(secret).toMatch(/^whsec_/)
    expect(view).toMatchObject({
      environment: 'sandbox',
      isActive: true,
      retryConfig: { maxAttempts: 5, timeoutMs: 10_000 },
    })
    expect((await app.b.get(`${path}/${view.id}`, token())).data).toEqual(view)
    expect((await app.b.get(path, token())).data).toContainEqual(view)
    const changed = await app.b.patch(`${path}/${view.id}`, {
      ...token(),
      body: { isActive: false, retryConfig: null, description: 'Off' },
    })
    expect(changed.data).toMatchObject({ isActive: false, disabledCause: 'manual', retryConfig: { maxAttempts: 3 } })
    expect((await app.b.get(`${path}/${view.id}/deliveries`, token())).data).toEqual([])
    expect((await app.b.delete(`${path}/${view.id}`, token())).data).toEqual({ id: view.id })
    expect((await app.b.get(`${path}/${view.id}`, token())).status).toBe(404)
  })

  const plan = { maxAttempts: 20, initialDelayMs: 5_000, multiplier: 2.5, maxDelayMs: 86_400_000, timeoutMs: 30_000 }
  const contractual = {
    maxAttempts: 3,
    initialDelayMs: 1_000,
    multiplier: 2,
    maxDelayMs: 86_400_000,
    timeoutMs: 10_000,
  }
  const pathInB = '/a/v1/organizations/me/webhooks'
  test.each([
    ['in the capability-based form', () => app.a, '/n/v1/webhook-endpoints'],
    ['in the role-based form', () => app.b, pathInB],
  ] as const)('is retried by the contract’s plan, or by its own plan, %s', async (_, form, path) => {
    const body = { url: good.url, events: ['buyer.created'] }
    const usual = await form().post(path, { ...token(), body })
    expect(usual.data.retryConfig).toEqual(contractual)
    const made = await form().post(path, { ...token(), body: { ...body, retryConfig: plan } })
    expect([made.status, made.data.retryConfig]).toEqual([201, plan])
    const own = `${path}/${made.data.id}`
    const changed = (retryConfig: object | null) => form().patch(own, { ...token(), body: { retryConfig } })
    expect((await changed({ maxAttempts: 2 })).data.retryConfig).toEqual({ ...contractual, maxAttempts: 2 })
    expect((await form().get(own, token())).data.retryConfig).toEqual({ ...contractual, maxAttempts: 2 })
    expect((await changed(null)).data.retryConfig).toEqual(contractual)
    const wrong = await changed({
      maxAttempts: 21,
      initialDelayMs: 99,
      multiplier: 0.5,
      maxDelayMs: 86_400_001,
      timeoutMs: 30_001,
    })
    expect([wrong.status, faultPaths(wrong).sort()]).toEqual([
      400,
      ['initialDelayMs', 'maxAttempts', 'maxDelayMs', 'multiplier', 'timeoutMs'].map((name) => `retryConfig.${name}`),
    ])
    // A plan that was saved before delays had a longest reads as one with the usual longest.
    await app.runtime.db.run(
      sql`update webhook_endpoints set plan = ${JSON.stringify({ ...plan, maxDelayMs: undefined })} where id = ${made.data.id}`,
    )
    expect((await form().get(own, token())).data.retryConfig).toEqual(plan)
    for (const { id } of [usual.data, made.data]) await form().delete(`${path}/${id}`, token())
  })

  test('moves to the latest versions on request, and each change emits one event', async () => {
    const { id } = (await create()).data
    const { data } = await app.a.patch(at(id), { ...token(), body: { upgradeVersions: true, description: 'New' } })
    expect(data).toMatchObject({ eventVersions: 1, description: 'New' })
    await app.a.patch(at(id), { ...token(), body: { description: 'New' } })
    const told = (await app.a.get('/n/v1/webhook-events?type=webhook_endpoint.updated', token())).data
    expect(
      told.filter((event: { data: { object: object } }) => JSON.stringify(event.data.object).includes(id)),
    ).toMatchObject([{ data: { object: { changed: ['description'], host: 'hooks.example.com' } } }])
  })

  test('counts towards a limit of fifty', async () => {
    const crowd = await app.person()
    const many = (count: number) => Promise.all(Array.from({ length: count }, () => create({}, crowd)))
    for (let made = 0; made < 45; made += 9)
      expect((await many(9)).map(({ status }) => status)).toEqual(Array(9).fill(201))
    // Of any number of concurrent requests, only those within the limit succeed.
    const last = await many(10)
    expect(last.filter(({ status }) => status === 201)).toHaveLength(5)
    for (const reply of last.filter(({ status }) => status !== 201)) expectRefusal(reply, 'webhook.too_many')
  })
})

describe('refused endpoints', () => {
  const long = `https://hooks.example.com/${'x'.repeat(2_049 - 26)}`
  test.each([
    ['http', { url: 'http://hooks.example.com/' }],
    ['a user in it', { url: 'https://me@hooks.example.com/' }],
    ['a password in it', { url: 'https://me:pass@hooks.example.com/' }],
    ['2,049 characters', { url: long }],
    ['no URL', { url: 'hooks' }],
    ['no text', { url: 7 }],
    ['another port', { url: 'https://hooks.example.com:22/' }],
    ['ourselves', { url: 'https://risiti.example/' }],
    ['a name of the inside', { url: 'https://localhost/' }],
    ['a single label', { url: 'https://intranet/' }],
    ['loopback', { url: 'https://127.1/' }],
    ['loopback in IPv6', { url: 'https://[::1]/' }],
  ])('a URL with %s is refused', async (_, body) => {
    const form = {
      a: await create(body),
      b: await app.b.post('/a/v1/organizations/me/webhooks', { ...token(), body: { ...good, ...body } }),
    }
    for (const reply of [form.a, form.b]) {
      expect([reply.status, reply.body.error.code]).toEqual([400, 'VAL001'])
      expect(faultPaths(reply)).toContain('url')
    }
  })

  test('private addresses are refused on creation and change', async () => {
    const { id } = (await create()).data
    for (const address of forbiddenV4) {
      const url = `https://${address}/`
      for (const reply of [await create({ url }), await app.a.patch(at(id), { ...token(), body: { url } })])
        expect([address, reply.status, faultPaths(reply)]).toEqual([address, 400, ['url']])
    }
  })

  test('in live mode an IP address in place of a host name is refused', async () => {
    const live = await app.member(owner.organisationId, 'OWNER', { mode: 'live' })
    for (const url of ['https://8.8.8.8/', 'https://[2606:4700:4700::1111]/']) {
      expect((await create({ url })).status).toBe(201)
      const { id } = (await create({}, live)).data
      const path = '/a/v1/organizations/me/webhooks'
      for (const reply of [
        await create({ url }, live),
        await app.a.patch(at(id), { token: live.token, body: { url } }),
        await app.b.post(path, { token: live.token, body: { ...good, url } }),
      ])
        expect([reply.status, faultPaths(reply)]).toEqual([400, ['url']])
    }
  })

  test.each([
    ['no type', ['invoice.nothing']],
    ['nothing', []],
    ['101 patterns', Array.from({ length: 101 }, () => 'invoice.paid')],
    ['a ping', ['webhook_endpoint.pinged']],
    ['no text', [7]],
  ])('events of %s are refused', async (_, events) => {
    const { id } = (await create()).data
    const path = '/a/v1/organizations/me/webhooks'
    for (const reply of [
      await create({ events }),
      await app.a.patch(at(id), { ...token(), body: { events } }),
      await app.b.post(path, { ...token(), body: { ...good, events } }),
      await app.b.patch(`${path}/${id}`, { ...token(), body: { events } }),
    ])
      expect([reply.status, reply.body.error.code]).toEqual([400, 'VAL001'])
  })

  test('every fault is listed', async () => {
    const reply = await create({ url: 'http://x.example', events: ['nothing', 'invoice.paid', 'none.*'] })
    expect(faultPaths(reply)).toEqual(['events[0]', 'events[2]', 'url'])
  })

  test('an overlap of more than a week, a replay of what is not enabled, an unknown field', async () => {
    const { id } = (await create()).data
    const replies = [
      await app.a.post(`${at(id)}/rotate-secret`, { ...token(), body: { overlapSeconds: 604_801 } }),
      await app.a.post(`${at(id)}/rotate-secret`, { ...token(), body: { overlapSeconds: -1 } }),
      await app.a.patch(at(id), { ...token(), body: { replayMissed: true } }),
      await app.a.patch(at(id), { ...token(), body: { secret: 'whsec_mine' } }),
      await app.a.post(`${at(id)}/test`, { ...token(), body: { type: 'invoice.nothing' } }),
      await app.b.patch(`/a/v1/organizations/me/webhooks/${id}`, {
        ...token(),
        body: { retryConfig: { maxAttempts: 21 } },
      }),
    ]
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(400))
  })

  test('endpoints of another organisation or mode are not found', async () => {
    const stranger = await app.person()
    const { id } = (await create()).data
    const live = await app.person({ mode: 'live' })
    const liveOwn = await app.member(owner.organisationId, 'OWNER', { mode: 'live' })
    const tokens = [stranger.token, live.token, liveOwn.token]
    for (const by of tokens) {
      const replies = [
        await app.a.get(at(id), { token: by }),
        await app.a.patch(at(id), { token: by, body: { enabled: false } }),
        await app.a.delete(at(id), { token: by }),
        await app.a.post(`${at(id)}/rotate-secret`, { token: by, body: {} }),
        await app.a.post(`${at(id)}/test`, { token: by, body: {} }),
        await app.a.post(`/n/v1/webhook-deliveries/${newId()}/redeliver`, { token: by }),
        await app.a.get(`/n/v1/webhook-deliveries/${newId()}`, { token: by }),
        await app.b.get(`/a/v1/organizations/me/webhooks/${id}`, { token: by }),
        await app.b.get(`/a/v1/organizations/me/webhooks/${id}/deliveries`, { token: by }),
      ]
      expect(replies.map(({ status }) => status)).toEqual(Array(replies.length).fill(404))
    }
    const [event] = (await app.a.get('/n/v1/webhook-events?limit=1', token())).data
    const elsewhere = (await create({}, stranger)).data
    const replies = [
      await app.a.post(`/n/v1/webhook-events/${event.id}/redeliver`, {
        ...token(),
        body: { endpointId: elsewhere.id },
      }),
      await app.a.post(`/n/v1/webhook-events/${event.id}/redeliver`, {
        token: stranger.token,
        body: { endpointId: elsewhere.id },
      }),
      await app.a.get(`/n/v1/webhook-events/${event.id}`, { token: stranger.token }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404])
  })

  test('a key cannot manage endpoints', async () => {
    const key = await app.key(owner.organisationId)
    const reply = await app.a.post('/n/v1/webhook-endpoints', { token: key, body: good })
    expectRefusal(reply, 'auth.users_only')
    expect((await app.a.get('/n/v1/webhook-endpoints', { token: key })).status).toBe(200)
  })
})

describe('read access', () => {
  test('is fixed when the address or the events are set', async () => {
    const by = await memberHolding(
      app,
      owner,
      'webhook.endpoint.read',
      'webhook.endpoint.manage',
      'webhook.delivery.redeliver',
      'invoice.read',
    )
    const made = (await create({ events: ['buyer.*', 'invoice.paid'] }, by)).data
    expect(made.suppressedTypes).toContain('buyer.created')
    expect(made.suppressedTypes).not.toContain('invoice.paid')
    const kept = await app.a.patch(at(made.id), { ...token(), body: { description: 'Only words' } })
    expect(kept.data.suppressedTypes).toEqual(made.suppressedTypes)
    const buyer = (await app.a.post('/i/v1/buyers', { ...token(), body: { name: 'Kept back' } })).data
    const [event] = (await app.a.get('/n/v1/webhook-events?type=buyer.created', token())).data
    expect(event.data.object.buyerId).toBe(buyer.id)
    const refused = await app.a.post(`/n/v1/webhook-events/${event.id}/redeliver`, {
      ...token(),
      body: { endpointId: made.id },
    })
    expectRefusal(refused, 'webhook.not_entitled')
    const saved = await app.a.patch(at(made.id), { ...token(), body: { events: ['buyer.*', 'invoice.paid'] } })
    expect(saved.data.suppressedTypes).toEqual([])
    // An editor who redirects an endpoint receives only what they may read.
    const turned = await app.a.patch(at(made.id), { token: by.token, body: { url: 'https://other.example.com/' } })
    expect(turned.data.suppressedTypes).toEqual(made.suppressedTypes)
  })

  test('decides which types can be subscribed to and which events can be read', async () => {
    const key = await app.key(owner.organisationId, {
      capabilities: ['webhook.endpoint.read', 'webhook.delivery.read', 'webhook.endpoint.test', 'buyer.read'],
    })
    const types = (await app.a.get('/n/v1/webhook-event-types', { token: key })).data
    const of = (type: string) => types.find((entry: { type: string }) => entry.type === type)
    expect(of('buyer.created')).toEqual({
      type: 'buyer.created',
      description: 'A buyer was created. The payload is the buyer.',
      version: 1,
      family: 'buyer',
      scope: 'mode',
      status: 'available',
      capability: 'buyer.read',
      subscribable: true,
      formBName: 'buyer.created',
      sample: expect.objectContaining({ type: 'buyer.created', data: expect.objectContaining({ objectVersion: 1 }) }),
    })
    expect(['invoice.payment_recorded', 'member.joined'].map((type) => of(type).formBName)).toEqual([
      null,
      'user.created',
    ])
    expect([
      of('invoice.paid').subscribable,
      of('webhook_endpoint.pinged').subscribable,
      of('member.joined').scope,
    ]).toEqual([false, false, 'organization'])
    await app.a.post('/i/v1/buyers', { ...token(), body: { name: 'Read of' } })
    const events = (await app.a.get('/n/v1/webhook-events?limit=100', { token: key })).data
    expect(new Set(events.map(({ type }: { type: string }) => type.split('.')[0]))).toEqual(
      new Set(['buyer', 'webhook_endpoint']),
    )
    const { id } = (await create()).data
    expectRefusal(
      await app.a.post(`${at(id)}/test`, { token: key, body: { type: 'invoice.paid' } }),
      'auth.capability_missing',
    )
  })
})

describe('the feed', () => {
  test('is followed by a cursor without missing late commits', async () => {
    const reader = await app.person()
    await app.openAccount(reader.organisationId)
    const read = async (after: string) =>
      (await app.a.get(`/n/v1/webhook-events?type=item.*&limit=2&after=${after}`, { token: reader.token })).data
    const item = async (name: string) =>
      await app.a.post('/i/v1/items', {
        token: reader.token,
        body: { ...goods, name, sku: name },
      })
    const first = await item('One')
    expect(first.status).toBe(201)
    // An event of a transaction that began early and commits late.
    const late = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const slow = app.runtime.db.transaction(async (tx) => {
      await tx.run(sql`
        insert into events (organisation_id, id, mode, type, object_id, data, actor_kind, actor_name, address, user_agent, request_id, created_at)
        values (${reader.organisationId}, ${newId()}, 'sandbox', 'item.updated', 'late', '{"itemId": "late", "name": "Late", "sku": null, "itemType": "goods"}', 'system', 'test', '', '', 'test', ${app.clock.now()})`)
      begun.resolve()
      await late.promise
    })
    await begun.promise
    const behind = item('Two').then(() => item('Three'))
    const seen: string[] = []
    let cursor = 'start'
    const follow = async () => {
      for (let looks = 0; looks < 10; looks++) {
        const events = await read(cursor)
        if (events.length === 0) return
        seen.push(...events.map((event: { data: { object: { name: string } } }) => event.data.object.name))
        cursor = events.at(-1).cursor
      }
    }
    await follow()
    expect(seen).toEqual(['One'])
    late.resolve()
    await slow
    await behind
    await follow()
    expect(seen).toEqual(['One', 'Late', 'Two', 'Three'])
    expect(cursor).toMatch(/^\d+$/)
    const refusals = {
      '1.2': 'must be the nextCursor of a page',
      '1.4711.42': 'is a cursor of an earlier version',
      [Number(cursor) + 1_000]: 'is ahead of the newest event',
    }
    for (const [after, message] of Object.entries(refusals)) {
      const bad = await app.a.get(`/n/v1/webhook-events?after=${after}`, { token: reader.token })
      expect([after, bad.status, faultPaths(bad)]).toEqual([after, 400, ['after']])
      expect(JSON.stringify(bad.body)).toContain(message)
    }
  })

  test('shows how many are left, up to a limit', async () => {
    const reader = await app.person()
    const told = { itemId: 'i', name: 'I', sku: null, itemType: 'goods' } as const
    const happening = operation({ needs: [], refuses: [] }, async ({ emit }) => {
      for (let version = 1; version <= 1_005; version++)
        emit('item.updated', { organisationId: reader.organisationId, mode: 'sandbox', objectId: 'i', version }, told)
    })
    await app.runner.run(happening, { caller: systemCaller, origin, input: undefined })
    const read = async (query: string) => {
      const path = `/n/v1/webhook-events?type=item.*&limit=3&${query}`
      const { body } = await app.a.get(path, { token: reader.token })
      return { total: body.meta.pagination.total, cursor: body.data.at(-1)?.cursor }
    }
    const newest = await Promise.all(['page=1', 'page=2'].map(read))
    // At most 1,000 beyond the page.
    expect(newest.map(({ total }) => total)).toEqual([1_003, 1_005])
    const first = await eventually(async () => {
      const found = await read('after=start')
      expect(found.cursor).toBeDefined()
      return found
    })
    expect([first.total, (await read(`after=${first.cursor}`)).total]).toEqual([1_000, 1_000])
    // The order is the same for few types and for all, although they are read differently.
    const followed = async (type: string) => {
      const path = `/n/v1/webhook-events?type=${type}&limit=100&after=start`
      const { data } = await app.a.get(path, { token: reader.token })
      return data.filter((event: { type: string }) => event.type === 'item.updated').map(({ id }: { id: string }) => id)
    }
    const [few, every] = [await followed('item.*'), await followed('*')]
    expect(every.length).toBeGreaterThan(50)
    expect(few.slice(0, every.length)).toEqual(every)
    // Newest first, page by page, for few types and for all.
    const versions = async (query: string) => {
      const { data } = await app.a.get(`/n/v1/webhook-events?${query}`, { token: reader.token })
      const items = data.filter(({ type }: { type: string }) => type === 'item.updated')
      return items.map((event: { data: { objectVersion: number } }) => event.data.objectVersion)
    }
    expect(await versions('type=item.*&limit=3&page=3')).toEqual([999, 998, 997])
    expect((await versions('type=*&limit=20')).slice(0, 3)).toEqual([1_005, 1_004, 1_003])
  })

  test('ends after thirty days', async () => {
    const key = await app.key(owner.organisationId)
    const [event] = (await app.a.get('/n/v1/webhook-events', { token: key })).data
    const read = () => app.a.get(`/n/v1/webhook-events/${event.id}`, { token: key })
    expect((await read()).data).toEqual(event)
    const before = app.clock.now()
    app.clock.advance({ days: 30, minutes: 1 })
    expect((await read()).status).toBe(404)
    expect((await app.a.get('/n/v1/webhook-events', { token: key })).data).toEqual([])
    app.clock.set(before)
  })
})
