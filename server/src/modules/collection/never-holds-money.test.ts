import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Collector, collector } from '../../../../test/harness/collection.ts'
import { type ProvidersApp, payer, startProvidersApp } from '../../../../test/harness/collection-providers.ts'
import { ok } from '../../../../test/harness/issued.ts'
import { sql } from '../../platform/database/sql.ts'

let run: ProvidersApp
beforeAll(async () => {
  run = await startProvidersApp({ settings: { collectionFeeBearer: 'operator' } })
})
afterAll(() => run.close())

interface SentRequest {
  readonly method: string
  readonly path: string
  readonly body?: string
}

/** Every request that opens an account, and where it sends the money. */
const openings: readonly { readonly path: RegExp; split(body: Readonly<Record<string, unknown>>): unknown }[] = [
  { path: /^\/v1\/accounts$/, split: ({ subAccount, feeBearer }) => ({ subAccount, feeBearer }) },
  { path: /reserved-accounts$/, split: ({ incomeSplitConfig }) => incomeSplitConfig },
  { path: /\/dedicated_account(\/assign)?$/, split: ({ subaccount, bearer }) => ({ subaccount, bearer }) },
  // Ways to open an account that we do not use. If one were used, it would show here without a split.
  { path: /\/init-transaction$/, split: ({ incomeSplitConfig }) => incomeSplitConfig },
  { path: /\/transaction\/initialize$|\/charge$/, split: ({ subaccount, bearer }) => ({ subaccount, bearer }) },
]

const splitsIn = (requests: readonly SentRequest[]) =>
  requests.flatMap(({ method, path, body = '' }) => {
    const opening = openings.find((one) => method === 'POST' && one.path.test(path))
    return opening ? [opening.split(JSON.parse(body))] : []
  })

const kinds = (own: Collector) => [
  {},
  { mode: 'dynamic', amount: 2_500 },
  { mode: 'persistent', accountReference: 'kept-account-1' },
  { buyer: own },
]

test('every account, at every provider, in both forms and after every fault, pays its whole money to the seller', async () => {
  const { app, simulator } = run
  const own = await collector(app)
  const codeAt = async (provider: string) =>
    (
      await app.runtime.db.one<{ code: string }>(sql`
        select code from collection_sub_accounts where organisation_id = ${own.organisationId} and provider = ${provider}`)
    ).code
  for (const provider of ['sandbox', 'monnify', 'paystack'])
    for (const form of ['A', 'B'] as const) {
      for (const { buyer, ...more } of kinds(own) as { buyer?: Collector }[]) {
        const buyerId = buyer ? await buyer.life.buyer() : undefined
        const asked = { preferredProvider: provider, customer: payer, ...more, ...(buyerId ? { buyerId } : {}) }
        ok(await own.tryToOpen(asked, form), 201)
      }
      // A lost answer, and the same request again.
      const reference = `lost-${provider}-${form}`
      if (provider === 'sandbox') app.bank.control.behave({ lostReplies: 1 })
      else simulator.misbehave('lost_reply')
      const asked = { preferredProvider: provider, customer: payer, reference }
      expect((await own.tryToOpen(asked, form)).status).toBeGreaterThanOrEqual(500)
      app.bank.control.behave({})
      simulator.misbehave(undefined)
      expect([200, 201]).toContain((await own.tryToOpen(asked, form)).status)
    }
  const [bank, monnify, paystack] = [await codeAt('sandbox'), await codeAt('monnify'), await codeAt('paystack')]
  const ofBank = splitsIn(app.bank.control.requests)
  const ofOthers = splitsIn(simulator.requests)
  expect(ofBank.length).toBeGreaterThanOrEqual(10)
  expect(ofOthers.length).toBeGreaterThanOrEqual(20)
  for (const split of ofBank) expect(split).toEqual({ subAccount: bank, feeBearer: 'operator' })
  for (const split of ofOthers)
    expect([
      [{ subAccountCode: monnify, splitPercentage: 100, feePercentage: 0, feeBearer: false }],
      { subaccount: paystack, bearer: 'account' },
    ]).toContainEqual(split)
  // No account at the providers keeps its money with the operator.
  for (const { ledger } of [simulator.monnify, simulator.paystack])
    for (const account of ledger.accounts) expect(account.split).toMatchObject({ paysFee: false })
})
