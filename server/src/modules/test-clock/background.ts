import { setTimeout as wait } from 'node:timers/promises'
import { noOrganisation, systemCaller } from '../../kernel/callers.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { DueWork, InProgress } from '../../platform/background/due-work.ts'
import { everyMinutes, handler, type JobHandler, scheduled } from '../../platform/background/handlers.ts'
import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { days, purgeAfter } from '../../platform/background/purge-expired.ts'
import { walk } from '../../platform/background/walk.ts'
import { findTestClock, listRestingClocks } from '../../platform/clocks/test-clocks.store.ts'
import { oneByOne } from '../../platform/jobs/failing-items.ts'
import type { Runner, Runtime } from '../../platform/operations/runner.ts'
import {
  advanceClockJob,
  agreeOnEnd,
  continueMove,
  endMove,
  knownEverywhereMs,
  type MoveSlice,
  stepTo,
} from './advance.ts'
import type { Move } from './move.ts'
import { findMove, listForgottenMoves, purgeMoves } from './moves.store.ts'

const origin = { requestId: 'advance-test-clock', address: '', userAgent: '' }
const bySystem = { caller: systemCaller, origin }

/** Long before the deadline of the queue, so that others have their turn. */
const sliceMs = 4_000
const lookEveryMs = 20
/** Work that is not done after so many slices at one moment holds up the move no longer: something is wrong with it. */
const mostSlicesAtMoment = 15
/** At the end of a move, how long to sleep before looking again. */
const knownWaitMs = 500
/** A move that is at one moment for so long has perhaps lost its job. A job that still exists is not enqueued twice. */
const forgottenAfterMs = 10 * 60_000
/** A sweep that is slow delays only the next one. */
const sweepMs = 30 * 60_000
/** Batches of one kind of due work in a row. */
const mostBatches = 100

export interface WaitsForTime {
  readonly dueWork: readonly DueWork[]
  readonly inProgress: readonly InProgress[]
}

/** Runs the due work. Returns whether more may be due. Work that fails is recorded and does not stop other work. */
async function runDue(runtime: Runtime, runner: Runner, { dueWork }: WaitsForTime, tenant: Tenant): Promise<boolean> {
  let isMore = false
  const kinds = dueWork.map(({ name, run }) => ({ ...tenant, id: `${tenant.organisationId} ${name}`, run }))
  await oneByOne(runtime, 'test_clock.due_work_failed', kinds, async ({ run }) => {
    for (let batches = 0; batches < mostBatches; batches++) {
      if (!(await run(runtime, runner, tenant))) break
      isMore = true
    }
  })
  return isMore
}

async function isBusy({ db }: Runtime, { inProgress }: WaitsForTime, tenant: Tenant): Promise<boolean> {
  for (const isWorking of inProgress) if (await isWorking(db, tenant)) return true
  return false
}

/** The next moment at which something is due, or the end of the move. */
async function nextMoment(
  { db, ports }: Runtime,
  { dueWork }: WaitsForTime,
  tenant: Tenant,
  { reachedAt, toAt }: Move,
): Promise<Date> {
  let next = toAt
  for (const { nextAt } of dueWork) {
    const at = await nextAt(db, tenant, reachedAt, ports)
    if (at && at > reachedAt && at < next) next = at
  }
  return next
}

/** Works on a move for a few seconds. Returns the next slice; undefined if the move has ended. */
async function workOnMove(
  runtime: Runtime,
  runner: Runner,
  waits: WaitsForTime,
  slice: MoveSlice,
): Promise<MoveSlice | undefined> {
  const { organisationId, mode, moveId } = slice
  const tenant = { organisationId, mode }
  let { slices } = slice
  for (const until = performance.now() + sliceMs; performance.now() < until; ) {
    const move = await findMove(runtime.db, organisationId, moveId)
    if (move?.status !== 'advancing') return undefined
    const clock = await findTestClock(runtime.db, organisationId)
    if (clock?.next) {
      const leftMs = clock.next.from.getTime() - Date.now()
      if (leftMs > 0) await wait(Math.min(leftMs, knownWaitMs))
      else await runner.run(endMove, { ...bySystem, input: { ...slice, status: 'ready' } })
      continue
    }
    if (slices < mostSlicesAtMoment) {
      const isMore = await runDue(runtime, runner, waits, tenant)
      if (isMore || (await isBusy(runtime, waits, tenant))) {
        await wait(lookEveryMs)
        continue
      }
    }
    slices = 0
    if (move.reachedAt >= move.toAt) await runner.run(agreeOnEnd, { ...bySystem, input: slice })
    else {
      const to = await nextMoment(runtime, waits, tenant, move)
      await runner.run(stepTo, { ...bySystem, input: { ...slice, from: move.reachedAt, to } })
    }
  }
  return { ...slice, slices: slices + 1 }
}

const advanceClock = (runtime: Runtime, runner: Runner, waits: WaitsForTime) =>
  handler(advanceClockJob, async (slice, { last }) => {
    try {
      const next = await workOnMove(runtime, runner, waits, slice)
      if (next) await runner.run(continueMove, { ...bySystem, input: next })
    } catch (error) {
      if (last) await stopMove(runner, slice)
      throw error
    }
  })

/** A move that keeps failing ends at the time that it reached, so that the organisation can begin another one. */
async function stopMove(runner: Runner, slice: MoveSlice): Promise<void> {
  await runner.run(agreeOnEnd, { ...bySystem, input: slice })
  await wait(knownEverywhereMs)
  await runner.run(endMove, { ...bySystem, input: { ...slice, status: 'stopped' } })
}

/** Every minute: runs the due work of sandboxes that are ahead. The sweeps over all tenants use the real time and would run it too late. */
const runMovedSandboxes = (runtime: Runtime, runner: Runner, waits: WaitsForTime) =>
  scheduled('run-moved-sandboxes', everyMinutes(1), async () => {
    const failed = await walk<{ readonly organisationId: OrganisationId; readonly mode: 'sandbox' }>(runtime, {
      problem: 'test_clock.sweep_failed',
      findAfter: async (last) => {
        const page = await listRestingClocks(runtime.db, last?.organisationId ?? noOrganisation, 200)
        return page.map(({ organisationId }) => ({ organisationId, mode: 'sandbox' as const }))
      },
      work: (tenant) => runDue(runtime, runner, waits, tenant),
      forMs: sweepMs,
    })
    for (const { organisationId, id } of await listForgottenMoves(
      runtime.db,
      new Date(Date.now() - forgottenAfterMs),
      200,
    ))
      await runner.run(continueMove, { ...bySystem, input: { organisationId, mode: 'sandbox', moveId: id, slices: 0 } })
    if (failed > 0) throw new Error(`due work of ${failed} moved sandboxes was not done`)
  })

/** `jobs/index.ts` passes in the due work of all modules. */
export const testClockJobs = (runtime: Runtime, runner: Runner, waits: WaitsForTime): readonly JobHandler[] => [
  advanceClock(runtime, runner, waits),
  runMovedSandboxes(runtime, runner, waits),
]

export const background: ModuleBackground = {
  purges: [purgeAfter(90 * days, 'test clock moves', purgeMoves)],
}
