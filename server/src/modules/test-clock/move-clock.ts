import type { TokenCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import { clockSubject, lockTestClock, saveTestClock } from '../../platform/clocks/test-clocks.store.ts'
import { actorOf } from '../../platform/events/actors.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { advanceClockJob } from './advance.ts'
import { type AskedMove, endOfMove, type Move, type MoveId } from './move.ts'
import { findMove, insertMove } from './moves.store.ts'
import { requireSandbox } from './require-sandbox.ts'

/** Begins a move. A job does its steps, and callers see the new time when it is ready. */
export const moveClock = operation(
  { needs: ['webhook.endpoint.test'], refuses: ['test_clock.live_mode', 'test_clock.moving', 'request.invalid'] },
  async (context: Inside<TokenCaller>, asked: AskedMove): Promise<Move> => {
    const { tx, caller, now, realNow, emit, enqueue, authChanged } = context
    requireSandbox(caller)
    const { organisationId } = caller.tenant
    const toAt = endOfMove(now, realNow, asked)
    const id = newId<'test-clock-move'>() as MoveId
    if (!(await insertMove(tx, organisationId, { id, fromAt: now, toAt }, actorOf(caller), realNow)))
      throw refuse('test_clock.moving')
    const clock = await lockTestClock(tx, organisationId)
    // Another move ended while this request waited for it, so its time is from before that move.
    if (clock && clock.offset.reachedAt > now) throw refuse('test_clock.moving')
    const offset = clock?.offset ?? { ms: 0, reachedAt: now }
    await saveTestClock(tx, organisationId, { offset, next: undefined, moment: now })
    authChanged(clockSubject(organisationId))
    enqueue(advanceClockJob, { ...caller.tenant, moveId: id, slices: 0 }, { key: id })
    const move = (await findMove(tx, organisationId, id)) as Move
    emit(
      'test_clock.advancing',
      { ...caller.tenant, objectId: id },
      { moveId: id, fromAt: now.toISOString(), toAt: toAt.toISOString() },
    )
    return move
  },
)
