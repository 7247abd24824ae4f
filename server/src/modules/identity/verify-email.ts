import type { PublicCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { listActiveOrganisationIds, saveNameAndCountry } from '../organisations/index.ts'
import {
  findPersonByEmail,
  normaliseEmail,
  type Person,
  personSubject,
  redeemCode,
  saveIdentity,
  saveTotpOff,
  saveVerified,
} from '../people/index.ts'
import { greetDevice } from './greet-device.ts'
import { openSession, sessionSubject } from './session.ts'
import { endSessionsOf } from './sessions.store.ts'

/** Proves an address with the code mailed to it, and signs its owner in. */
export const verifyEmail = preparedOperation(
  { needs: [], refuses: ['code.wrong'] },
  async ({ throttle }: Outside<PublicCaller>, input: { email: string; code: string }) =>
    await throttle('verify-email', normaliseEmail(input.email)),
  async (context: Inside<PublicCaller>, input: { email: string; code: string }) => {
    const person = await findPersonByEmail(context.tx, normaliseEmail(input.email))
    // A verified address has nothing left to prove here: a code left over from before is no way to sign in.
    const unverified = person && !person.emailVerifiedAt ? person : undefined
    const claims = unverified && (await redeemCode(context, unverified.id, 'verify_email', input.code))
    if (!claims) return refuse('code.wrong')
    await takeOver(context, unverified, claims)
    await saveVerified(context.tx, unverified.id, context.now)
    context.authChanged(personSubject(unverified.id))
    await greetDevice(context, unverified)
    return await openSession(context, unverified.id, 'sandbox')
  },
)

/**
 * Whoever holds the code decides what was registered with it: an earlier attempt by someone else leaves no password,
 * no session and no second factor.
 */
async function takeOver(context: Inside<PublicCaller>, person: Person, claims: Record<string, string>): Promise<void> {
  const { passwordHash, firstName, lastName, organizationName, country } = claims
  if (!passwordHash || !firstName || !lastName || !organizationName || !country) return
  if (passwordHash !== person.passwordHash) {
    await saveTotpOff(context.tx, person.id, context.now)
    const ended = await endSessionsOf(context.tx, person.id, null, context.now)
    context.authChanged(...ended.map(sessionSubject))
  }
  await saveIdentity(context.tx, person.id, { passwordHash, firstName, lastName }, context.now)
  const [own] = await listActiveOrganisationIds(context.tx, person.id)
  if (own) await saveNameAndCountry(context.tx, own, organizationName, country, context.now)
}
