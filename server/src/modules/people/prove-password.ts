import type { Caller, UserCaller } from '../../kernel/callers.ts'
import { type Refusal, refuse } from '../../kernel/refusals.ts'
import type { Inside, Outside } from '../../platform/operations/operation.ts'
import { countWrongTry, type Knock, laneOf, requireOpenDoor } from './doors.ts'
import { nobodysHash, passwordMatches } from './passwords.ts'
import { findPerson } from './people.store.ts'
import { normaliseEmail, type Person } from './person.ts'

/** Result of a password attempt. */
export interface PasswordTry {
  readonly person: Person | undefined
  /** The hash that matched, to compare later: the password may change meanwhile. */
  readonly provenHash: string | undefined
  readonly knock: Knock
}

/** Counts the attempt before hashing. The address may have no account. */
export async function tryPassword(
  outside: Outside<Caller>,
  attempt: string,
  { account, person }: { account: string; person: Person | undefined },
  password: string,
): Promise<PasswordTry> {
  const lane = await laneOf(outside, account)
  await outside.throttle(attempt, account, { known: lane.known })
  const knock: Knock = { door: 'password', account, lane }
  await requireOpenDoor(outside, knock)
  const matches = await passwordMatches(password, person?.passwordHash ?? nobodysHash())
  return { person, provenHash: person && matches ? person.passwordHash : undefined, knock }
}

/** Counts a wrong password. The message also fits an address without an account. */
export async function refuseWrongPassword(context: Inside<Caller>, { knock, person }: PasswordTry): Promise<Refusal> {
  await countWrongTry(context, knock, person)
  return refuse('credentials.wrong')
}

/** The same for a signed-in person: an open session does not prove the person. */
export async function tryOwnPassword(
  outside: Outside<UserCaller>,
  attempt: string,
  password: string,
): Promise<PasswordTry> {
  const { userId, email } = outside.caller
  const person = await findPerson(outside.db, userId)
  return await tryPassword(outside, attempt, { account: normaliseEmail(email), person }, password)
}
