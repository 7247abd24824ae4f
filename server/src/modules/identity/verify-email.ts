import type { PublicCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { listActiveMemberships, saveNameAndCountry } from '../organisations/index.ts'
import {
  attemptLimits,
  findPersonByEmail,
  forgetDevices,
  greetDevice,
  lockPerson,
  normaliseEmail,
  oneTimeCodes,
  type Person,
  personSubject,
  saveIdentity,
  saveTotpOff,
  saveVerified,
} from '../people/index.ts'
import { makePrimarySeller } from '../sellers/index.ts'
import { listOpenRegistrations, type Registration } from './registrations.store.ts'
import { endRegistrationsOf } from './registrations.ts'
import { openSession, sessionSubject } from './session.ts'
import { endSessionsOf } from './sessions.store.ts'

/** Signs in the person who registered with this very code. */
export const verifyEmail = preparedOperation(
  { time: 'real', needs: [], refuses: ['code.wrong'] },
  async (outside: Outside<PublicCaller>, input: { email: string; code: string }) => {
    const account = normaliseEmail(input.email)
    const person = await findPersonByEmail(outside.db, account)
    const open = person ? await listOpenRegistrations(outside.db, person.id, outside.now) : []
    await outside.throttle('verify-email', account, { known: cameFromHere(outside, open) })
  },
  async (context: Inside<PublicCaller>, input: { email: string; code: string }) => {
    const { tx, now } = context
    const account = normaliseEmail(input.email)
    const found = await findPersonByEmail(tx, account)
    const locked = found && (await lockPerson(tx, found.id))
    // A verified address has nothing left to prove. An old code must not sign anybody in.
    const person = locked && !locked.emailVerifiedAt ? locked : undefined
    const open = person ? await listOpenRegistrations(tx, person.id, now) : []
    const isOwnNetwork = cameFromHere(context, open)
    const redeemed = await oneTimeCodes.redeemCode(
      context,
      { purpose: 'verify_email', account, person, isOwnNetwork },
      input.code,
    )
    const registration = open.find(({ id }) => id === redeemed?.subject)
    if (!person || !registration) return refuse('code.wrong')
    await takeOver(context, person, registration)
    await saveVerified(tx, person.id, now)
    await endRegistrationsOf(context, person.id)
    context.authChanged(personSubject(person.id))
    await greetDevice(context, person)
    return await openSession(context, person.id, 'sandbox')
  },
)

/** A person who verifies from the network of the registration is not blocked by guesses from elsewhere. */
const cameFromHere = (here: Parameters<typeof attemptLimits.networkMacOf>[0], open: readonly Registration[]): boolean =>
  open.some(({ networkMac }) => networkMac === attemptLimits.networkMacOf(here))

/**
 * The owner of the code decides which registration counts. Registrations of others leave no password, session, second
 * factor or known network.
 */
async function takeOver(context: Inside<PublicCaller>, person: Person, chosen: Registration): Promise<void> {
  const { tx, now } = context
  if (chosen.passwordHash !== person.passwordHash) {
    await saveTotpOff(tx, person.id, now)
    await forgetDevices(tx, person.id)
    const ended = await endSessionsOf(tx, person.id, null, now)
    context.authChanged(...ended.map(sessionSubject))
  }
  await saveIdentity(tx, person.id, chosen, now)
  const [own] = await listActiveMemberships(tx, person.id)
  if (!own) return
  await saveNameAndCountry(tx, own.organisationId, chosen.organisationName, chosen.country, now)
  await makePrimarySeller(context, own.organisationId)
}
