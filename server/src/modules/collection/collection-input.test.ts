import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../test/harness/client.ts'
import { type Collector, collectionPath, collector, ownBankAccount } from '../../../../test/harness/collection.ts'
import { ok } from '../../../../test/harness/issued.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
let own: Collector
beforeAll(async () => {
  app = await startTestApp({ bank: true })
  own = await collector(app)
})
afterAll(() => app.close())
afterEach(() => app.bank.control.behave({}))

describe.each(['A', 'B'] as const)('form %s', (form) => {
  const settle = (body: object) => own.act('/settlement-accounts', { sellerId: own.sellerId, ...body }, form)
  const resolve = (body: object) => own.act('/settlement-accounts/resolve', body, form)
  const open = (more: object) => own.tryToOpen(more, form)

  test('settlement accounts: registered, replaced, read, resolved', async () => {
    const first = ok(await settle(ownBankAccount), 201)
    expect(first).toMatchObject({ ...ownBankAccount, bankNipCode: '000013', currency: 'NGN', jurisdiction: 'NG' })
    expect(first.accountName).toMatch(/\S/)
    const other = { bankCode: '000015', accountNumber: '0000000121' }
    const found = ok(await resolve(other))
    expect(found).toMatchObject({ bankCode: '057', bankName: 'Zenith Bank', accountNumber: '0000000121' })
    const replaced = ok(await settle({ ...other, sellerName: 'Eze Shops', sellerType: 'company' }), 201)
    expect(replaced).toMatchObject({ id: first.id, bankCode: '057', sellerName: 'Eze Shops' })
    const { token } = own
    const client = app.client(form)
    expect(ok(await client.get(`${collectionPath}/settlement-accounts`, { token }))).toEqual([replaced])
    const path = `${collectionPath}/settlement-accounts/${own.sellerId}`
    expect(ok(await client.get(path, { token }))).toEqual(replaced)
    expectRefusal(
      await client.get(`${collectionPath}/settlement-accounts/${randomUUID()}`, { token }),
      'resource.not_found',
    )
  })

  test('settlement accounts: invalid input', async () => {
    const nine = { bankCode: '058', accountNumber: '123456789' }
    for (const reply of [await settle(nine), await resolve(nine)]) {
      expectRefusal(reply, 'request.invalid')
      expect(faultPaths(reply)).toEqual(['accountNumber'])
    }
    const unknown = { ...ownBankAccount, bankCode: '777' }
    for (const reply of [await settle(unknown), await resolve(unknown)]) {
      expectRefusal(reply, 'request.invalid')
      expect(faultPaths(reply)).toEqual(['bankCode'])
    }
    const wrongDigit = { bankCode: '058', accountNumber: '0123456780' }
    expectRefusal(await settle(wrongDigit), 'collection.account_unknown')
    expectRefusal(await resolve(wrongDigit), 'collection.account_unknown')
    expectRefusal(await settle({ ...ownBankAccount, sellerId: randomUUID() }), 'resource.not_found')
    expectRefusal(await settle({ ...ownBankAccount, jurisdiction: 'GH' }), 'collection.not_routed')
    expectRefusal(await settle({ ...ownBankAccount, currency: 'USD' }), 'collection.not_routed')
    expect(faultPaths(await settle({}))).toEqual(['accountNumber', 'bankCode'])
    app.bank.control.behave({ outage: true })
    const away = await settle(ownBankAccount)
    expectRefusal(away, 'collection.provider_away')
    expect([away.status, away.body.error.code, away.headers.get('retry-after')]).toEqual([503, 'DEP001', '30'])
    expectRefusal(await resolve(ownBankAccount), 'collection.provider_away')
  })

  test('banks, with both codes', async () => {
    const { token } = own
    const client = app.client(form)
    const banks = ok(await client.get(`${collectionPath}/banks?jurisdiction=NG`, { token }))
    expect(banks).toContainEqual({ name: 'Guaranty Trust Bank', code: '058', nipCode: '000013', provider: 'sandbox' })
    const page = await client.get(`${collectionPath}/banks?jurisdiction=NG&limit=2&page=2`, { token })
    expect(page.body.meta.pagination).toMatchObject({ page: 2, limit: 2, total: banks.length })
    expectRefusal(await client.get(`${collectionPath}/banks`, { token }), 'request.invalid')
    const monnify = await client.get(`${collectionPath}/banks?jurisdiction=NG&provider=monnify`, { token })
    expectRefusal(monnify, 'collection.not_routed')
  })

  test('virtual accounts: one reference is one account', async () => {
    const asked = {
      reference: `same-${form}`,
      buyerId: own.buyerId,
      customer: { name: 'Chidi Stores', email: 'a@chidi.test', bvn: '22212345678' },
    }
    const made = await open(asked)
    const account = ok(made, 201)
    expect(made.headers.get('location')).toContain(account.id)
    expect(account).toMatchObject({
      mode: 'persistent',
      status: 'active',
      bankName: 'Risiti Test Bank',
      currency: 'NGN',
    })
    expect(made.text).not.toContain('22212345678')
    expect(ok(await open(asked))).toEqual(account)
    expectRefusal(await open({ ...asked, buyerId: undefined }), 'collection.reference_used')
    const { total } = await app.runtime.db.one<{ total: number }>(sql`
      select (select count(*) from exchanges where intent::text like '%22212345678%')::int
           + (select count(*) from virtual_accounts where customer::text like '%22212345678%')::int as total`)
    expect(total).toBe(0)
  })

  test('virtual accounts: all faults are listed', async () => {
    const faults = async (more: object) => {
      const reply = await open(more)
      expectRefusal(reply, 'request.invalid')
      return faultPaths(reply)
    }
    expect(await faults({ mode: 'dynamic' })).toEqual(['amount'])
    expect(await faults({ mode: 'dynamic', amount: 10, expiresAt: '2020-01-01T00:00:00Z' })).toEqual(['expiresAt'])
    expect(await faults({ mode: 'dynamic', amount: '10.001' })).toEqual(['amount'])
    expect(await faults({ mode: 'dynamic', amount: 0 })).toEqual(['amount'])
    expect(await faults({ mode: 'persistent', amount: 10, expiresAt: '2099-01-01T00:00:00Z' })).toEqual([
      'amount',
      'expiresAt',
    ])
    expect(await faults({ accountReference: 'short', fundingTransactionLimit: '1.234' })).toEqual([
      'accountReference',
      'fundingTransactionLimit',
    ])
    expect(await faults({ customer: {}, jurisdiction: 'XX' })).toEqual(['customer.name', 'jurisdiction'])
    expectRefusal(await open({ preferredProvider: 'monnify' }), 'collection.not_routed')
    expectRefusal(await open({ sellerId: await own.life.seller() }), 'collection.no_settlement_account')
    expectRefusal(await open({ buyerId: randomUUID() }), 'resource.not_found')
    expectRefusal(await open({ invoiceId: randomUUID() }), 'resource.not_found')
    const draft = await own.life.draft()
    expectRefusal(await open({ invoiceId: draft.id }), 'collection.invoice_closed')
    const issued = await own.life.issued()
    expect(await faults({ invoiceId: issued.id, buyerId: await own.life.buyer() })).toEqual(['buyerId'])
  })

  test('virtual accounts: an unreachable bank, and a lost reply', async () => {
    app.bank.control.behave({ outage: true })
    const asked = { reference: `away-${form}` }
    expectRefusal(await open(asked), 'collection.provider_away')
    app.bank.control.behave({ lostReplies: 1 })
    expectRefusal(await open(asked), 'collection.provider_away')
    app.bank.control.behave({})
    const account = ok(await open(asked), 201)
    const { token } = own
    const status = `${collectionPath}/accounts/${account.id}/status`
    expect(ok(await app.client(form).get(status, { token }))).toMatchObject({
      status: 'active',
      providerStatus: 'active',
    })
    app.bank.control.behave({ outage: true })
    expectRefusal(await app.client(form).get(status, { token }), 'collection.provider_away')
    expectRefusal(await own.act(`/accounts/${account.id}/deactivate`, {}, form), 'collection.provider_away')
  })

  test('virtual accounts: filtered lists, and closing', async () => {
    const buyerId = await own.life.buyer()
    const { token } = own
    const client = app.client(form)
    const lasting = ok(await open({ buyerId, accountReference: 'LASTING-0001' }), 201)
    const passing = ok(await open({ buyerId, mode: 'dynamic', amount: '5.50', fundingTransactionLimit: 6 }), 201)
    expect(passing).toMatchObject({ amountMinor: 550, fundingTransactionLimitMinor: 600, expiresAt: null })
    const ids = async (query: string) =>
      ok(await client.get(`${collectionPath}/accounts?buyerId=${buyerId}${query}`, { token })).map(
        ({ id }: { id: string }) => id,
      )
    expect(await ids('')).toEqual([passing.id, lasting.id])
    expect(await ids('&mode=dynamic&provider=sandbox&jurisdiction=NG&status=active')).toEqual([passing.id])
    expect(await ids('&status=expired')).toEqual([])
    const paged = await client.get(`${collectionPath}/accounts?buyerId=${buyerId}&page=2&pageSize=1`, { token })
    expect(paged.body.meta.pagination).toMatchObject({ page: 2, limit: 1, total: 2, totalPages: 2 })
    expect(ok(paged)[0].id).toBe(lasting.id)

    const stop = () => own.act(`/accounts/${lasting.id}/deactivate`, { reason: 'Moved away' }, form)
    expect(ok(await stop())).toMatchObject({ status: 'deactivated', deactivationReason: 'Moved away' })
    expect(ok(await stop()).status).toBe('deactivated')
    expect(await ids('&status=deactivated')).toEqual([lasting.id])
    const found = await client.get(`${collectionPath}/accounts/${lasting.id}`, { token })
    expect(ok(found).status).toBe('deactivated')
    const status = await client.get(`${collectionPath}/accounts/${lasting.id}/status`, { token })
    expect(ok(status).providerStatus).toBe('closed')
    expectRefusal(await client.get(`${collectionPath}/accounts/${randomUUID()}`, { token }), 'resource.not_found')
    expectRefusal(await own.act(`/accounts/${randomUUID()}/deactivate`, {}, form), 'resource.not_found')

    const send = (body: object) => client.post('/sandbox/v1/transfers', { token, body })
    const stopped = await send({ accountNumber: lasting.accountNumber, amount: 1 })
    expectRefusal(stopped, 'request.invalid')
    expectRefusal(await send({ accountNumber: passing.accountNumber, amount: 7 }), 'request.invalid')
    expectRefusal(await send({ accountNumber: '0000000000', amount: 7 }), 'resource.not_found')
    expect(faultPaths(await send({ accountNumber: '1', amount: '1.234' }))).toEqual(['accountNumber', 'amount'])
  })

  test('resolving: exactly one of buyer and invoice', async () => {
    const id = randomUUID()
    const both = { invoiceId: randomUUID(), buyerId: randomUUID() }
    for (const body of [both, {}])
      expectRefusal(await own.act(`/exceptions/${id}/resolve`, body, form), 'request.invalid')
    expectRefusal(await own.act(`/exceptions/${id}/resolve`, { buyerId: own.buyerId }, form), 'resource.not_found')
    expectRefusal(await own.act(`/payments/${id}/refund`, {}, form), 'resource.not_found')
    expectRefusal(await own.act(`/payments/${id}/refund`, { amount: '1.234' }, form), 'request.invalid')
  })
})

