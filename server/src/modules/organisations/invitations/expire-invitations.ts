import type { Caller, SystemCaller } from '../../../kernel/callers.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { type ExpiredInvitation, expireSome } from './invitations.store.ts'

/** Time ended them, whoever it was that noticed. */
const actor = { kind: 'system', id: null, name: 'Risiti' } as const

export function tellOfExpired({ emit }: Pick<Inside<Caller>, 'emit'>, expired: readonly ExpiredInvitation[]): void {
  for (const { organisationId, id, email } of expired)
    emit('invitation.expired', { organisationId, objectId: id, actor }, { email })
}

/** Tells of invitations whose time has passed. Reading them says "expired" without it. */
export const expireInvitations = operation({ needs: [], refuses: [] }, async (context: Inside<SystemCaller>) => {
  const expired = await expireSome(context.tx, context.now, 200)
  tellOfExpired(context, expired)
  return expired.length
})
