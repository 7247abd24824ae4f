import type { Caller, UserCaller } from '../../kernel/callers.ts'
import { type Refusal, refuse } from '../../kernel/refusals.ts'
import type { Inside, Outside } from '../../platform/operations/operation.ts'
import { type Attempt, countWrongTry, networkOf, requireNotLockedOut } from './attempt-limits.ts'
import { nobodysHash, passwordMatches } from './passwords.ts'
import { findPerson } from './people.store.ts'
import { normaliseEmail, type Person } from './person.ts'

/** Result of a password attempt. */
export interface PasswordTry {
  readonly person: Person | undefined
  /** The hash that matched, to compare later: the password may change meanwhile. */
  readonly provenHash: string | undefined
  readonly attempt: Attempt
}

/** Counts the attempt before hashing. The address may have no account. */
export async function tryPassword(
  outside: Outside<Caller>,
  action: string,
  { account, person }: { account: string; person: Person | undefined },
  password: string,
): Promise<PasswordTry> {
  const network = await networkOf(outside, account)
  await outside.throttle(action, account, { known: network.known })
  const attempt: Attempt = { kind: 'password', account, network }
  await requireNotLockedOut(outside, attempt)
  const matches = await passwordMatches(password, person?.passwordHash ?? nobodysHash())
  return { person, provenHash: person && matches ? person.passwordHash : undefined, attempt }
}

/** Counts a wrong password. The message also fits an address without an account. */
export async function refuseWrongPassword(context: Inside<Caller>, { attempt, person }: PasswordTry): Promise<Refusal> {
  await countWrongTry(context, attempt, person)
  return refuse('credentials.wrong')
}

/** The same for a signed-in person: an open session does not prove the person. */
export async function tryOwnPassword(
  outside: Outside<UserCaller>,
  action: string,
  password: string,
): Promise<PasswordTry> {
  const { userId, email } = outside.caller
  const person = await findPerson(outside.db, userId)
  return await tryPassword(outside, action, { account: normaliseEmail(email), person }, password)
}
