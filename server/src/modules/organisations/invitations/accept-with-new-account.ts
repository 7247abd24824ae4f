import type { PublicCaller } from '../../../kernel/callers.ts'
import { newId, type UserId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../../platform/operations/operation.ts'
import {
  attemptLimits,
  findPersonByEmail,
  hashPassword,
  insertPerson,
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
 * The code came by mail, which proves the address, so that an account can be created for it. If the address has an
 * account, its password is needed.
 */
export const acceptWithNewAccount = preparedOperation(
  { time: 'real', needs: [], refuses: ['invitation.unknown', 'invitation.account_exists', 'member.exists'] },
  async (outside: Outside<PublicCaller>, { code, email: typed, password }: Accepting) => {
    const email = normaliseEmail(typed)
    const network = await attemptLimits.networkOf(outside, email)
    await outside.throttle('accept-invitation', email, { known: network.known })
    const invited = await tryInvitation(outside, email, network, code)
    // The reply reveals nothing about accounts until the code has proved the address.
    const person = invited.match && (await findPersonByEmail(outside.db, email))
    // The rules for passwords apply to new ones only.
    if (invited.match && !person) requireGoodPassword(password, email)
    const known = person && (await tryPassword(outside, 'login', { account: email, person }, password))
    return { invited, known, passwordHash: person ? undefined : await hashPassword(password) }
  },
  async (context: Inside<PublicCaller>, input: Accepting, { invited, known, passwordHash }) => {
    const { tx, now, authChanged } = context
    const email = normaliseEmail(input.email)
    // Checked before the first write, because writes stay if a refusal is returned.
    const invitation = await lockPending(context, invited.match)
    if (!invitation) return await refuseUnknownCode(context, invited)
    const person = await findPersonByEmail(tx, email)
    if (known && known.provenHash === undefined) {
      await attemptLimits.countWrongTry(context, known.attempt, known.person)
      return refuse('invitation.account_exists')
    }
    // Meanwhile the password may have changed, or an account may have been created.
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
