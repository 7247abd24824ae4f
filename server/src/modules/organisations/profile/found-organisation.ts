import type { Caller } from '../../../kernel/callers.ts'
import { newId, type OrganisationId } from '../../../kernel/ids.ts'
import { systemRole } from '../../../kernel/roles.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import type { Person } from '../../people/index.ts'
import { addMember } from '../members/add-member.ts'
import { insertOrganisation, type NewOrganisation } from '../organisations.store.ts'

type Founder = Pick<Person, 'id' | 'email'>

/** Makes an organisation with its first owner, in the caller's transaction. */
export async function foundOrganisation(
  context: Inside<Caller>,
  founder: Founder,
  organisation: Omit<NewOrganisation, 'id' | 'createdAt' | 'foundedBy'>,
): Promise<OrganisationId> {
  const organisationId: OrganisationId = newId()
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
