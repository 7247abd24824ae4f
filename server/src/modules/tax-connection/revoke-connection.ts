import type { UserCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import type { Connection } from './connection.ts'
import { emitConnectionEvent } from './connection-events.ts'
import { lockConnection, saveConnection } from './connections.store.ts'
import { type ConnectionView, viewOf } from './read-connection.ts'

/** Ends submissions. Earlier submissions are still followed, so the keys stay. Idempotent. */
export const revokeConnection = operation(
  { needs: ['tax_connection.manage'], refuses: ['resource.not_found'] },
  async (context: Inside<UserCaller>, { reason }: { reason: string | null }): Promise<ConnectionView> => {
    const { tx, caller, ports, now } = context
    const before = await lockConnection(tx, caller.tenant)
    if (!before) throw refuse('resource.not_found')
    if (before.status === 'revoked') return viewOf(ports, caller.country, before)
    const after: Connection = {
      ...before,
      status: 'revoked',
      problem: null,
      // A late answer must not connect the tenant again.
      attemptId: null,
      revokedAt: now,
      revokedReason: reason,
      updatedAt: now,
    }
    await saveConnection(tx, caller.tenant, after)
    emitConnectionEvent(context, 'tax_connection.revoked', caller.tenant, after, { reason })
    return viewOf(ports, caller.country, after)
  },
)
