import type { Caller, UserCaller } from '../../kernel/callers.ts'
import { type Refusal, refuse } from '../../kernel/refusals.ts'
import type { Inside, Outside } from '../../platform/operations/operation.ts'
import { countWrongTry, type Knock, laneOf, requireOpenDoor } from './doors.ts'
import { nobodysHash, passwordMatches } from './passwords.ts'
import { findPerson } from './people.store.ts'
import { normaliseEmail, type Person } from './person.ts'

/** How a try at a password ended. */
export interface PasswordTry {
  readonly person: Person | undefined
  /** the hash that was proven, to be held against today's: it may have been changed meanwhile */
  readonly provenHash: string | undefined
  readonly knock: Knock
}

/** Checks a password of an address, which nobody may have; counted before it is hashed. */
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

/** Counts a wrong password and says so, in words that fit an address without an account as well. */
export async function refuseWrongPassword(context: Inside<Caller>, { knock, person }: PasswordTry): Promise<Refusal> {
  await countWrongTry(context, knock, person)
  return refuse('credentials.wrong')
}

/** The same for somebody who is signed in: an open session is not yet the person. */
export async function tryOwnPassword(
  outside: Outside<UserCaller>,
  attempt: string,
  password: string,
): Promise<PasswordTry> {
  const { userId, email } = outside.caller
  const person = await findPerson(outside.db, userId)
  return await tryPassword(outside, attempt, { account: normaliseEmail(email), person }, password)
}
