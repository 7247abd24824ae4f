import type { Caller, UserCaller } from '../../../kernel/callers.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import type { Actor } from '../../../platform/events/actors.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { lockPerson, personSubject, saveNames, savePersonPhone, saveTotpOff } from '../../people/index.ts'
import { askPerson, type PendingChange } from './ask-person.ts'
import type { Member } from './member.ts'
import { belongsElsewhere, findMember } from './members.store.ts'
import { lockMemberToChange } from './owners.ts'
import type { PersonalChange } from './requested-changes.store.ts'

/** The member after the request, and the change that waits for confirmation, if any. */
export interface ChangedMember {
  readonly member: Member
  readonly awaited?: PendingChange
}

/**
 * Locks the person's row first, which also fixes their memberships: joining another organisation happens before or
 * after the change, not during it.
 */
export async function lockMemberAsPerson(context: Inside<UserCaller>, userId: UserId): Promise<Member> {
  const { tx, caller } = context
  const { organisationId } = caller.tenant
  if (!(await findMember(tx, organisationId, userId))) throw refuse('resource.not_found')
  await lockPerson(tx, userId)
  return await lockMemberToChange(context, organisationId, userId)
}

/**
 * An organisation rules over memberships, not over people. A change is made at once by the person, or by the only
 * organisation that the person belongs to. All others must ask.
 */
export async function changePerson(
  context: Inside<UserCaller>,
  member: Member,
  change: PersonalChange,
): Promise<ChangedMember> {
  const { tx, caller } = context
  const { organisationId, userId } = member
  if (userId !== caller.userId && (await belongsElsewhere(tx, organisationId, userId)))
    return { member, awaited: await askPerson(context, member, change) }
  return { member: await applyChange(context, member, change) }
}

/** Makes the change in the name of the person who decided it. */
export async function applyChange(
  { tx, now, emit, authChanged }: Inside<Caller>,
  member: Member,
  change: PersonalChange,
  actor?: Actor,
): Promise<Member> {
  const { organisationId, userId, email } = member
  const about = { organisationId, objectId: userId, ...(actor ? { actor } : {}) }
  authChanged(personSubject(userId))
  switch (change.what) {
    case 'name': {
      const { firstName, lastName } = change
      await saveNames(tx, userId, { firstName, lastName }, now)
      emit('member.updated', about, { email, firstName, lastName })
      return { ...member, firstName, lastName }
    }
    case 'phone': {
      const { phone } = change
      await savePersonPhone(tx, userId, phone, now)
      emit('member.updated', about, { email, phone })
      return { ...member, phone, phoneVerified: true }
    }
    case 'second_factor':
      await saveTotpOff(tx, userId, now)
      emit('member.second_factor_removed', about, { email })
      return { ...member, totpEnabled: false }
  }
}