test('objects of another organisation or mode are not found', async () => {
  const account = await own.open()
  const stranger = await collector(app)
  const { token } = stranger
  expectRefusal(await app.a.get(`${collectionPath}/accounts/${account.id}`, { token }), 'resource.not_found')
  expectRefusal(
    await app.a.post('/sandbox/v1/transfers', { token, body: { accountNumber: account.accountNumber, amount: 1 } }),
    'resource.not_found',
  )
  const live = await app.key(own.organisationId, {
    mode: 'live',
    capabilities: ['collection.read', 'collection.manage'],
  })
  expectRefusal(await app.a.get(`${collectionPath}/accounts/${account.id}`, { token: live }), 'resource.not_found')
  expectRefusal(await app.a.get(`${collectionPath}/banks?jurisdiction=NG`, { token: live }), 'collection.not_routed')
  expectRefusal(
    await app.a.post('/sandbox/v1/transfers', {
      token: live,
      body: { accountNumber: account.accountNumber, amount: 1 },
    }),
    'sandbox.only',
  )
})

test('an account expires, and shows this status', async () => {
  const expiresAt = new Date(app.clock.now().getTime() + 60_000).toISOString()
  const account = await own.open({ mode: 'dynamic', amount: 10, expiresAt })
  expect(account).toMatchObject({ status: 'active', expiresAt })
  app.clock.advance({ minutes: 2 })
  const { token } = own
  const found = ok(await app.a.get(`${collectionPath}/accounts/${account.id}`, { token }))
  expect(found.status).toBe('expired')
  const listed = ok(await app.a.get(`${collectionPath}/accounts?status=expired`, { token }))
  expect(listed.map(({ id }: { id: string }) => id)).toEqual([account.id])
})
