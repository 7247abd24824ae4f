import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { origin, type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths, type Reply } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import {
  becomeBusiness,
  confirmTaxNumber,
  recordOf,
  renameOrganisation,
} from '../../../../test/harness/live-business.ts'
import { eventsAbout } from '../../../../test/harness/purchases.ts'
import type { UserCaller } from '../../kernel/callers.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { sql } from '../../platform/database/sql.ts'
import { type ConnectInput, connectToAuthority } from './connect.ts'
import { findConnection } from './connections.store.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox', 'live'] })
})
afterAll(() => app.close())
afterEach(() => app.authority.control.misbehave(undefined))

const path = '/i/v1/tax-connection'
const registration = '/a/v1/organizations/me/tax-registration'
const unknown = () => randomUUID().replace(/....$/, '0000')
/** An id that the simulated authority knows. */
const known = () => randomUUID().replace(/....$/, '7d11')

interface ConnectWish {
  readonly businessId?: string
  readonly serviceId?: string
  readonly template?: string
  readonly keys?: { apiKey: string; apiSecret: string }
}

/** Field names in which the two forms differ. */
const inForm = {
  A: {
    connect: (
      { token }: Person,
      { businessId = known(), serviceId = '94ND90NR', keys }: ConnectWish = {},
    ): Promise<Reply> =>
      app.a.post(path, {
        token,
        body: {
          authorityIdentifiers: { businessId, serviceId },
          consent: { accepted: true, textVersion: '2026-11' },
          ...(keys ? { credentials: keys } : {}),
        },
      }),
    read: ({ token }: { token: string }) => app.a.get(path, { token }),
    revoke: ({ token }: Person) => app.a.delete(path, { token, body: { reason: 'We move to another provider' } }),
    created: 201,
    silent: 502,
    serviceIdPath: 'authorityIdentifiers.serviceId',
    taxId: 'taxId',
  },
  B: {
    connect: (
      { token }: Person,
      { businessId = known(), serviceId = '94ND90NR', template, keys }: ConnectWish = {},
    ): Promise<Reply> =>
      app.b.put(registration, {
        token,
        body: {
          nrsBusinessId: businessId,
          nrsServiceId: serviceId,
          ...(template === undefined ? {} : { irnTemplate: template }),
          ...(keys ? { nrsApiKey: keys.apiKey, nrsApiSecret: keys.apiSecret } : {}),
        },
      }),
    read: ({ token }: { token: string }) => app.b.get(registration, { token }),
    revoke: ({ token }: Person) => app.b.post(`${registration}/revoke`, { token }),
    created: 200,
    silent: 400,
    serviceIdPath: 'nrsServiceId',
    taxId: 'taxNo',
  },
}

const rowOf = (organisationId: Person['organisationId'], mode: Mode = 'sandbox') =>
  findConnection(app.runtime.db, { organisationId, mode })
const told = async ({ organisationId }: Person, mode: Mode = 'sandbox') =>
  (await eventsAbout(app, (await rowOf(organisationId, mode))?.id ?? '')).map(({ type }) => type)

