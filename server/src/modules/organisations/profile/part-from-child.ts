import type { UserCaller } from '../../../kernel/callers.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { mailMembers } from '../members/mail-members.ts'
import type { Organisation } from '../organisation.ts'
import { findOrganisation, lockOrganisation, savePartedFromParent } from '../organisations.store.ts'

/**
 * The child pays for itself from now on, and the parent no longer sees it. People, keys and documents of the child
 * stay.
 */
export const partFromChild = operation(
  { time: 'real', needs: ['organization.update'], refuses: ['resource.not_found'] },
  async (context: Inside<UserCaller>, { id }: { id: OrganisationId }) => {
    const { tx, caller, now, emit } = context
    const { organisationId } = caller.tenant
    const child = await lockOrganisation(tx, id)
    const parent = await findOrganisation(tx, organisationId)
    if (!parent || child?.parentId !== organisationId) throw refuse('resource.not_found')
    const childId = child.id
    await savePartedFromParent(tx, childId, now)
    emit('organization.child_parted', { organisationId, objectId: childId }, { name: child.name })
    // The child does not learn which person of the parent did it.
    const about = { organisationId: childId, objectId: childId, actor: risiti, origin: nowhere }
    emit('organization.parted', about, { parentId: organisationId, parentName: parent.name })
    await mailChild(context, child, parent)
    return { id: childId, parted: true as const }
  },
)

const risiti = { kind: 'system', id: null, name: 'Risiti' } as const
const nowhere = { address: '', userAgent: '' }

const mailChild = (context: Inside<UserCaller>, child: Organisation, parent: Organisation): Promise<void> =>
  mailMembers(context, child.id, 'owners', {
    cause: `parted:${child.id}`,
    subject: `${child.name} is no longer a child organisation`,
    paragraphs: [
      `${parent.name} has parted from ${child.name}. ${child.name} is no longer its child organisation.`,
      'Its credits no longer pay for your organisation. Everything else stays as it is.',
    ],
    link: { words: 'See your credits', page: '/billing' },
    closing: 'Check your credits, and buy some if the other organisation has paid for you until now.',
  })
