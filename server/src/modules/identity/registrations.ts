import type { Caller } from '../../kernel/callers.ts'
import { newId, type UserId } from '../../kernel/ids.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { attemptLimits, oneTimeCodes } from '../people/index.ts'
import {
  endRegistrations,
  insertRegistration,
  listOpenRegistrations,
  type Registration,
  type RegistrationId,
} from './registrations.store.ts'
import { sendVerificationCode } from './security-mails.ts'
import { longestUserAgent } from './session.ts'

const lifeMs = 7 * 24 * 3600_000
const mostOpen = 5
const mostOpenPerNetwork = 3
/** Codes per registration and day: requested from its own network, and from elsewhere. */
const mostCodes = { here: 5, elsewhere: 3 }

type RegistrationInput = Pick<Registration, 'passwordHash' | 'firstName' | 'lastName' | 'organisationName' | 'country'>

/**
 * The registration that is dropped to make room: the oldest of the same network, or the oldest of the network with
 * most. One network can so never push out the registration of another.
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

/** Adds a registration beside those of others for the same address. The caller has locked the person's row. */
export async function noteRegistration(
  context: Inside<Caller>,
  userId: UserId,
  wanted: RegistrationInput,
): Promise<Registration> {
  const { tx, now, origin } = context
  const registration: Registration = {
    ...wanted,
    id: newId(),
    userId,
    address: origin.address,
    userAgent: origin.userAgent.slice(0, longestUserAgent),
    networkMac: attemptLimits.networkMacOf(context),
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifeMs),
  }
  const givesWay = whichGivesWay(await listOpenRegistrations(tx, userId, now), registration.networkMac)
  if (givesWay) await endRegistrationsOf(context, userId, [givesWay.id])
  await insertRegistration(tx, registration)
  return registration
}

/** A new code replaces the old one. None is sent beyond the daily limit. */
export async function mailRegistrationCode(
  context: Inside<Caller>,
  email: string,
  registration: Registration,
  isOneOfSeveral: boolean,
): Promise<void> {
  const { tx, now } = context
  const { id, userId, networkMac } = registration
  const since = new Date(now.getTime() - 24 * 3600_000)
  const mailed = await oneTimeCodes.countCodes(tx, userId, 'verify_email', id, networkMac, since)
  const where = attemptLimits.networkMacOf(context) === networkMac ? 'here' : 'elsewhere'
  if (mailed[where] >= mostCodes[where]) return
  const code = await oneTimeCodes.issueCode(context, userId, 'verify_email', { subject: id })
  await sendVerificationCode(context, email, registration, code, isOneOfSeveral)
}

/** Ends registrations together with their codes. All of them end once the address is verified. */
export async function endRegistrationsOf(
  { tx, now }: Inside<Caller>,
  userId: UserId,
  ids: readonly RegistrationId[] | null = null,
): Promise<void> {
  await endRegistrations(tx, userId, now, ids)
  await oneTimeCodes.useCodes(tx, userId, 'verify_email', now, ids)
}