describe.each(['A', 'B'] as const)('spoken as %s', (form) => {
  const { connect, read, revoke, created, silent, serviceIdPath, taxId } = inForm[form]

  test('a new organisation is not connected', async () => {
    const { data } = await read(await app.person())
    if (form === 'B') expect(data).toBeNull()
    else
      expect(data).toMatchObject({
        status: 'NOT_CONNECTED',
        authorityIdentifiers: null,
        consent: { textVersion: '2026-11', text: expect.stringMatching(/\S/), acceptedVersion: null },
      })
  })

  test('a business is connected at once, and its number becomes that of the organisation', async () => {
    const person = await app.person()
    const connected = await connect(person)
    expect(connected.status, connected.text).toBe(created)
    expect(connected.data).toMatchObject({
      status: 'CONNECTED',
      problem: null,
      [taxId]: expect.stringMatching(/^\d{8}-0001$/),
      connectedAt: expect.any(String),
    })
    expect((await read(person)).data).toEqual(connected.data)
    const number = connected.data[taxId]
    const { data: sellers } = await app.a.get('/i/v1/sellers', { token: person.token })
    expect(sellers).toMatchObject([{ taxId: number, taxIdStatus: 'verified' }])
    const { data: organisation } = await app.b.get('/a/v1/organizations/me', { token: person.token })
    expect(organisation).toMatchObject({ taxNo: number, taxNoVerified: true })
    expect(await told(person)).toEqual(['tax_connection.connected'])
    expect((await eventsAbout(app, person.organisationId)).map(({ type }) => type)).toContain(
      'organization.tax_number_verified',
    )
  })

  test('an unknown business stays pending, with the reason', async () => {
    const person = await app.person()
    const refused = await connect(person, { businessId: unknown() })
    expectRefusal(refused, 'tax_connection.not_verified')
    expect([refused.status, refused.body.error.code]).toEqual([400, 'TAX001'])
    const { data } = await read(person)
    expect(data).toMatchObject({ status: 'PENDING', problem: refused.body.error.message, connectedAt: null })
    expect(await told(person)).toEqual(['tax_connection.failed'])
    expect((await connect(person)).data).toMatchObject({ status: 'CONNECTED', problem: null })
    expect(await told(person)).toEqual(['tax_connection.failed', 'tax_connection.connected'])
  })

  test.each(['down', 'error', 'nonsense', 'truncated', 'busy'] as const)(
    'an authority that is %s does not connect',
    async (fault) => {
      const person = await app.person()
      app.authority.control.misbehave(fault)
      const refused = await connect(person)
      expectRefusal(refused, 'tax_connection.no_answer')
      expect([refused.status, refused.body.error.code]).toEqual([silent, 'TAX001'])
      expect((await read(person)).data).toMatchObject({ status: 'PENDING' })
    },
  )

  test.each([
    ['seven characters', '94ND90N'],
    ['nine', '94ND90NRX'],
    ['small letters', '94nd90nr'],
    ['a dash', '94ND-0NR'],
  ])('a service id of %s is refused, and nothing changes', async (_, serviceId) => {
    const person = await app.person()
    const refused = await connect(person, { serviceId })
    expectRefusal(refused, 'request.invalid')
    expect(faultPaths(refused)).toEqual([serviceIdPath])
    expect(await rowOf(person.organisationId)).toBeUndefined()
  })

  test('a revoked connection stays revoked until a new connection', async () => {
    const person = await app.person()
    expectRefusal(await revoke(person), 'resource.not_found')
    await connect(person)
    const revoked = await revoke(person)
    expect([revoked.status, revoked.data.status]).toEqual([200, 'REVOKED'])
    app.clock.advance({ minutes: 1 })
    expect((await revoke(person)).data).toEqual(revoked.data)
    expect((await read(person)).data).toEqual(revoked.data)
    expect((await connect(person)).data).toMatchObject({ status: 'CONNECTED', revokedAt: null })
    expect(await told(person)).toEqual([
      'tax_connection.connected',
      'tax_connection.revoked',
      'tax_connection.connected',
    ])
  })

  test('each mode has its own connection', async () => {
    const person = await app.person()
    const live = await app.member(person.organisationId, 'OWNER', { mode: 'live' })
    await connect(person)
    expect((await read(live)).data?.status ?? 'NOT_CONNECTED').toBe('NOT_CONNECTED')
    await revoke(person)
    expectRefusal(await revoke(live), 'resource.not_found')
  })

  test('a key can read the connection, but not change it', async () => {
    const person = await app.person()
    await connect(person)
    const token = await app.key(person.organisationId)
    expect((await read({ token })).data.status).toBe('CONNECTED')
    expectRefusal(await connect({ ...person, token }), 'auth.users_only')
    expectRefusal(await revoke({ ...person, token }), 'auth.users_only')
  })

  test('own authority keys are stored sealed and never shown', async () => {
    const person = await app.person()
    const keys = { apiKey: `key-${randomUUID()}`, apiSecret: `secret-${randomUUID()}` }
    const refused = await connect(person, { keys })
    expectRefusal(refused, 'tax_connection.not_verified')
    expect(refused.body.error.message).toMatch(/keys/)
    const { text, data } = await read(person)
    expect(data.status).toBe('PENDING')
    expect(data.hasOwnCredentials).toBe(true)
    const rows = await app.runtime.db.rows(sql`
      select (select string_agg(to_jsonb(c)::text, '') from tax_connections c where organisation_id = ${person.organisationId}) as connections,
             (select string_agg(to_jsonb(e)::text, '') from events e where organisation_id = ${person.organisationId}) as events`)
    for (const secret of Object.values(keys)) expect(`${text}${JSON.stringify(rows)}`).not.toContain(secret)
  })
})

