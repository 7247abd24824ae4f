import type { Caller } from '../../kernel/callers.ts'
import { newId, type UserId } from '../../kernel/ids.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { countCodes, issueCode, networkMacOf, useCodes } from '../people/index.ts'
import {
  endRegistrations,
  insertRegistration,
  listOpenRegistrations,
  type Registration,
  type RegistrationId,
} from './registrations.store.ts'
import { sendVerificationCode } from './security-letters.ts'
import { longestUserAgent } from './session.ts'

const lifeMs = 7 * 24 * 3600_000
const mostOpen = 5
const mostOpenPerNetwork = 3
/** Codes mailed for one registration in a day: asked for from where it was made, and from elsewhere. */
const mostCodes = { here: 5, elsewhere: 3 }

type Wanted = Pick<Registration, 'passwordHash' | 'firstName' | 'lastName' | 'organisationName' | 'country'>

/**
 * Which registration makes room for one more from a network: that network's own oldest, or the oldest of whichever network
 * holds most. So one network can never push out what came from another.
 */
export function whichGivesWay<Open extends Pick<Registration, 'networkMac'>>(
  open: readonly Open[],
  networkMac: string,
): Open | undefined {
  const from = (network: string) => open.filter((one) => one.networkMac === network)
  if (from(networkMac).length >= mostOpenPerNetwork) return from(networkMac)[0]
  if (open.length < mostOpen) return undefined
  const most = Math.max(...open.map((one) => from(one.networkMac).length))
  return open.find((one) => from(one.networkMac).length === most)
}

/** Notes what somebody chose, beside what others chose for the same address. The person's row is locked by now. */
export async function noteRegistration(context: Inside<Caller>, userId: UserId, wanted: Wanted): Promise<Registration> {
  const { tx, now, origin } = context
  const registration: Registration = {
    ...wanted,
    id: newId(),
    userId,
    address: origin.address,
    userAgent: origin.userAgent.slice(0, longestUserAgent),
    networkMac: networkMacOf(context),
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifeMs),
  }
  const givesWay = whichGivesWay(await listOpenRegistrations(tx, userId, now), registration.networkMac)
  if (givesWay) await endRegistrationsOf(context, userId, [givesWay.id])
  await insertRegistration(tx, registration)
  return registration
}

/** A new code for one registration, in place of the one before; none when it has had enough for a day. */
export async function mailRegistrationCode(
  context: Inside<Caller>,
  email: string,
  registration: Registration,
  isOneOfSeveral: boolean,
): Promise<void> {
  const { tx, now } = context
  const { id, userId, networkMac } = registration
  const since = new Date(now.getTime() - 24 * 3600_000)
  const mailed = await countCodes(tx, userId, 'verify_email', id, networkMac, since)
  const where = networkMacOf(context) === networkMac ? 'here' : 'elsewhere'
  if (mailed[where] >= mostCodes[where]) return
  const code = await issueCode(context, userId, 'verify_email', { subject: id })
  await sendVerificationCode(context, email, registration, code, isOneOfSeveral)
}

/** Ends registrations together with their codes: once an address is verified, all of them. */
export async function endRegistrationsOf(
  { tx, now }: Inside<Caller>,
  userId: UserId,
  ids: readonly RegistrationId[] | null = null,
): Promise<void> {
  await endRegistrations(tx, userId, now, ids)
  await useCodes(tx, userId, 'verify_email', now, ids)
}
