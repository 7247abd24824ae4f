import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { cluster } from '../harness/cluster.ts'
import { type ClusterBusiness, expectNothingLost, openOnBothWorkers } from '../harness/cluster-business.ts'
import { eventually } from '../harness/eventually.ts'
import { noteEveryEvent } from '../harness/every-event.ts'
import { invoiceLoad } from '../harness/invoice-load.ts'
import type { Issuer } from '../harness/invoices.ts'
import { invoicesPath, lifeOf, ok } from '../harness/issued.ts'
import { until } from '../harness/processes.ts'
import { chance } from '../harness/random-invoices.ts'
import { renameLoad, renameTag } from '../harness/rename-load.ts'
import { type CommandFault, linkToWorker, type WorkerLink } from '../harness/worker-link.ts'

const seed = Number(process.env.STORM_SEED ?? 1)
/** A commit that is held takes so long. Requests wait for at most ten seconds. */
const heldMs = 6_000

let app: TestApp
let link: WorkerLink
/** The first two organisations are on the worker behind the link. */
let business: ClusterBusiness
let notes: Awaited<ReturnType<typeof noteEveryEvent>>

beforeAll(async () => {
  app = await startTestApp()
  link = await linkToWorker(app.database)
  business = await openOnBothWorkers(app)
  notes = await noteEveryEvent(app)
})
afterAll(async () => {
  link?.release()
  await notes?.stop()
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

/** Creates commit on one worker, so plain commits are theirs. Those in two phases must be of a request that emits. */
const aboutOf = (words: string) => (words === 'COMMIT' ? '' : 'Renamed-')

test('under load, disturbed commits lose no event and no invoice', async () => {
  const load = invoiceLoad(business.owners, chance(seed))
  const renames = renameLoad(app, business.owners.slice(0, 2))
  const work = load.start(app, 4)
  const replies: string[] = []
  for (const [words, fault] of disturbances) {
    await work.goesOn(10)
    link.disturb(words, fault, aboutOf(words))
    await until(async () => link.disturbed() !== undefined, words)
    if (fault === 'held') await wait(heldMs)
    link.release()
    if (words === 'COMMIT') continue
    // The transaction has changed the organisation and written its event, and belongs to one request.
    const sent = link.disturbed() ?? ''
    expect(sent).toMatch(/organisations_\d+/)
    expect(sent).toContain('organization.updated')
    const [name, ...others] = new Set(sent.match(renameTag))
    expect(others).toEqual([])
    await until(async () => renames.statusOf(name as string) !== 0, 'the reply')
    const status = renames.statusOf(name as string)
    replies.push(`${words} ${fault} ${status}`)
    // The coordinator has committed, so the request succeeds although a worker does not know it yet.
    if (words === 'COMMIT PREPARED') expect(status, replies.at(-1)).toBe(200)
  }
  await work.goesOn(10)
  await work.callOff()
  await renames.callOff()
  await expectNothingLost(app, business, load)
  const renamed = await renames.expectAllEmitted()
  const events = await notes.expectEachOnce()
  process.stdout.write(
    `${disturbances.length} commits disturbed, ${load.statuses.get(201)} creates, ${load.statuses.get(503) ?? 0} replies 503, ${renamed} renamed, ${events} events noted once; ${replies.join(', ')}\n`,
  )
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
    await until(async () => link.disturbed() !== undefined, words)
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