describe('consent', () => {
  const body = () => ({ authorityIdentifiers: { businessId: known(), serviceId: '94ND90NR' } })
  test.each([
    ['not given', { accepted: false, textVersion: '2026-11' }, ['consent.accepted']],
    ['to an older wording', { accepted: true, textVersion: '2019-01' }, ['consent.textVersion']],
    ['to no wording', { accepted: true }, ['consent.textVersion']],
    ['forgotten', undefined, ['consent']],
  ])('%s: the organisation is not connected', async (_, consent, paths) => {
    const { token, organisationId } = await app.person()
    const refused = await app.a.post(path, { token, body: { ...body(), ...(consent ? { consent } : {}) } })
    expectRefusal(refused, 'request.invalid')
    expect(faultPaths(refused)).toEqual(paths)
    expect(await rowOf(organisationId)).toBeUndefined()
  })

  test('is stored with the person and the time', async () => {
    const person = await app.person()
    await inForm.A.connect(person)
    expect(await rowOf(person.organisationId)).toMatchObject({
      consentVersion: '2026-11',
      consentedBy: person.userId,
      consentedAt: expect.any(Date),
    })
    expect((await inForm.A.read(person)).data.consent).toMatchObject({ acceptedVersion: '2026-11' })
  })
})

test('a tax number is refused as a field, and all faults are listed', async () => {
  const { token, organisationId } = await app.person()
  const refused = await app.a.post(path, {
    token,
    body: {
      taxId: '20198222-0002',
      authorityIdentifiers: { businessId: 'x' },
      consent: { accepted: false, textVersion: '2026-11' },
    },
  })
  expectRefusal(refused, 'request.invalid')
  expect(faultPaths(refused)).toEqual([
    'authorityIdentifiers.businessId',
    'authorityIdentifiers.serviceId',
    'consent.accepted',
    'taxId',
  ])
  expect(await rowOf(organisationId)).toBeUndefined()
})

test('a connected organisation can change its connection, but not create a second', async () => {
  const person = await app.person()
  const first = await inForm.A.connect(person)
  expectRefusal(await inForm.A.connect(person), 'tax_connection.exists')
  expect((await inForm.A.read(person)).data).toEqual(first.data)
  // A connection that cannot be verified does not replace a working one.
  expectRefusal(await inForm.B.connect(person, { businessId: unknown() }), 'tax_connection.not_verified')
  app.authority.control.misbehave('down')
  expectRefusal(await inForm.B.connect(person), 'tax_connection.no_answer')
  app.authority.control.misbehave(undefined)
  expect((await inForm.A.read(person)).data).toEqual(first.data)
  const businessId = known()
  expect((await inForm.B.connect(person, { businessId, serviceId: 'AAAA1111' })).data).toMatchObject({
    status: 'CONNECTED',
    nrsBusinessId: businessId,
    nrsServiceId: 'AAAA1111',
    irnTemplate: '{{invoice_id}}-AAAA1111-{{YYYYMMDD}}',
  })
  expect((await inForm.A.read(person)).data.consent.acceptedVersion).toBe('2026-11')
})

test.each([
  ['{{invoice_id(e.g:INV00XXX)}}-94ND90NR-{{YYYYMMDD(e.g:20250629)}}', 200],
  ['{{invoice_id}}-94ND90NR-{{YYYYMMDD}}', 200],
  ['{{invoice_id}}-AAAA1111-{{YYYYMMDD}}', 400],
  ['{{YYYYMMDD}}-94ND90NR', 400],
])('the template %s answers %i', async (template, status) => {
  const person = await app.person()
  const reply = await inForm.B.connect(person, { template })
  expect(reply.status, reply.text).toBe(status)
  if (status === 200) expect(reply.data.irnTemplate).toBe(template)
  else expect(faultPaths(reply)).toEqual(['irnTemplate'])
})

test('half a pair of keys is refused', async () => {
  const { token } = await app.person()
  const body = { nrsBusinessId: known(), nrsServiceId: '94ND90NR', nrsApiKey: 'k' }
  const refused = await app.b.put(registration, { token, body })
  expectRefusal(refused, 'request.invalid')
  expect(faultPaths(refused)).toEqual(['nrsApiSecret'])
})

