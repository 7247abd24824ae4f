import type { SystemCaller } from '../../kernel/callers.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { TestClock } from '../../platform/clocks/business-time.ts'
import { clockSubject, lockTestClock, saveTestClock } from '../../platform/clocks/test-clocks.store.ts'
import { job } from '../../platform/jobs/jobs.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import type { Move, MoveId, MoveStatus } from './move.ts'
import { findMove, lockMove, saveReached } from './moves.store.ts'

export interface MoveSlice extends Tenant {
  readonly moveId: MoveId
  /** slices that worked on the moment that is reached */
  readonly slices: number
}

export const advanceClockJob = job<MoveSlice>('advance-test-clock', 'upkeep', { maxAttempts: 10 })

/** Every node reads a change of the clock within a second, or asks the database. */
export const knownEverywhereMs = 2_000

const ours = { needs: [], refuses: [] } as const

interface MoveOfSlice {
  readonly move: Move
  readonly clock: TestClock
}

/** The move and the clock, both locked; undefined if the move has ended. */
async function lockBoth(
  { tx }: Inside<SystemCaller>,
  { organisationId, moveId }: MoveSlice,
): Promise<MoveOfSlice | undefined> {
  const clock = await lockTestClock(tx, organisationId)
  const move = await lockMove(tx, organisationId, moveId)
  return clock && move?.status === 'advancing' ? { move, clock } : undefined
}

async function save(
  { tx, realNow, authChanged }: Inside<SystemCaller>,
  { organisationId }: { readonly organisationId: OrganisationId },
  clock: TestClock,
  id: MoveId,
  reached: { readonly at: Date; readonly isStep: boolean; readonly status: MoveStatus },
): Promise<void> {
  await saveTestClock(tx, organisationId, clock)
  authChanged(clockSubject(organisationId))
  await saveReached(tx, organisationId, id, reached, realNow)
}

/** The time of callers does not change, so nodes need not hear of a step. */
export const stepTo = operation(
  ours,
  async (
    context: Inside<SystemCaller>,
    { from, to, ...slice }: MoveSlice & { readonly from: Date; readonly to: Date },
  ) => {
    const { tx, realNow } = context
    const both = await lockBoth(context, slice)
    // Another worker was faster.
    if (!both || both.move.reachedAt.getTime() !== from.getTime()) return
    await saveTestClock(tx, slice.organisationId, { ...both.clock, moment: to })
    await saveReached(
      tx,
      slice.organisationId,
      slice.moveId,
      { at: to, isStep: to < both.move.toAt, status: 'advancing' },
      realNow,
    )
  },
)

/** The last step: from a moment on that all nodes know in time, callers have the new time. */
export const agreeOnEnd = operation(ours, async (context: Inside<SystemCaller>, slice: MoveSlice) => {
  const both = await lockBoth(context, slice)
  if (!both || both.clock.moment === undefined) return
  const { offset } = both.clock
  const reachedAt = new Date(Math.max(both.clock.moment.getTime(), offset.reachedAt.getTime()))
  const ms = Math.max(offset.ms, reachedAt.getTime() - context.realNow.getTime())
  const next = { ms, reachedAt, from: new Date(Date.now() + knownEverywhereMs) }
  const reached = { at: both.move.reachedAt, isStep: false, status: 'advancing' } as const
  await save(context, slice, { offset, next, moment: undefined }, slice.moveId, reached)
})

/** Ends the move after all nodes use the new time. A stopped move ends at the time that it reached. */
export const endMove = operation(
  ours,
  async (context: Inside<SystemCaller>, { status, ...slice }: MoveSlice & { readonly status: 'ready' | 'stopped' }) => {
    const { tx, emit } = context
    const both = await lockBoth(context, slice)
    if (!both?.clock.next) return
    const { from: _, ...offset } = both.clock.next
    const reached = { at: both.move.reachedAt, isStep: false, status } as const
    await save(context, slice, { offset, next: undefined, moment: undefined }, slice.moveId, reached)
    const { id, steps, fromAt, reachedAt } = (await findMove(tx, slice.organisationId, slice.moveId)) as Move
    emit(
      `test_clock.${status}`,
      { organisationId: slice.organisationId, mode: slice.mode, objectId: id },
      { moveId: id, fromAt: fromAt.toISOString(), reachedAt: reachedAt.toISOString(), steps },
    )
  },
)

/** The next slice, by the same job. */
export const continueMove = operation(ours, async ({ enqueue }: Inside<SystemCaller>, slice: MoveSlice) =>
  enqueue(advanceClockJob, slice, { key: slice.moveId }),
)
