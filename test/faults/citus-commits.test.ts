import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { cluster } from '../harness/cluster.ts'
import { type ClusterBusiness, expectNothingLost, openOnBothWorkers } from '../harness/cluster-business.ts'
import { eventually } from '../harness/eventually.ts'
import { invoiceLoad } from '../harness/invoice-load.ts'
import type { Issuer } from '../harness/invoices.ts'
import { invoicesPath, lifeOf, ok } from '../harness/issued.ts'
import { until } from '../harness/processes.ts'
import { chance } from '../harness/random-invoices.ts'
import { type CommandFault, linkToWorker, type WorkerLink } from '../harness/worker-link.ts'

const seed = Number(process.env.STORM_SEED ?? 1)
/** A commit that is held takes so long. Requests wait for at most ten seconds. */
const heldMs = 6_000

let app: TestApp
let link: WorkerLink
/** The first two organisations are on the worker behind the link. */
let business: ClusterBusiness

beforeAll(async () => {
  app = await startTestApp()
  link = await linkToWorker(app.database)
  business = await openOnBothWorkers(app)
})
afterAll(async () => {
  link?.release()
  await app?.close()
  await business?.receiver[Symbol.asyncDispose]()
})

const disturbances: readonly (readonly [words: string, fault: CommandFault])[] = [
  ['COMMIT PREPARED', 'held'],
  ['COMMIT PREPARED', 'lost'],
  ['COMMIT PREPARED', 'reply_lost'],
  ['PREPARE TRANSACTION', 'lost'],
  ['PREPARE TRANSACTION', 'reply_lost'],
  ['COMMIT', 'reply_lost'],
]

test('under load, disturbed commits lose no event and no invoice', async () => {
  const load = invoiceLoad(business.owners, chance(seed))
  const work = load.start(app, 4)
  for (const [words, fault] of disturbances) {
    await work.goesOn(10)
    link.disturb(words, fault)
    await until(async () => link.disturbed() > 0, words)
    if (fault === 'held') await wait(heldMs)
    link.release()
  }
  await work.goesOn(10)
  await work.callOff()
  process.stdout.write(
    `${disturbances.length} commits disturbed, ${load.statuses.get(201)} creates, ${load.statuses.get(503) ?? 0} replies 503\n`,
  )
  await expectNothingLost(app, business, load)
})

test.each(disturbances)(
  'a bulk job whose %s is %s comes to its end if its start was acknowledged',
  async (words, fault) => {
    const [own] = business.owners as [Issuer]
    const life = lifeOf(app, own)
    const { id } = await life.draft()
    await app.quiet()
    link.disturb(words, fault)
    const reply = app.a.post(`${invoicesPath}/bulk`, {
      token: own.token,
      body: { action: 'finalise', invoiceIds: [id] },
    })
    await until(async () => link.disturbed() > 0, words)
    if (fault === 'held') await wait(heldMs)
    link.release()
    const { status, data, text } = await reply
    await cluster(app).recovered()
    expect([202, 503], text).toContain(status)
    if (status === 202)
      await eventually(async () => {
        const job = ok(await app.a.get(`${invoicesPath}/bulk/${data.id}`, { token: own.token }))
        expect(job.status).toBe('done')
      })
    await app.quiet()
  },
)
