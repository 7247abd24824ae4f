import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CollectionSimulator, startCollectionSimulator } from '../../../../../simulators/src/collection/index.ts'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { brokenMoney, type Collector, collector } from '../../../../../test/harness/collection.ts'
import { ok } from '../../../../../test/harness/issued.ts'
import { outbound } from '../../../../../test/harness/outbound.ts'
import { poison } from '../../../../../test/harness/poison.ts'
import { simulatorKeys } from '../../../bin/simulators.ts'
import { monnify } from '../../../gateways/monnify.ts'
import { paystackAccounts } from '../../../gateways/paystack-accounts.ts'
import { sql } from '../../../platform/database/sql.ts'
import { collectionMetrics } from './collection-metrics.ts'

const keys = { apiKey: 'MK_TEST_SIMULATOR', secretKey: 'MONNIFYSECRET', contractCode: '4000000001' }
const customer = { name: 'Chidi Stores', email: 'chidi@example.test', phoneNumber: '+2348012345678' }

let app: TestApp
let owners: readonly [Collector, Collector, Collector]
let simulator: CollectionSimulator
beforeAll(async () => {
  const now = () => app.clock.now()
  simulator = await startCollectionSimulator({ monnify: keys, paystackKey: simulatorKeys.paystack, now })
  app = await startTestApp({
    bank: true,
    furtherKeepers: [
      monnify({ ...keys, mode: 'sandbox', outbound, now, baseUrl: `${simulator.url}/monnify` }),
      paystackAccounts({
        secretKey: simulatorKeys.paystack,
        customerDomain: 'customers.example.test',
        outbound,
        now,
        baseUrl: `${simulator.url}/paystack`,
      }),
    ],
  })
})
// The clock only moves forward here, beyond the end of a session.
beforeEach(async () => {
  owners = [await collector(app), await collector(app), await collector(app)]
})
afterAll(async () => {
  await app.close()
  await simulator.close()
})
afterEach(async () => expect(await brokenMoney(app)).toEqual([]))

/** A transfer in the books of a simulated provider, without a notification. */
interface SilentTransfer {
  readonly reference: string
  /** The amount as the provider reports it. */
  amountMinor: unknown
}

const providers = {
  sandbox: async (own: Collector, amountMinor: number): Promise<SilentTransfer> => {
    const { accountNumber } = await own.open()
    return app.bank.control.receive({ accountNumber, amountMinor, narration: '#lost' }) as SilentTransfer
  },
  monnify: async (own: Collector, amountMinor: number): Promise<SilentTransfer> => {
    const account = ok(await own.tryToOpen({ preferredProvider: 'monnify', customer }), 201)
    return simulator.monnify.ledger.receive({ number: account.accountNumber, amountMinor }) as SilentTransfer
  },
  paystack: async (own: Collector, amountMinor: number): Promise<SilentTransfer> => {
    const account = ok(await own.tryToOpen({ preferredProvider: 'paystack', customer }), 201)
    return simulator.paystack.ledger.receive({ number: account.accountNumber, amountMinor }) as SilentTransfer
  },
}

async function later(minutes: number, job: string): Promise<void> {
  app.clock.advance({ minutes })
  await app.runJob(job)
}
const sweptTo = async (provider: string) =>
  (
    await app.runtime.db.maybe<{ sweptTo: Date }>(
      sql`select swept_to from collection_feeds where provider = ${provider} and mode = 'sandbox'`,
    )
  )?.sweptTo.getTime() ?? 0
const strayOf = (reference: string) =>
  app.runtime.db.maybe(sql`
    select reason, detail, entry is not null as has_entry, taken_in_at is not null as is_taken_in
      from collection_strays where reference = ${reference}`)
const recorded = async ({ organisationId }: Collector, { reference }: SilentTransfer) =>
  (await app.runtime.db.maybe(sql`
    select from received_payments where organisation_id = ${organisationId} and provider_reference = ${reference}`)) !==
  undefined
const setAsideAt = async (provider: string) =>
  Number(
    new RegExp(`risiti_collection_set_aside_transfers\\{provider="${provider}"\\} (\\d+)`).exec(
      await collectionMetrics(app.runtime.db),
    )?.[1] ?? 0,
  )

describe.each(['sandbox', 'monnify', 'paystack'] as const)('%s', (name) => {
  const arrive = async (): Promise<[SilentTransfer, SilentTransfer, SilentTransfer]> => {
    const came: SilentTransfer[] = []
    for (const [at, own] of owners.entries()) {
      app.clock.advance({ seconds: 1 })
      came.push(await providers[name](own, 5_000 + at))
    }
    return came as [SilentTransfer, SilentTransfer, SilentTransfer]
  }

  test('an entry of the statement that cannot be read is set aside, and the others are recorded', async () => {
    const [first, bad, last] = await arrive()
    const { amountMinor } = bad
    bad.amountMinor = Number.NaN
    const before = await sweptTo(name)
    await later(1, 'sweep-collection')
    expect([await recorded(owners[0], first), await recorded(owners[2], last)]).toEqual([true, true])
    expect(await recorded(owners[1], bad)).toBe(false)
    expect(await sweptTo(name)).toBeGreaterThan(before)
    expect(await strayOf(bad.reference)).toEqual({
      reason: 'unreadable',
      detail: expect.stringMatching(/amount|form/),
      hasEntry: true,
      isTakenIn: false,
    })
    expect(await setAsideAt(name)).toBe(1)
    // Once the provider reports it correctly, the retry records it and it is no longer due.
    bad.amountMinor = amountMinor
    await later(30, 'sweep-collection')
    expect(await recorded(owners[1], bad)).toBe(true)
    expect(await strayOf(bad.reference)).toMatchObject({ isTakenIn: true })
    expect(await setAsideAt(name)).toBe(0)
  })

  test('a transfer that the database refuses is set aside, and the others are recorded', async () => {
    const [first, bad, last] = await arrive()
    const heal = await poison(app, 'received_payments', `new.provider_reference = '${bad.reference}'`)
    const before = await sweptTo(name)
    await later(2, 'sweep-collection')
    expect([await recorded(owners[0], first), await recorded(owners[2], last)]).toEqual([true, true])
    expect(await sweptTo(name)).toBeGreaterThan(before)
    expect(await strayOf(bad.reference)).toMatchObject({ reason: 'failed', isTakenIn: false })
    expect(await setAsideAt(name)).toBe(1)
    await heal()
    await later(30, 'sweep-collection')
    expect(await recorded(owners[1], bad)).toBe(true)
    expect(await setAsideAt(name)).toBe(0)
  })

  test('the reconciliation sets such a transfer aside too, and compares all others', async () => {
    const [first, bad, last] = await arrive()
    const unreadable = await providers[name](owners[1], 7_000)
    const { amountMinor } = unreadable
    unreadable.amountMinor = Number.NaN
    const heal = await poison(app, 'received_payments', `new.provider_reference = '${bad.reference}'`)
    await later(30, 'reconcile-collection')
    expect([await recorded(owners[0], first), await recorded(owners[2], last)]).toEqual([true, true])
    expect(await strayOf(bad.reference)).toMatchObject({ reason: 'failed' })
    expect(await strayOf(unreadable.reference)).toMatchObject({ reason: 'unreadable' })
    await heal()
    unreadable.amountMinor = amountMinor
    await later(30, 'reconcile-collection')
    expect([await recorded(owners[1], bad), await recorded(owners[1], unreadable)]).toEqual([true, true])
    await later(60, 'sweep-collection')
    expect(await setAsideAt(name)).toBe(0)
  })
})
