import type { UserCaller } from '../../kernel/callers.ts'
import type { Capability } from '../../kernel/capabilities.ts'
import { modes } from '../../kernel/tenant.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { endKey, lockKeysMadeBy, type ShownKey } from '../api-keys/index.ts'
import { listChildrenOwnedBy, type Member, withdrawInvitationsOf } from '../organisations/index.ts'
import { type Endpoint, listEndpointsOf } from '../webhooks/index.ts'
import { type Departure, mailOwners } from './departure-mail.ts'

export interface DepartureOptions {
  /** Also revoke the keys that the person created. */
  readonly revokeKeys: boolean
}

/** Revoking keys needs its capability, by every route. */
export const neededFor = ({ revokeKeys }: DepartureOptions): readonly Capability[] =>
  revokeKeys ? ['api_key.revoke'] : []

/**
 * Invitations of the person are withdrawn. Keys belong to the organisation, and its programs would stop without them,
 * so that they go on working unless the caller revokes them. The reply and a mail to the owners list them. The same
 * holds for webhooks, whose address may belong to the person.
 */
export async function settleDeparture(
  context: Inside<UserCaller>,
  member: Member,
  departure: Departure,
  { revokeKeys, isNews = true }: DepartureOptions & { isNews?: boolean },
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
    await mailOwners(context, member, departure, { keys, children, endpoints })
  return keys
}
