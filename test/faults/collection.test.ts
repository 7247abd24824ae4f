import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { sql } from '../../server/src/platform/database/sql.ts'
import { loadKeyRing } from '../../server/src/platform/secrets/key-file.ts'
import { createVault } from '../../server/src/platform/secrets/secrets.ts'
import { startTestApp } from '../harness/app.ts'
import { seeded } from '../harness/chance.ts'
import { brokenMoney, collector } from '../harness/collection.ts'
import { createTestDatabase } from '../harness/database.ts'
import { launch, makeHome, makeKeyFile, type ServerProcess, until } from '../harness/processes.ts'

/**
 * Small in the ordinary run. `npm run faults:collection` sends 5,000 transfers and kills a worker every few seconds.
 */
const size = Number(process.env.STORM_TRANSFERS ?? 60)
const seed = Number(process.env.STORM_SEED ?? 1)
const isLong = size > 1_000
const senders = 32
const payers = isLong ? 50 : 6
if (isLong) vi.setConfig({ testTimeout: 1_800_000 })

const endings: (() => unknown)[] = []
afterAll(async () => {
  for (const end of endings.reverse()) await end()
})

test(`${size} transfers with one to five notifications each from ${senders} senders are applied once while workers are killed (seed ${seed})`, async () => {
  const random = seeded(seed)
  const upTo = (most: number) => 1 + Math.floor(random() * most)
  const database = await createTestDatabase()
  const SECRETS_FILE = await makeKeyFile()
  const vault = createVault(await loadKeyRing(SECRETS_FILE, { createIfMissing: false }))
  const app = await startTestApp({ database, vault, bank: true })
  endings.push(() => app.close())
  const own = await collector(app)
  const accounts: { accountNumber: string }[] = []
  for (let nth = 0; nth < payers; nth++) {
    const buyerId = await own.life.buyer()
    // Some buyers pay exactly, some too much, and some owe nothing.
    for (let invoices = nth % 3; invoices > 0; invoices--) await own.life.issued({ buyerId })
    accounts.push(await own.open({ buyerId }))
  }
  await app.quiet()
  await app.stopWork()

  const home = await makeHome()
  const nobody = 'http://127.0.0.1:9'
  const addresses = { bank: app.bank.url, checkout: nobody, authority: nobody, receiver: nobody }
  await writeFile(join(home, 'simulators.json'), JSON.stringify(addresses))
  const startWorker = async (): Promise<ServerProcess> => {
    const worker = await launch({ env: { DATABASE_URL: database.url, SECRETS_FILE }, args: ['--role=worker'], home })
    await worker.said(/worker is running/)
    return worker
  }
  let worker = await startWorker()
  let kills = 0
  const { db } = app.runtime
  const kill = async () => {
    await worker.kill()
    kills++
    worker = await startWorker()
    // A killed worker's jobs are due again when its lease expires. A short run does not wait for that.
    if (!isLong) await db.run(sql`update collection_notifications set due_at = now() where due_at is not null`)
  }

  // The bank sends no notifications. The test sends them in any order and drops some.
  app.bank.control.behave({ lost: 1 })
  const sent = new Map<string, number>()
  for (let nth = 0; nth < size; nth++) {
    const { accountNumber } = accounts[nth % accounts.length] as { accountNumber: string }
    const { reference, amountMinor } = app.bank.control.receive({ accountNumber, amountMinor: upTo(200_000) })
    sent.set(reference, amountMinor)
  }
  const notices = [...sent.keys()]
    .flatMap((reference) => Array<string>(upTo(5)).fill(reference))
    .map((reference) => ({ reference, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ reference }) => reference)

  let isStorming = true
  const watching = (async () => {
    const broken: unknown[] = []
    for (let looks = 0; isStorming && looks < 1_800; looks++) {
      broken.push(...(await brokenMoney(app)))
      await wait(isLong ? 1_000 : 200)
    }
    return broken
  })()
  const killing = (async () => {
    for (let rounds = 0; isLong && isStorming && rounds < 200; rounds++) {
      await wait(5_000)
      if (isStorming) await kill()
    }
  })()
  const url = `${app.url}/notifications/collection/sandbox/sandbox`
  let told = 0
  await Promise.all(
    Array.from({ length: senders }, async () => {
      for (let next = notices.pop(); next !== undefined; next = notices.pop()) {
        const answer = await fetch(url, { method: 'POST', ...app.bank.control.noticeOf(next) })
        expect(answer.status).toBe(200)
        await answer.body?.cancel()
        told++
      }
    }),
  )
  const applied = async () => {
    const { total } = await db.one<{ total: number }>(sql`
      select count(*)::int as total from received_payments where matched_at is not null`)
    return total
  }
  if (!isLong) {
    await until(async () => (await applied()) > size / 4, 'a part of the transfers')
    await kill()
  }
  for (let looks = 0; looks < 40 && (await applied()) < size; looks++)
    await until(async () => (await applied()) >= size, 'every transfer').catch(() => {})
  isStorming = false
  await killing
  expect(await watching).toEqual([])
  expect(await brokenMoney(app)).toEqual([])

  const rows = await db.rows<{ providerReference: string; amountMinor: bigint; receives: number }>(sql`
    select p.provider_reference, p.amount_minor, (
             select count(*)::int from received_payment_moves m
              where m.organisation_id = p.organisation_id and m.mode = p.mode and m.payment_id = p.id and m.type = 'receive') as receives
      from received_payments p`)
  expect(rows).toHaveLength(size)
  expect(rows.filter(({ receives }) => receives !== 1)).toEqual([])
  expect(new Map(rows.map((row) => [row.providerReference, Number(row.amountMinor)]))).toEqual(sent)
  expect(kills).toBeGreaterThan(0)
  expect(told).toBeGreaterThanOrEqual(size)
  if (isLong) process.stdout.write(`${told} notifications of ${size} transfers, ${kills} kills\n`)
})
