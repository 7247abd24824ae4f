import type { PublicCaller } from '../../../kernel/callers.ts'
import { newId, type UserId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../../platform/operations/operation.ts'
import {
  countWrongTry,
  findPersonByEmail,
  hashPassword,
  insertPerson,
  laneOf,
  normaliseEmail,
  personSubject,
  requireGoodPassword,
  saveVerified,
  tryPassword,
} from '../../people/index.ts'
import { join, lockPending } from './accept-invitation.ts'
import { refuseUnknownCode, tryInvitation } from './invitation-code.ts'

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
    const lane = await laneOf(outside, email)
    await outside.throttle('accept-invitation', email, { known: lane.known })
    const invited = await tryInvitation(outside, email, lane, code)
    // Nothing about accounts is told before the code has proven the address.
    const person = invited.match && (await findPersonByEmail(outside.db, email))
    // A password that was chosen before is only compared.
    if (invited.match && !person) requireGoodPassword(password, email)
    const known = person && (await tryPassword(outside, 'login', { account: email, person }, password))
    return { invited, known, passwordHash: person ? undefined : await hashPassword(password) }
  },
  async (context: Inside<PublicCaller>, input: Accepting, { invited, known, passwordHash }) => {
    const { tx, now, authChanged } = context
    const email = normaliseEmail(input.email)
    // Before anything is written: what was written stays when a refusal is returned.
    const invitation = await lockPending(context, invited.match)
    if (!invitation) return await refuseUnknownCode(context, invited)
    const person = await findPersonByEmail(tx, email)
    if (known && known.provenHash === undefined) {
      await countWrongTry(context, known.knock, known.person)
      return refuse('invitation.account_exists')
    }
    // The password may have been changed, or the account made, while we were looking.
    if (person && person.passwordHash !== known?.provenHash) throw refuse('invitation.account_exists')
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
    return await join(context, invitation, { id: userId, email }, invited)
  },
)
