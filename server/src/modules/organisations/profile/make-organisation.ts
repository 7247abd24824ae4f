import type { Caller } from '../../../kernel/callers.ts'
import { newId, type OrganisationId } from '../../../kernel/ids.ts'
import { systemRole } from '../../../kernel/roles.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { lockPerson, type Person } from '../../people/index.ts'
import { addMember } from '../members/add-member.ts'
import { insertOrganisation, type NewOrganisation } from '../organisations.store.ts'

export type Founder = Pick<Person, 'id' | 'email'>
export type OrganisationDetails = Omit<NewOrganisation, 'id' | 'createdAt' | 'foundedBy'>

/** Runs in the caller's transaction. `foundings` calls this and then creates the seller. */
export async function makeOrganisation(
  context: Inside<Caller>,
  founder: Founder,
  organisation: OrganisationDetails,
): Promise<OrganisationId> {
  const organisationId: OrganisationId = newId()
  // Locked before a row refers to the founder. Two transactions whose rows refer to a person would deadlock on this lock.
  await lockPerson(context.tx, founder.id)
  await insertOrganisation(context.tx, {
    ...organisation,
    id: organisationId,
    foundedBy: founder.id,
    createdAt: context.now,
  })
  const actor = { kind: 'user', id: founder.id, name: founder.email } as const
  const { name, country, parentId } = organisation
  context.emit(
    'organization.created',
    { organisationId, objectId: organisationId, actor },
    { name, country, parentId: parentId ?? null },
  )
  await addMember(context, organisationId, { person: founder, role: systemRole('OWNER') })
  return organisationId
}
