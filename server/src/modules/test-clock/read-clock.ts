import type { TokenCaller } from '../../kernel/callers.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import type { Move, MoveId } from './move.ts'
import { findLatestMove, findMove, listMoves } from './moves.store.ts'
import { requireSandbox } from './require-sandbox.ts'

/** The time of a sandbox. */
interface ClockReading {
  readonly now: Date
  readonly realNow: Date
  /** the move under way, or else the last one */
  readonly move: Move | undefined
}

export const getTestClock = reading(
  { needs: [], refuses: ['test_clock.live_mode'] },
  async ({ db, caller, now, realNow }: Outside<TokenCaller>, _: undefined): Promise<ClockReading> => {
    requireSandbox(caller)
    return { now, realNow, move: await findLatestMove(db, caller.tenant.organisationId) }
  },
)

export const getClockMove = reading(
  { needs: [], refuses: ['resource.not_found'] },
  async ({ db, caller }: Outside<TokenCaller>, { id }: { id: MoveId }): Promise<Move> => {
    // Moves belong to the sandbox, and an object of the other mode does not exist.
    const { organisationId, mode } = caller.tenant
    const move = mode === 'sandbox' ? await findMove(db, organisationId, id) : undefined
    if (!move) throw refuse('resource.not_found')
    return move
  },
)

export const listClockMoves = reading(
  { needs: [], refuses: ['test_clock.live_mode'] },
  async ({ db, caller }: Outside<TokenCaller>, page: PageRequest): Promise<Page<Move>> => {
    requireSandbox(caller)
    return await listMoves(db, caller.tenant.organisationId, page)
  },
)
