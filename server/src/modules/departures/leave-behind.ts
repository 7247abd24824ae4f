import type { UserCaller } from '../../kernel/callers.ts'
import type { Capability } from '../../kernel/capabilities.ts'
import { modes } from '../../kernel/tenant.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { endKey, lockKeysMadeBy, type ShownKey } from '../api-keys/index.ts'
import { listChildrenOwnedBy, type Member, withdrawInvitationsOf } from '../organisations/index.ts'
import { type Endpoint, listEndpointsOf } from '../webhooks/index.ts'
import { type Departure, tellOwners } from './departure-letter.ts'

export interface Going {
  /** revoke, in the same step, the keys that they made */
  readonly revokeKeys: boolean
}

/** Keys are ended by those who may end keys, whichever way they go about it. */
export const neededFor = ({ revokeKeys }: Going): readonly Capability[] => (revokeKeys ? ['api_key.revoke'] : [])

/**
 * Sees to what somebody leaves behind. Invitations that they sent end with them. Keys belong to the organisation, whose programs
 * would stop without them: they go on working unless asked otherwise, but in sight, told to whoever asked and to the owners. So do
 * webhooks, which may lead to an address that is only theirs.
 */
export async function settleDeparture(
  context: Inside<UserCaller>,
  member: Member,
  departure: Departure,
  { revokeKeys, isNews = true }: Going & { isNews?: boolean },
): Promise<ShownKey[]> {
  await withdrawInvitationsOf(context, member)
  const found = await lockKeysMadeBy(context, member)
  const keys: ShownKey[] = []
  for (const key of found) keys.push(revokeKeys ? await endKey(context, key) : key)
  const children = await listChildrenOwnedBy(context.tx, member.organisationId, member.userId)
  const endpoints: Endpoint[] = []
  for (const mode of modes)
    endpoints.push(
      ...(await listEndpointsOf(context.tx, { organisationId: member.organisationId, mode }, member.userId)),
    )
  if (isNews && keys.length + children.length + endpoints.length > 0)
    await tellOwners(context, member, departure, { keys, children, endpoints })
  return keys
}
