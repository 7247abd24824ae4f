import { afterAll, beforeAll, expect, test } from 'vitest'
import { nuban } from '../../../../../simulators/src/bank/nuban.ts'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { collectionPath, ownBankAccount } from '../../../../../test/harness/collection.ts'
import { refreshed } from '../../../../../test/harness/custom-role.ts'
import { issuer } from '../../../../../test/harness/invoices.ts'
import { lifeOf, ok } from '../../../../../test/harness/issued.ts'
import { sessionAgain } from '../../../../../test/harness/session-again.ts'

let app: TestApp
/** What the bank waits for before it creates a sub-account. */
let before = async (): Promise<void> => {}
beforeAll(async () => {
  app = await startTestApp({
    bank: true,
    bankThrough: (bank) => ({
      ...bank,
      mode: 'live',
      async findSubAccount(order, signal) {
        await before()
        return await bank.findSubAccount(order, signal)
      },
    }),
  })
})
afterAll(() => app.close())

const path = `${collectionPath}/settlement-accounts`
const elsewhere = { bankCode: '057', accountNumber: '0000000121' }
const mails = async (to: string, atLeast: number) =>
  (await app.mailTo(to, atLeast)).filter(({ subject }) => subject.includes('settlement account was changed'))

test.each(['A', 'B'] as const)('form %s: a change needs a recent sign-in, and all owners get a mail', async (form) => {
  const owner = await issuer(app, { mode: 'live' })
  const { sellerId } = owner
  const client = app.client(form)
  const settle = ({ token }: Pick<Person, 'token'>, account: object) =>
    client.post(path, { token, body: { sellerId, ...account } })
  const where = async (token: string) => ok(await client.get(`${path}/${sellerId}`, { token })).accountNumber

  const partner = await app.member(owner.organisationId, 'OWNER', { mode: 'live' })
  const accountant = await app.member(owner.organisationId, 'ACCOUNTANT', { mode: 'live' })
  ok(await settle(accountant, ownBankAccount), 201)
  for (const { email } of [owner, partner]) {
    const [mail] = await mails(email, 1)
    expect(mail?.text).toContain(`${accountant.email} changed the settlement account`)
    expect(mail?.text).toContain('Before: none.')
    expect(mail?.text).toContain(`••••${ownBankAccount.accountNumber.slice(-4)}`)
    expect(mail?.text).not.toContain(ownBankAccount.accountNumber)
  }

  app.clock.advance({ seconds: 601 })
  // A refreshed token keeps the time of its sign-in.
  const old = await refreshed(app, accountant)
  expectRefusal(await settle(old, elsewhere), 'auth.sign_in_too_old')
  expect(await where(old.token)).toBe(ownBankAccount.accountNumber)
  // The same account with either bank code is no change, so nobody gets a mail.
  ok(await settle(old, ownBankAccount), 201)
  ok(await settle(old, { ...ownBankAccount, bankCode: '000013' }), 201)

  // An API key cannot sign in, so a stolen key redirects no money. A request without a change is harmless.
  const key = await app.key(owner.organisationId, { mode: 'live', capabilities: ['collection.manage'] })
  const refused = await settle({ token: key }, elsewhere)
  expectRefusal(refused, 'auth.users_only')
  expect([refused.status, refused.body.error.code]).toEqual([403, 'PERM002'])
  ok(await settle({ token: key }, ownBankAccount), 201)
  // Buyers see the name on new accounts, so a key cannot change that either.
  expectRefusal(await settle({ token: key }, { ...ownBankAccount, sellerName: 'Another Name' }), 'auth.users_only')
  expect(await where(old.token)).toBe(ownBankAccount.accountNumber)
  ok(await settle(await sessionAgain(app, accountant), elsewhere), 201)
  const told = await mails(owner.email, 2)
  expect(told).toHaveLength(2)
  expect(told.map(({ text }) => text).join('\n')).not.toContain('API key')

  // A key cannot register the first account either.
  const sellerWithout = await lifeOf(app, owner).seller()
  const first = { sellerId: sellerWithout, ...ownBankAccount }
  expectRefusal(await client.post(path, { token: key, body: first }), 'auth.users_only')
})

test.each(['A', 'B'] as const)(
  'form %s: of several concurrent first registrations, one succeeds and the others are refused',
  async (form) => {
    const { token, sellerId } = await issuer(app, { mode: 'live' })
    const numbers = Array.from({ length: 6 }, (_, nth) => nuban('058', 20_000_000 + nth))
    const allAsked = Promise.withResolvers<void>()
    let asked = 0
    before = async () => {
      if (++asked === numbers.length) allAsked.resolve()
      await allAsked.promise
    }
    const replies = await Promise.all(
      numbers.map((accountNumber) =>
        app.client(form).post(path, { token, body: { sellerId, bankCode: '058', accountNumber } }),
      ),
    ).finally(() => {
      before = async () => {}
    })
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
    for (const reply of replies) if (reply.status === 409) expectRefusal(reply, 'state.changed')
    const registered = numbers[replies.findIndex(({ status }) => status === 201)]
    expect(ok(await app.client(form).get(`${path}/${sellerId}`, { token })).accountNumber).toBe(registered)
  },
)

test.each(['A', 'B'] as const)(
  'form %s: no live account is opened for a seller without a settlement account',
  async (form) => {
    const { token, sellerId } = await issuer(app, { mode: 'live' })
    const client = app.client(form)
    const open = () =>
      client.post(`${collectionPath}/accounts`, {
        token,
        body: {
          mode: 'persistent',
          jurisdiction: 'NG',
          sellerId,
          reference: `live-${form}`,
          customer: { name: 'Chidi Stores' },
        },
      })
    app.bank.control.behave({ subAccountsOff: true })
    // No other test has a sub-account for this bank account.
    const account = { bankCode: '057', accountNumber: nuban('057', form === 'A' ? 77 : 78) }
    const registered = ok(await client.post(path, { token, body: { sellerId, ...account } }), 201)
    expect(registered.providers).toEqual([expect.objectContaining({ provider: 'sandbox', status: 'refused' })])
    const refused = await open()
    expectRefusal(refused, 'collection.not_settled_to')
    expect(refused.body.error.message).toMatch(/has not enabled sub-accounts/)
    app.bank.control.behave({})
    // Registering again asks the provider again.
    ok(await client.post(path, { token, body: { sellerId, ...account } }), 201)
    ok(await open(), 201)
  },
)
