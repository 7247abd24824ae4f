import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { issuer } from '../../../test/harness/invoices.ts'
import type { BuyerId } from '../modules/buyers/index.ts'
import { collectionOperations } from '../modules/collection/index.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { finishDemo, type RemainingParts, readLeft } from './finish-demo.ts'
import { seedCollection } from './seed-collection.ts'
import { seedConnection, seedKeyFile } from './seed-connection.ts'
import { demoOwner } from './seed-demo.ts'

let app: TestApp
let dataDir: string
beforeAll(async () => {
  app = await startTestApp({ bank: true, authority: ['sandbox'] })
  dataDir = await mkdtemp(join(tmpdir(), 'risiti-demo-'))
})
afterAll(async () => {
  await app.close()
  await rm(dataDir, { recursive: true })
})

test('after a stop before a transfer was recorded, the demo does not send the transfer again', async () => {
  const { organisationId, userId, buyerId } = await issuer(app)
  // The bank tells us, and nobody takes it in.
  await app.stopWork()
  const owner = demoOwner(organisationId, userId)

  /** Goes on with what is left until one transfer is sent. */
  async function untilNextTransfer(left: RemainingParts): Promise<void> {
    const stopping = new AbortController()
    const run = async (operation: unknown, call: unknown) => {
      const output = await (app.runner.run as (...given: unknown[]) => Promise<unknown>)(operation, call)
      if (operation === collectionOperations.sendTransfer) stopping.abort()
      return output
    }
    const runner = { ...app.runner, run } as Runner
    await finishDemo(left, { runner, owner, dataDir, organisationId, receiverUrl: undefined }, stopping.signal)
  }

  await untilNextTransfer({ collection: { trader: buyerId as BuyerId, shop: buyerId as BuyerId } })
  expect(app.bank.control.transfers()).toHaveLength(1)
  await untilNextTransfer(await readLeft(dataDir, organisationId))
  const paidInto = app.bank.control.transfers().map(({ accountNumber }) => accountNumber)
  expect(paidInto).toHaveLength(2)
  expect(new Set(paidInto).size).toBe(2)
})

test('a stop while a transfer is recorded comes after the transfer', async () => {
  const { organisationId, userId, buyerId } = await issuer(app)
  const buyers = { trader: buyerId as BuyerId, shop: buyerId as BuyerId }
  const before = app.bank.control.transfers().length
  const stopping = new AbortController()
  const paid = { has: () => false, add: async () => stopping.abort() }
  const seeding = seedCollection(app.runner, demoOwner(organisationId, userId), buyers, stopping.signal, paid)
  await expect(seeding).rejects.toThrow('aborted')
  expect(app.bank.control.transfers()).toHaveLength(before + 1)
})

test('the demo’s payments are paid out to its bank account', async () => {
  const { organisationId, userId, buyerId, token } = await issuer(app)
  await app.startWork()
  const left = { collection: { trader: buyerId as BuyerId, shop: buyerId as BuyerId } }
  const { signal } = new AbortController()
  const { runner } = app
  await finishDemo(
    left,
    { runner, owner: demoOwner(organisationId, userId), dataDir, organisationId, receiverUrl: undefined },
    signal,
  )
  const read = async (path: string) => (await app.a.get(`/b/v1/collection/${path}`, { token })).data
  expect((await read('settlement-accounts'))[0].providers).toEqual([expect.objectContaining({ status: 'confirmed' })])
  app.bank.control.settle()
  await eventually(async () => expect(await read('settlements')).not.toEqual([]))
  expect((await read('settlements/days'))[0]).toMatchObject({ status: 'settled', outstandingMinor: 0 })
})

test('the demo fetches its key file for QR codes once', async () => {
  const { organisationId, userId, token } = await app.person()
  const owner = demoOwner(organisationId, userId)
  await seedConnection(app.runner, owner)
  let fetched = 0
  const keyFileOf = async (businessId: string) => {
    fetched += 1
    return app.authority.control.keyFileOf(businessId)
  }
  const { signal } = new AbortController()
  await seedKeyFile(app.runner, owner, async () => undefined, signal)
  for (let starts = 0; starts < 2; starts++) await seedKeyFile(app.runner, owner, keyFileOf, signal)
  expect((await app.a.get('/i/v1/tax-connection', { token })).data.keyFile.fingerprint).toMatch(/^[0-9a-f]{64}$/)
  expect(fetched).toBe(1)
})
