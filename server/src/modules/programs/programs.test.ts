import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../test/harness/client.ts'
import { memberHolding } from '../../../../test/harness/custom-role.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { type Issuer, issuer } from '../../../../test/harness/invoices.ts'
import { type Life, lifeOf, ok } from '../../../../test/harness/issued.ts'
import { type McpCaller, mcpClient } from '../../../../test/harness/mcp.ts'
import { signInAssistant } from '../../../../test/harness/mcp-sign-in.ts'
import {
  approve,
  askInBrowser,
  authorizeAddress,
  connect,
  newAsking,
  oauthError,
  open,
  postForm,
  refresh,
  register,
} from '../../../../test/harness/programs.ts'
import { type SystemRoleName, systemRole } from '../../kernel/roles.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
let own: Issuer
let life: Life

beforeAll(async () => {
  app = await startTestApp({ trustProxy: { hops: 1 }, now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

const programs = '/n/v1/connected-programs'
const ofApi = () => ({ asking: { resource: app.url } })
const whoAmI = (token: string) => app.a.get('/a/v1/auth/me', { token })

async function withTools<Result>(token: string, use: (assistant: McpCaller) => Promise<Result>): Promise<Result> {
  const assistant = await mcpClient(app.url, token)
  try {
    return await use(assistant)
  } finally {
    await assistant.close()
  }
}

describe('what a program may do', () => {
  test('shrinks and grows with its person, within what it was given', async () => {
    const clerk = await memberHolding(app, own, 'invoice.read', 'buyer.read', 'api_key.read')
    const { accessToken, scope } = await connect(app, clerk, ofApi())
    expect(scope.toSorted()).toEqual(['api_key.read', 'buyer.read', 'invoice.read'])
    const capabilities = async () => (await whoAmI(accessToken)).data.capabilities
    const change = async (role: SystemRoleName) => {
      const path = `/a/v1/organizations/me/users/${clerk.userId}/role`
      ok(await app.b.patch(path, { token: own.token, body: { roleId: systemRole(role).id } }))
    }
    await change('MEMBER')
    await eventually(async () => expect(await capabilities()).toEqual(['buyer.read', 'invoice.read']))
    await change('ADMIN')
    await eventually(async () => expect(await capabilities()).toEqual(['api_key.read', 'buyer.read', 'invoice.read']))
  })

  test('may include the request log, but no keys, members or sessions', async () => {
    const { accessToken: token } = await connect(app, own, ofApi())
    expect((await app.a.get('/i/v1/request-log', { token })).status).toBe(200)
    for (const path of ['/a/v1/organizations/me/api-keys', '/a/v1/organizations/me/users', '/a/v1/auth/sessions'])
      expectRefusal(await app.a.get(path, { token }), 'auth.users_only')
  })

  test('acts in the name of its person and its own', async () => {
    const { accessToken } = await connect(app, own, ofApi())
    const made = await app.a.post('/i/v1/items', {
      token: accessToken,
      body: {
        name: 'Chalk',
        itemType: 'goods',
        hsnCode: '2523.29',
        productCategory: 'Building',
        unitCode: 'XBG',
        unitPriceMinor: '100',
        currency: 'NGN',
        taxCategory: 'standard',
      },
    })
    expect(made.status, made.text).toBe(201)
    const [event] = await app.runtime.db.rows(sql`
      select actor_kind, actor_id, actor_name from events where type = 'item.created' and object_id = ${made.data.id}`)
    expect(event).toEqual({ actorKind: 'user', actorId: own.userId, actorName: `${own.email} with Risiti CLI` })
  })

  test('is nothing in another organisation or mode', async () => {
    const { accessToken } = await connect(app, own, { ...ofApi(), agreeing: { mode: 'live' } })
    const { id } = await life.draft()
    expectRefusal(await app.a.get(`/i/v1/invoices/${id}`, { token: accessToken }), 'resource.not_found')
    expect((await whoAmI(accessToken)).data.mode).toBe('live')
  })
})

describe('a program ends', () => {
  test('with the membership, and stays ended if the person comes back', async () => {
    const owner = await app.person()
    const member = await app.member(owner.organisationId, 'ADMIN')
    const connected = await connect(app, member, ofApi())
    const status = `/a/v1/organizations/me/users/${member.userId}/status`
    ok(await app.a.patch(status, { token: owner.token, body: { status: 'suspended' } }))
    await eventually(async () => expectRefusal(await whoAmI(connected.accessToken), 'auth.token_invalid'))
    ok(await app.a.patch(status, { token: owner.token, body: { status: 'active' } }))
    await eventually(async () => expect((await whoAmI(connected.accessToken)).status).toBe(200))
    ok(await app.a.delete(`/a/v1/organizations/me/users/${member.userId}`, { token: owner.token }))
    await eventually(async () => expectRefusal(await whoAmI(connected.accessToken), 'auth.token_invalid'))
    app.clock.advance({ seconds: 1 })
    await app.runtime.db.run(sql`
      insert into memberships (organisation_id, user_id, role_id, extra_capabilities, joined_at)
      select organisation_id, ${member.userId}, role_id, extra_capabilities, ${app.clock.now()} from memberships where user_id = ${owner.userId}`)
    expectRefusal(await whoAmI(connected.accessToken), 'auth.token_invalid')
    expect((await refresh(app, connected.refreshToken)).body.error).toBe('invalid_grant')
  })

  test('with a new password', async () => {
    const person = await app.person()
    const { accessToken } = await connect(app, person, ofApi())
    const body = { currentPassword: person.password, newPassword: 'another long password' }
    ok(await app.a.post('/a/v1/auth/change-password', { token: person.token, body }))
    await eventually(async () => expectRefusal(await whoAmI(accessToken), 'auth.token_invalid'))
    expect((await app.a.get(programs, { token: person.token })).data).toEqual([])
  })

  test('thirty days after its last token', async () => {
    const person = await app.person()
    const connected = await connect(app, person, ofApi())
    const [row] = (await app.a.get(programs, { token: person.token })).data
    expect(Date.parse(row.expiresAt) - Date.parse(row.lastUsedAt)).toBe(30 * 86_400_000)
    await app.runtime.db.run(
      sql`update connected_programs set expires_at = ${app.clock.now()} where id = ${connected.id}`,
    )
    expect((await refresh(app, connected.refreshToken)).body.error).toBe('invalid_grant')
    expect((await app.a.get(programs, { token: person.token })).data).toEqual([])
  })
})

describe.each(['A', 'B'] as const)('in form %s', (form) => {
  test('a person lists, narrows and disconnects programs', async () => {
    const client = app.client(form)
    const person = await app.person()
    const { id, accessToken } = await connect(app, person, ofApi())
    const { data, body } = await client.get(programs, { token: person.token })
    expect(body.meta.pagination).toMatchObject({ page: 1, total: 1 })
    expect(data).toEqual([
      {
        id,
        program: { clientId: 'risiti-cli', name: 'Risiti CLI', host: null, isBuiltIn: true },
        person: { id: person.userId, name: 'Ngozi Eze' },
        organizationId: person.organisationId,
        organizationName: 'Eze Stores',
        mode: 'sandbox',
        resource: 'api',
        capabilities: expect.arrayContaining(['invoice.read']),
        limits: { amountMinorPerChange: null, amountMinorPerDay: null, currency: null, changesPerDay: null },
        spentToday: { amountMinor: 0, changes: 0 },
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
        expiresAt: expect.any(String),
      },
    ])
    const change = (more: object, token = person.token) => client.patch(`${programs}/${id}`, { token, body: more })
    expect(ok(await change({ capabilities: ['invoice.read'] })).capabilities).toEqual(['invoice.read'])
    await eventually(async () => expect((await whoAmI(accessToken)).data.capabilities).toEqual(['invoice.read']))
    const more = await change({ capabilities: ['invoice.read', 'buyer.read'] })
    expectRefusal(more, 'request.invalid')
    expect(faultPaths(more)).toEqual(['capabilities'])
    const limits = { amountMinorPerChange: null, amountMinorPerDay: null, currency: null, changesPerDay: 1 }
    expectRefusal(await change({ limits }), 'request.invalid')
    const stranger = await app.person()
    const ofStranger = { token: stranger.token }
    expectRefusal(await change({ capabilities: ['invoice.read'] }, stranger.token), 'resource.not_found')
    expectRefusal(await client.delete(`${programs}/${id}`, ofStranger), 'resource.not_found')
    for (const reply of [
      await client.get(programs, { token: accessToken }),
      await client.delete(`${programs}/${id}`, { token: accessToken }),
      await change({ capabilities: ['invoice.read'] }, accessToken),
    ])
      expectRefusal(reply, 'auth.users_only')
    expect(ok(await client.delete(`${programs}/${id}`, { token: person.token }))).toEqual({ id, revoked: true })
    expectRefusal(await whoAmI(accessToken), 'auth.token_invalid')
    expectRefusal(await client.delete(`${programs}/${id}`, { token: person.token }), 'resource.not_found')
  })

  test('lists come in pages, by number or by cursor, and a page has at most 100 programs', async () => {
    const client = app.client(form)
    const owner = await app.person()
    const member = await app.member(owner.organisationId, 'MEMBER')
    const mine = [await connect(app, owner), await connect(app, owner), await connect(app, owner)]
    const [first, second, third] = mine.map(({ id }) => id).reverse()
    const others = await connect(app, member)
    const list = async (query: string) => {
      const { status, data, body, text } = await client.get(`${programs}?${query}`, { token: owner.token })
      expect(status, text).toBe(200)
      return { ids: data.map(({ id }: { id: string }) => id), pagination: body.meta.pagination }
    }
    const page = await list('limit=2')
    expect(page).toMatchObject({ ids: [first, second], pagination: { page: 1, limit: 2, total: 3, totalPages: 2 } })
    expect(await list('limit=2&page=2')).toMatchObject({ ids: [third], pagination: { page: 2, total: 3 } })
    expect((await list(`limit=2&after=${page.pagination.nextCursor}`)).ids).toEqual([third])
    expect((await list('limit=2&page=3')).ids).toEqual([])
    expect((await list('scope=organization&limit=1')).pagination.total).toBe(4)
    expect(await list('scope=others')).toMatchObject({ ids: [others.id], pagination: { total: 1 } })
    expectRefusal(await client.get(`${programs}?scope=others`, { token: member.token }), 'auth.capability_missing')
    const wrong = await client.get(`${programs}?limit=101&page=0&scope=all&after=x`, { token: owner.token })
    expectRefusal(wrong, 'request.invalid')
    expect(faultPaths(wrong)).toEqual(expect.arrayContaining(['limit', 'page', 'scope']))
  })

  test('whoever manages keys sees and disconnects the programs of the organisation', async () => {
    const client = app.client(form)
    const owner = await app.person()
    const [member, viewer] = [
      await app.member(owner.organisationId, 'MEMBER'),
      await app.member(owner.organisationId, 'VIEWER'),
    ]
    const { id, accessToken } = await connect(app, member, ofApi())
    const list = (token: string) => client.get(`${programs}?scope=organization`, { token })
    expect((await list(owner.token)).data.map((one: { id: string }) => one.id)).toEqual([id])
    expect((await client.get(programs, { token: owner.token })).data).toEqual([])
    expectRefusal(await list(member.token), 'auth.capability_missing')
    expect((await list(viewer.token)).data).toHaveLength(1)
    expectRefusal(await client.delete(`${programs}/${id}`, { token: viewer.token }), 'resource.not_found')
    ok(await client.delete(`${programs}/${id}`, { token: owner.token }))
    await eventually(async () => expectRefusal(await whoAmI(accessToken), 'auth.token_invalid'))
    const trail = await app.runtime.db.rows(sql`
      select type, actor_name from events where object_id = ${id} order by id`)
    expect(trail).toEqual([
      { type: 'connected_program.created', actorName: member.email },
      { type: 'connected_program.ended', actorName: owner.email },
    ])
  })
})

test('a person has fifty programs at most', async () => {
  const person = await app.person()
  const { id } = await connect(app, person)
  await app.runtime.db.run(sql`
    insert into connected_programs (id, user_id, organisation_id, mode, member_since, client_id, name, resource, capabilities, created_at, expires_at)
    select gen_random_uuid(), user_id, organisation_id, mode, member_since, client_id, name, resource, capabilities, created_at, expires_at
      from connected_programs, generate_series(1, 49) where id = ${id}`)
  const asked = await askInBrowser(app, newAsking(app).values)
  expectRefusal(await approve(app, person, asked), 'program.too_many')
  ok(await app.a.delete(`${programs}/${id}`, { token: person.token }))
  expect((await approve(app, person, asked)).status).toBe(200)
})

describe('bounds', () => {
  const hourMs = 3600_000
  const count = async (table: 'program_clients' | 'program_requests' | 'program_tokens' | 'connected_programs') =>
    (
      await app.owner.one<{ count: number }>(sql`
      select case ${table}::text when 'program_clients' then (select count(*) from program_clients)
                                 when 'program_requests' then (select count(*) from program_requests)
                                 when 'program_tokens' then (select count(*) from program_tokens)
                                 else (select count(*) from connected_programs) end::int as count`)
    ).count

  test('strangers can make us store 20,000 programs and 50,000 open requests', async () => {
    const expiresAt = new Date(app.clock.now().getTime() + 600_000)
    await app.owner.run(sql`
      insert into program_requests (id, kind, client_id, program_name, resource, capabilities, redirect_uri, code_challenge, status, created_at, expires_at)
      select gen_random_uuid(), 'redirect', 'bound', 'Bound', ${app.url}, '{}', 'http://127.0.0.1/', 'x', 'open', ${app.clock.now()}, ${expiresAt}
        from generate_series(1, 50000)`)
    const { values } = newAsking(app)
    const full = await open(app, authorizeAddress(values))
    expect([full.status, full.text]).toEqual([503, expect.stringContaining('Too many programs are asking')])
    expect(oauthError(await postForm(app, '/oauth/device_authorization', { client_id: 'risiti-cli' }))).toEqual([
      503,
      'temporarily_unavailable',
    ])
    await app.owner.run(sql`delete from program_requests where client_id = 'bound'`)
    await app.owner.run(sql`
      insert into program_clients (client_id, name, redirect_uris, read_at, last_used_at)
      select 'bound ' || nth, 'Bound', '{}', ${app.clock.now()}, ${app.clock.now()} from generate_series(1, 20000) as nth`)
    // The one that nobody used for the longest time makes room, so strangers cannot keep others out.
    await app.owner.run(sql`
      update program_clients set last_used_at = last_used_at - interval '1 hour' where client_id in ('bound 1', 'bound 2')`)
    const metadata = { redirect_uris: ['https://program.test/'], client_name: 'One more' }
    const statuses = await Promise.all([register(app, metadata), register(app, metadata)])
    expect(statuses.map(({ status }) => status)).toEqual([201, 201])
    expect(await count('program_clients')).toBe(20_000)
    expect(
      await app.owner.rows(sql`select client_id from program_clients where client_id in ('bound 1', 'bound 2')`),
    ).toEqual([])
    await app.owner.run(sql`delete from program_clients where client_id like 'bound %'`)
  })

  test('what is over is deleted', async () => {
    const person = await app.person()
    const { id, refreshToken } = await connect(app, person)
    expect((await refresh(app, refreshToken)).status).toBe(200)
    const daysAgo = (days: number) => new Date(app.clock.now().getTime() - days * 24 * hourMs)
    await app.owner.run(sql`
      update program_tokens set used_at = ${daysAgo(31)} where used_at is not null and program_id = ${id}`)
    await app.owner.run(sql`update program_clients set last_used_at = ${daysAgo(8)}`)
    await app.owner.run(sql`update program_requests set expires_at = ${daysAgo(2)}`)
    const before = await count('program_tokens')
    await app.runJob('purge-expired')
    expect(await count('program_tokens')).toBe(before - 1)
    expect([await count('program_requests'), await count('program_clients')]).toEqual([0, 0])
    expect((await app.a.get(programs, { token: person.token })).data).toHaveLength(1)
    await app.owner.run(sql`update connected_programs set expires_at = ${daysAgo(91)} where id = ${id}`)
    const programsBefore = await count('connected_programs')
    await app.runJob('purge-expired')
    expect(await count('connected_programs')).toBe(programsBefore - 1)
  })
})

describe('spending limits', () => {
  const payment = (invoiceId: string, amount: string) => ({
    action: 'record_payment',
    invoiceId,
    amount,
    paidOn: '2026-11-14',
  })
  const limited = (limits: object) => connect(app, own, { agreeing: { limits } })
  const prepared = async (assistant: McpCaller, invoiceId: string, amount: string): Promise<string> =>
    (await assistant.call('prepare_action', payment(invoiceId, amount))).confirmation.token

  test('hold for each change, for the day and for the currency, and start again the next day', async () => {
    const limits = { amountMinorPerChange: 50_000, amountMinorPerDay: 80_000, currency: 'NGN', changesPerDay: 3 }
    const { id, accessToken } = await limited(limits)
    const { id: invoiceId } = await life.issued()
    const spentToday = async () =>
      (await app.a.get(programs, { token: own.token })).data.find((one: { id: string }) => one.id === id).spentToday
    await withTools(accessToken, async (assistant) => {
      const confirm = async (amount: string) =>
        await assistant.ask('confirm_action', { token: await prepared(assistant, invoiceId, amount) })
      const tooMuch = await confirm('500.01')
      expect(tooMuch.error).toMatchObject({
        reason: 'program.limit_reached',
        message: expect.stringContaining('NGN 500.00 for each change, NGN 800.00 a day, 3 changes a day'),
      })
      expect(await spentToday()).toEqual({ amountMinor: 0, changes: 0 })
      const token = await prepared(assistant, invoiceId, '500')
      for (let time = 0; time < 3; time++)
        expect((await assistant.call('confirm_action', { token })).done).toBeDefined()
      expect(await spentToday()).toEqual({ amountMinor: 50_000, changes: 1 })
      expect((await confirm('300.01')).error.reason).toBe('program.limit_reached')
      expect((await confirm('300')).error).toBeUndefined()
      expect((await confirm('1')).error.reason).toBe('program.limit_reached')
      // A change without money counts as a change.
      const { confirmation } = await assistant.call('prepare_action', {
        action: 'reopen',
        invoiceId: (await life.issued()).id,
      })
      expect((await assistant.ask('confirm_action', { token: confirmation.token })).error).toBeUndefined()
      const next = await assistant.call('prepare_action', { action: 'reopen', invoiceId: (await life.issued()).id })
      expect((await assistant.ask('confirm_action', { token: next.confirmation.token })).error.reason).toBe(
        'program.limit_reached',
      )
      expect(await spentToday()).toEqual({ amountMinor: 80_000, changes: 3 })
      // The day of the organisation, not that of UTC: in Lagos it is tomorrow already.
      await app.runtime.db.run(sql`update connected_programs set spent_on = spent_on - 1 where id = ${id}`)
      expect(await spentToday()).toEqual({ amountMinor: 0, changes: 0 })
      expect((await confirm('500')).error).toBeUndefined()
      expect(await spentToday()).toEqual({ amountMinor: 50_000, changes: 1 })
    })
    const body = { limits: { amountMinorPerChange: 1, amountMinorPerDay: null, currency: 'USD', changesPerDay: null } }
    ok(await app.a.patch(`${programs}/${id}`, { token: own.token, body }))
    await withTools(accessToken, async (assistant) => {
      const token = await prepared(assistant, invoiceId, '0.01')
      expect((await assistant.ask('confirm_action', { token })).error.reason).toBe('program.limit_reached')
    })
  })

  test('are in each preview, with what they leave after the change', async () => {
    const limits = { amountMinorPerChange: 50_000, amountMinorPerDay: 80_000, currency: 'NGN', changesPerDay: 3 }
    const { id, accessToken } = await limited(limits)
    const { id: invoiceId } = await life.issued()
    await withTools(accessToken, async (assistant) => {
      const prepare = (amount: string) => assistant.call('prepare_action', payment(invoiceId, amount))
      const first = await prepare('500')
      expect(first.limits).toEqual({
        isExceeded: false,
        words: [
          'This change counts NGN 500.00.',
          'Limit for each change: NGN 500.00.',
          'Left today after this change: NGN 300.00 of NGN 800.00.',
          'Changes left today after this one: 2 of 3.',
        ],
      })
      // A preview uses nothing up.
      expect((await prepare('500')).limits).toEqual(first.limits)
      expect((await prepare('500.01')).limits).toMatchObject({ isExceeded: true })
      await assistant.call('confirm_action', { token: first.confirmation.token })
      const over = await prepare('300.01')
      expect(over.limits).toMatchObject({
        isExceeded: true,
        words: expect.arrayContaining(['Left today: NGN 300.00 of NGN 800.00. This is too little for the change.']),
      })
      expect(over.next).toContain('change the limits at /settings/programs')
      const { token } = over.confirmation
      expect((await assistant.ask('confirm_action', { token })).error.reason).toBe('program.limit_reached')
      // The person raises the limit while the token still works.
      ok(
        await app.a.patch(`${programs}/${id}`, {
          token: own.token,
          body: { limits: { ...limits, amountMinorPerDay: 81_000 } },
        }),
      )
      await assistant.call('confirm_action', { token })
      const { limits: ofReopening } = await assistant.call('prepare_action', {
        action: 'reopen',
        invoiceId: (await life.issued()).id,
      })
      expect(ofReopening).toEqual({
        isExceeded: false,
        words: [
          'This change counts no money.',
          'Limit for each change: NGN 500.00.',
          'Left today after this change: NGN 9.99 of NGN 810.00.',
          'Changes left today after this one: 0 of 3.',
        ],
      })
      ok(
        await app.a.patch(`${programs}/${id}`, { token: own.token, body: { limits: { ...limits, changesPerDay: 2 } } }),
      )
      expect((await prepare('1')).limits).toMatchObject({
        isExceeded: true,
        words: expect.arrayContaining(['Changes left today: 0 of 2.']),
      })
      ok(await app.a.patch(`${programs}/${id}`, { token: own.token, body: { limits: { ...limits, currency: 'USD' } } }))
      expect((await prepare('1')).limits).toMatchObject({
        isExceeded: true,
        words: expect.arrayContaining([
          'This change counts NGN 1.00. The limits of the program are in USD, so it can use no other currency.',
        ]),
      })
    })
  })

  test('are what a program learns about itself, with what it confirmed today', async () => {
    const limits = { amountMinorPerChange: 50_000, amountMinorPerDay: null, currency: 'NGN', changesPerDay: 3 }
    const { id, accessToken, scope } = await limited(limits)
    const { id: invoiceId } = await life.issued()
    await withTools(accessToken, async (assistant) => {
      await assistant.call('confirm_action', { token: await prepared(assistant, invoiceId, '100') })
      const me = await assistant.call('who_am_i')
      expect(me).toMatchObject({
        principal: 'program',
        mode: 'sandbox',
        organizationId: own.organisationId,
        organizationName: { untrusted: expect.any(String) },
        program: { id, resource: 'mcp', limits, spentToday: { amountMinor: 10_000, changes: 1 } },
      })
      expect(me.capabilities).toEqual(scope.toSorted())
      // What the person takes away is gone, and other limits hold.
      const body = { capabilities: ['invoice.read'], limits: { ...limits, changesPerDay: 1 } }
      ok(await app.a.patch(`${programs}/${id}`, { token: own.token, body }))
      await eventually(async () =>
        expect(await assistant.call('who_am_i')).toMatchObject({
          capabilities: ['invoice.read'],
          program: { limits: { changesPerDay: 1 } },
        }),
      )
    })
  })

  test('are in the question of a client with forms, which asks for nothing that would be refused', async () => {
    const { accessToken } = await limited({ amountMinorPerDay: 10_000, currency: 'NGN' })
    const { id: invoiceId } = await life.issued()
    const questions: string[] = []
    const asking = await mcpClient(app.url, accessToken, { capabilities: { elicitation: { form: {} } } })
    asking.client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params.message)
      return { action: 'decline' }
    })
    await asking.call('prepare_action', payment(invoiceId, '40'))
    expect(questions).toEqual([expect.stringMatching(/\nLeft today after this change: NGN 60.00 of NGN 100.00.$/)])
    expect(await asking.call('prepare_action', payment(invoiceId, '100.01'))).toMatchObject({
      limits: { isExceeded: true },
    })
    expect(questions).toHaveLength(1)
    await asking.close()
  })

  test('are in no preview of a program without them', async () => {
    const { accessToken } = await limited({})
    const { id: invoiceId } = await life.issued()
    await withTools(accessToken, async (assistant) => {
      expect(await assistant.call('prepare_action', payment(invoiceId, '1'))).not.toHaveProperty('limits')
    })
  })

  test('do not begin again when nodes disagree about midnight', async () => {
    const { id, accessToken } = await limited({ amountMinorPerDay: 10_000, currency: 'NGN' })
    const { id: invoiceId } = await life.issued()
    await withTools(accessToken, async (assistant) => {
      const confirm = async () =>
        await assistant.ask('confirm_action', { token: await prepared(assistant, invoiceId, '100') })
      expect((await confirm()).error).toBeUndefined()
      // Another node counted a confirmation a moment after midnight.
      await app.runtime.db.run(sql`update connected_programs set spent_on = spent_on + 1 where id = ${id}`)
      expect((await confirm()).error?.reason).toBe('program.limit_reached')
      // A node whose clock was wrong once does not stop the program for long.
      await app.runtime.db.run(sql`update connected_programs set spent_on = spent_on + 30 where id = ${id}`)
      expect((await confirm()).error).toBeUndefined()
    })
  })

  test('hold for twenty confirmations at the same moment', async () => {
    const { id, accessToken } = await limited({ amountMinorPerDay: 70_000, currency: 'NGN' })
    const { id: invoiceId } = await life.issued()
    await withTools(accessToken, async (assistant) => {
      const tokens: string[] = []
      for (let nth = 0; nth < 20; nth++) tokens.push(await prepared(assistant, invoiceId, '100'))
      const answers = await Promise.all(tokens.map((token) => assistant.ask('confirm_action', { token })))
      const refused = answers.filter(({ error }) => error?.reason === 'program.limit_reached')
      expect(refused).toHaveLength(13)
    })
    const [row] = await app.runtime.db.rows(
      sql`select spent_minor, spent_changes from connected_programs where id = ${id}`,
    )
    expect(row).toEqual({ spentMinor: 70_000n, spentChanges: 7 })
  })

  test('belong to programs for the tools alone', async () => {
    const id = await askInBrowser(app, newAsking(app, { resource: app.url }).values)
    const refused = await approve(app, own, id, { limits: { changesPerDay: 1 } })
    expectRefusal(refused, 'request.invalid')
    expect(faultPaths(refused)).toEqual(['limits'])
    for (const limits of [{ amountMinorPerDay: 1 }, { currency: 'NGN' }, { changesPerDay: 1, currency: 'NGN' }]) {
      const tools = await askInBrowser(app, newAsking(app).values)
      const reply = await approve(app, own, tools, { limits })
      expect(faultPaths(reply)).toEqual(['limits.currency'])
    }
    for (const limits of [
      { changesPerDay: 0 },
      { amountMinorPerDay: -1, currency: 'NGN' },
      { amountMinorPerDay: 1.5, currency: 'NGN' },
      { amountMinorPerDay: 1, currency: 'naira' },
    ])
      expectRefusal(
        await approve(app, own, await askInBrowser(app, newAsking(app).values), { limits }),
        'request.invalid',
      )
  })

  test('a token of another program cannot confirm', async () => {
    const [one, other] = [await limited({ changesPerDay: 5 }), await limited({})]
    const { id: invoiceId } = await life.issued()
    const token = await withTools(one.accessToken, (assistant) => prepared(assistant, invoiceId, '1'))
    await withTools(other.accessToken, async (assistant) => {
      expect((await assistant.ask('confirm_action', { token })).error.reason).toBe('confirmation.unknown')
    })
  })
})

test('what a program started goes on with the rights that it has', async () => {
  const { id, accessToken } = await connect(app, own, ofApi())
  const { id: invoiceId } = await life.issued()
  const link = ok(await app.a.get(`/i/v1/invoices/${invoiceId}/download`, { token: accessToken }))
  const at = `${app.url}${new URL(link.url, app.url).pathname}`
  expect((await fetch(at)).status).toBe(200)
  ok(await app.a.delete(`${programs}/${id}`, { token: own.token }))
  expect((await fetch(at)).status).toBe(404)
})

test('the official client of the Model Context Protocol signs in by itself', async () => {
  const assistant = await signInAssistant(app, own)
  expect(assistant.shown).toMatchObject({
    program: { name: 'Assistant of a test', host: null, isBuiltIn: false },
    resource: 'mcp',
    redirectHost: 'localhost:49153',
  })
  expect(await assistant.names()).toContain('prepare_invoice')
  await assistant.close()
})
