import type { PublicCaller } from '../../../kernel/callers.ts'
import { newId, type UserId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../../platform/operations/operation.ts'
import {
  findPersonByEmail,
  hashPassword,
  insertPerson,
  normaliseEmail,
  passwordMatches,
  personSubject,
  saveVerified,
} from '../../people/index.ts'
import { join, lockPending } from './accept-invitation.ts'
import { matchInvitation, refuseUnknownCode } from './invitation-code.ts'

interface Accepting {
  readonly code: string
  readonly email: string
  readonly password: string
  readonly firstName: string
  readonly lastName: string
}

/**
 * Joins without being signed in: the code came by mail, so the address is proven, and an account is made for it.
 * An address that has one joins with that account's password.
 */
export const acceptWithNewAccount = preparedOperation(
  { needs: [], refuses: ['invitation.unknown', 'invitation.account_exists', 'member.exists'] },
  async (outside: Outside<PublicCaller>, { code, email: typed, password }: Accepting) => {
    const email = normaliseEmail(typed)
    await outside.throttle('accept-invitation', email)
    const match = await matchInvitation(outside, email, code)
    // Nothing about accounts is looked at, and so nothing told, before the code has proven the address.
    const person = match && (await findPersonByEmail(outside.db, email))
    const passwordHash = person ? undefined : await hashPassword(password)
    const proven = person && (await passwordMatches(password, person.passwordHash)) ? person.passwordHash : undefined
    return { match, passwordHash, proven }
  },
  async (context: Inside<PublicCaller>, input: Accepting, { match, passwordHash, proven }) => {
    const { tx, now, authChanged } = context
    const email = normaliseEmail(input.email)
    // Before anything is written: what was written stays when a refusal is returned.
    const invitation = await lockPending(context, match)
    if (!invitation) return await refuseUnknownCode(context, email)
    const person = await findPersonByEmail(tx, email)
    // The password may have been changed while the old one was being checked.
    if (person && person.passwordHash !== proven) throw refuse('invitation.account_exists')
    const userId: UserId = person?.id ?? newId()
    if (person) {
      await saveVerified(tx, userId, now)
      authChanged(personSubject(userId))
    } else {
      const { firstName, lastName } = input
      const isNew = await insertPerson(
        tx,
        { id: userId, email, passwordHash: passwordHash as string, firstName, lastName, emailVerifiedAt: now },
        now,
      )
      if (!isNew) throw refuse('invitation.account_exists')
    }
    return await join(context, invitation, { id: userId, email })
  },
)