describe('refreshing', () => {
  const refresh = ({ token }: Person) => app.a.post(`${path}/refresh`, { token })

  test('completes a pending connection', async () => {
    const person = await app.person()
    expectRefusal(await refresh(person), 'resource.not_found')
    app.authority.control.misbehave('down')
    await inForm.A.connect(person)
    expectRefusal(await refresh(person), 'tax_connection.no_answer')
    app.authority.control.misbehave(undefined)
    const refreshed = await refresh(person)
    expect([refreshed.status, refreshed.data.status]).toEqual([200, 'CONNECTED'])
    app.clock.advance({ minutes: 5 })
    const again = await refresh(person)
    expect(again.data.connectedAt).toBe(refreshed.data.connectedAt)
    expect(again.data.checkedAt > refreshed.data.checkedAt).toBe(true)
    expect(await told(person)).toEqual(['tax_connection.failed', 'tax_connection.connected'])
    await inForm.A.revoke(person)
    expectRefusal(await refresh(person), 'resource.not_found')
  })

  test('a missing answer changes nothing, and a clear no does', async () => {
    const person = await app.person()
    const { data } = await inForm.A.connect(person)
    app.authority.control.misbehave('error')
    expectRefusal(await refresh(person), 'tax_connection.no_answer')
    expect((await inForm.A.read(person)).data).toEqual(data)
    app.authority.control.misbehave(undefined)
    const gone = unknown()
    await app.runtime.db.run(
      sql`update tax_connections set business_id = ${gone} where organisation_id = ${person.organisationId}`,
    )
    expect(await refresh(person)).toMatchObject({ status: 200, data: { status: 'PENDING' } })
    expect(await told(person)).toEqual(['tax_connection.connected', 'tax_connection.failed'])
  })
})

test('a late answer does not connect, and a new check does', async () => {
  const person = await app.person()
  const { caller } = await app.runtime.authentication.authenticate(person.token)
  const released = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const late: typeof connectToAuthority = {
    ...connectToAuthority,
    call: async (context, intent) => {
      await released.promise
      return await connectToAuthority.call({ ...context, signal: AbortSignal.timeout(20_000) }, intent)
    },
    settle: async (context, intent, outcome) => {
      const settled = await connectToAuthority.settle(context, intent, outcome)
      if (outcome.kind === 'answered' && outcome.late) answered.resolve()
      return settled
    },
  }
  const wish: ConnectInput = {
    businessId: known(),
    serviceId: '94ND90NR',
    numberTemplate: null,
    consentVersion: null,
    credentials: null,
  }
  app.patience(50)
  try {
    const asking = app.runner.run(late, { caller: caller as UserCaller, origin, input: wish })
    await expect(asking).rejects.toMatchObject({ refusal: 'tax_connection.no_answer' })
  } finally {
    app.patience()
  }
  released.resolve()
  await answered.promise
  expect(await rowOf(person.organisationId)).toMatchObject({ status: 'pending', problem: 'no_answer' })
  expect((await inForm.B.connect(person)).status).toBe(200)
  expect(await rowOf(person.organisationId)).toMatchObject({ status: 'connected' })
})

test.each([
  ['knows the business', known, { status: 'connected', problem: null }],
  ['does not know it', unknown, { status: 'pending', problem: 'unknown_business' }],
] as const)('after a process died, another completes the connection: the authority %s', async (_, businessId, end) => {
  const person = await app.person()
  const { organisationId } = person
  const { caller } = await app.runtime.authentication.authenticate(person.token)
  const [asked, died] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()]
  const dying: typeof connectToAuthority = {
    ...connectToAuthority,
    call: () => {
      asked.resolve()
      return died.promise
    },
  }
  const input: ConnectInput = {
    businessId: businessId(),
    serviceId: '94ND90NR',
    numberTemplate: null,
    consentVersion: null,
    credentials: null,
  }
  const lost = app.runner.run(dying, { caller: caller as UserCaller, origin, input }).catch(() => {})
  await asked.promise
  expect(await rowOf(organisationId)).toMatchObject({ status: 'pending', problem: 'not_asked' })
  await app.runtime.db.run(sql`
    update exchanges set abandoned_after = now() - interval '1 second' where organisation_id = ${organisationId} and settled_at is null`)
  await app.runJob('settle-exchanges')
  expect(await rowOf(organisationId)).toMatchObject(end)
  // A late result of the first attempt changes nothing.
  died.reject(new Error('nobody heard of it again'))
  await lost
  expect(await rowOf(organisationId)).toMatchObject(end)
})

