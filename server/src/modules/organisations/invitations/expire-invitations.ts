import { type Caller, noOrganisation, type SystemCaller } from '../../../kernel/callers.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import { type Inside, type Outside, operation, reading } from '../../../platform/operations/operation.ts'
import { type ExpiredInvitation, expireSome, listOrganisationsWithLapsed } from './invitations.store.ts'

const ours = { time: 'real', needs: [], refuses: [] } as const
const invitationsAtOnce = 200
const organisationsAtOnce = 1_000

interface Owner {
  readonly organisationId: OrganisationId
}

/** The actor is the system, because time ended them. */
const actor = { kind: 'system', id: null, name: 'Risiti' } as const

export function emitExpired({ emit }: Pick<Inside<Caller>, 'emit'>, expired: readonly ExpiredInvitation[]): void {
  for (const { organisationId, id, email } of expired)
    emit('invitation.expired', { organisationId, objectId: id, actor }, { email })
}

/** Organisations with invitations past their time, ordered by id, after a given one. */
export const findOrganisationsWithLapsedInvitations = reading(
  ours,
  ({ db, now }: Outside<SystemCaller>, after: Owner | undefined): Promise<readonly Owner[]> =>
    listOrganisationsWithLapsed(db, after?.organisationId ?? noOrganisation, now, organisationsAtOnce),
)

/**
 * Emits events for expired invitations. Reading shows them as expired without this. Returns whether there may be more.
 */
export const expireInvitations = operation(
  ours,
  async (context: Inside<SystemCaller>, { organisationId }: Owner): Promise<boolean> => {
    const expired = await expireSome(context.tx, organisationId, context.now, invitationsAtOnce)
    emitExpired(context, expired)
    return expired.length === invitationsAtOnce
  },
)
