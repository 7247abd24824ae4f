import type { Caller } from '../../../kernel/callers.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { lockPerson, type Person } from '../../people/index.ts'
import type { Role } from '../roles/role.ts'
import { insertMembership, type NewMembership } from './members.store.ts'
import { membershipSubject } from './owners.ts'

interface NewMember {
  readonly person: Pick<Person, 'id' | 'email'>
  readonly role: Pick<Role, 'id' | 'name'>
  readonly extraCapabilities?: NewMembership['extraCapabilities']
}

/** Runs in the caller's transaction. False if the person is a member already. */
export async function addMember(
  context: Inside<Caller>,
  organisationId: OrganisationId,
  joining: NewMember,
): Promise<boolean> {
  const { person, role, extraCapabilities = [] } = joining
  // On Citus, the foreign key of a membership locks another copy of the person, so a change of the person would not wait for it.
  await lockPerson(context.tx, person.id)
  const isNew = await insertMembership(
    context.tx,
    organisationId,
    { userId: person.id, roleId: role.id, extraCapabilities },
    context.now,
  )
  if (!isNew) return false
  const actor = { kind: 'user', id: person.id, name: person.email } as const
  context.emit(
    'member.joined',
    { organisationId, objectId: person.id, actor },
    { email: person.email, role: role.name },
  )
  context.authChanged(membershipSubject(organisationId, person.id))
  return true
}