test('a connection that is revoked during the check stays revoked', async () => {
  const person = await app.person()
  app.authority.control.misbehave('held')
  const asking = inForm.A.connect(person)
  await eventually(async () => expect(await rowOf(person.organisationId)).toBeDefined())
  await inForm.A.revoke(person)
  app.authority.control.misbehave(undefined)
  expectRefusal(await asking, 'state.changed')
  expect((await inForm.A.read(person)).data.status).toBe('REVOKED')
})

test('another seller with the number keeps it, and is confirmed', async () => {
  const businessId = known()
  const probe = await app.person()
  const { taxId } = (await inForm.A.connect(probe, { businessId })).data
  const person = await app.person()
  const { token } = person
  const body = {
    partyName: 'Eze Transport',
    taxNumber: taxId,
    email: 't@eze.ng',
    phoneNumber: '0801',
    postalAddress: { line1: '1 Marina', city: 'Lagos', country: 'NG' },
  }
  const { data: seller } = await app.b.post('/i/v1/sellers', { token, body })
  expect((await inForm.A.connect(person, { businessId })).data.status).toBe('CONNECTED')
  expect((await app.b.get(`/i/v1/sellers/${seller.id}`, { token })).data.taxNumberStatus).toBe('verified')
})

describe('live', () => {
  /** A person who signed up, and a business in the authority's record that is not theirs. */
  const stranger = async () => {
    const person = await app.person({ mode: 'live' })
    const businessId = known()
    return { person, businessId, ...(await recordOf(app, businessId)) }
  }
  /** The same, but the business is theirs. */
  const owner = async () => {
    const all = await stranger()
    await becomeBusiness(app, all.person, all)
    return all
  }
  const problemOf = async ({ organisationId }: Person) => (await rowOf(organisationId, 'live'))?.problem

  test('the service id must be the one on record', async () => {
    const { person, businessId } = await owner()
    const refused = await inForm.A.connect(person, { businessId, serviceId: '94ND90NR' })
    expectRefusal(refused, 'tax_connection.not_verified')
    expect(refused.body.error.message).toMatch(/service id/)
    expect(await problemOf(person)).toBe('other_service_id')
  })

  test('the connection waits for the key file', async () => {
    const { person, businessId, serviceId } = await owner()
    const { status, data } = await inForm.A.connect(person, { businessId, serviceId })
    expect(status).toBe(201)
    expect(data).toMatchObject({ status: 'PENDING', problem: expect.stringMatching(/key file/), connectedAt: null })
  })

  describe.each(['A', 'B'] as const)('spoken as %s', (form) => {
    const { connect, revoke, created } = inForm[form]

    test('two public numbers alone do not connect', async () => {
      const { person, businessId, serviceId, taxId, name } = await stranger()
      const refused = await connect(person, { businessId, serviceId })
      expectRefusal(refused, 'tax_connection.not_verified')
      expect([refused.status, refused.body.error.code]).toEqual([400, 'TAX001'])
      expect(refused.body.error.message).toMatch(/not confirmed in live mode.+verify-tax-number/)
      expect(await problemOf(person)).toBe('tax_number_unconfirmed')
      const { data } = await app.b.get('/a/v1/organizations/me', { token: person.token })
      expect(data).toMatchObject({ taxNo: null, taxNoVerified: false })
      // A number confirmed in the sandbox is not confirmed in live mode.
      const trying = await app.member(person.organisationId, 'OWNER')
      expect((await confirmTaxNumber(app, trying, taxId, form)).status).toBe(200)
      expectRefusal(await connect(person, { businessId, serviceId }), 'tax_connection.not_verified')
      expect(await problemOf(person)).toBe('tax_number_unconfirmed')
      // The number without the name is not enough either.
      expect((await confirmTaxNumber(app, person, taxId, form)).status).toBe(200)
      const named = await connect(person, { businessId, serviceId })
      expectRefusal(named, 'tax_connection.not_verified')
      expect(named.body.error.message).toMatch(/another name/)
      expect(await problemOf(person)).toBe('other_name')
      await renameOrganisation(app, person, name)
      expect((await connect(person, { businessId, serviceId })).status).toBe(created)
      expect(await problemOf(person)).toBe('key_file_missing')
    })

    test('a business belongs to one organisation until it revokes, and returning needs a new check', async () => {
      const { person, businessId, serviceId, name, taxId } = await owner()
      expect((await connect(person, { businessId, serviceId })).status).toBe(created)
      const other = await app.person({ mode: 'live' })
      await becomeBusiness(app, other, { name, taxId })
      const refused = await connect(other, { businessId: businessId.toUpperCase(), serviceId })
      expectRefusal(refused, 'tax_connection.not_verified')
      expect(refused.body.error.message).toMatch(/another organisation/i)
      await revoke(person)
      expect((await connect(other, { businessId, serviceId })).status).toBe(created)
      expectRefusal(await connect(person, { businessId, serviceId }), 'tax_connection.not_verified')
      expect(await problemOf(person)).toBe('other_organisation')
      await revoke(other)
      await renameOrganisation(app, person, 'Renamed Since')
      expectRefusal(await connect(person, { businessId, serviceId }), 'tax_connection.not_verified')
      expect(await problemOf(person)).toBe('other_name')
      // Connections of others in the sandbox do not interfere.
      const trying = await app.person()
      expect((await connect(trying, { businessId })).data.status).toBe('CONNECTED')
    })
  })

  test('two organisations cannot receive with one tax number', async () => {
    const { person, businessId, serviceId, name, taxId } = await owner()
    expect((await inForm.A.connect(person, { businessId, serviceId })).status).toBe(201)
    const other = await app.person({ mode: 'live' })
    await becomeBusiness(app, other, { name, taxId })
    // As if the authority had a second business with the number.
    await app.runtime.db.run(
      sql`update tax_connections set business_id = ${known()} where organisation_id = ${person.organisationId}`,
    )
    expectRefusal(await inForm.A.connect(other, { businessId, serviceId }), 'tax_connection.not_verified')
    expect(await problemOf(other)).toBe('other_organisation')
  })

  test('of two concurrent connections one succeeds', async () => {
    const { person, businessId, serviceId, name, taxId } = await owner()
    const other = await app.person({ mode: 'live' })
    await becomeBusiness(app, other, { name, taxId })
    const replies = await Promise.all([person, other].map((one) => inForm.A.connect(one, { businessId, serviceId })))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 400])
  })

  test('the business must have the confirmed tax number', async () => {
    const { person, businessId, serviceId } = await stranger()
    expect((await confirmTaxNumber(app, person, '20198222-0002', 'B')).status).toBe(200)
    const refused = await inForm.A.connect(person, { businessId, serviceId })
    expectRefusal(refused, 'tax_connection.not_verified')
    expect(refused.body.error.message).toMatch(/another tax number/)
    // The sandbox connects with any business and does not replace the real authority's answer.
    const trying = await app.member(person.organisationId, 'OWNER')
    expect((await inForm.A.connect(trying)).data.status).toBe('CONNECTED')
    expect((await app.b.get('/a/v1/organizations/me', { token: trying.token })).data.taxNo).toBe('20198222-0002')
  })

  test('a refresh checks again, and a renamed organisation is disconnected', async () => {
    const { person, businessId, serviceId } = await owner()
    await inForm.A.connect(person, { businessId, serviceId })
    await renameOrganisation(app, person, 'Renamed Since')
    const { token } = person
    expect((await app.a.post(`${path}/refresh`, { token })).data).toMatchObject({
      status: 'PENDING',
      problem: expect.stringMatching(/another name/),
    })
  })
})

describe.each(['A', 'B'] as const)('the confirmed own tax number, in form %s', (form) => {
  test('becomes that of the organisation and its seller', async () => {
    const person = await app.person({ mode: 'live' })
    const reply = await confirmTaxNumber(app, person, '20198222-0002', form)
    expect(reply.status, reply.text).toBe(200)
    const { data } = await app.a.get('/i/v1/sellers', { token: person.token })
    expect(data).toMatchObject([{ taxId: '20198222-0002', taxIdStatus: 'verified' }])
  })

  test('is not set if the authority does not know it, or does not answer', async () => {
    const person = await app.person({ mode: 'live' })
    expectRefusal(await confirmTaxNumber(app, person, '20198222-9404', form), 'authority.not_confirmed')
    expectRefusal(await confirmTaxNumber(app, person, '20198222-9503', form), 'authority.unavailable')
    expectRefusal(await confirmTaxNumber(app, person, 'none', form), 'request.invalid')
    const viewer = await app.member(person.organisationId, 'VIEWER', { mode: 'live' })
    expectRefusal(await confirmTaxNumber(app, viewer, '20198222-0002', form), 'auth.capability_missing')
  })
})
