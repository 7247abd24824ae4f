import type { PublicCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operation.ts'
import { listActiveMemberships, saveOrganisationName } from '../organisations/index.ts'
import {
  findPersonByEmail,
  normaliseEmail,
  type Person,
  redeemCode,
  saveIdentity,
  saveVerified,
} from '../people/index.ts'
import { greetDevice } from './greet-device.ts'
import { openSession, userSubject } from './session.ts'

/** Proves an address with the code mailed to it, and signs its owner in. */
export const verifyEmail = preparedOperation(
  { needs: [], refuses: ['code.wrong'] },
  async ({ throttle }: Outside<PublicCaller>, input: { email: string; code: string }) =>
    await throttle('verify-email', normaliseEmail(input.email)),
  async (context: Inside<PublicCaller>, input: { email: string; code: string }) => {
    const person = await findPersonByEmail(context.tx, normaliseEmail(input.email))
    const claims = person && (await redeemCode(context, person.id, 'verify_email', input.code))
    if (!claims) return refuse('code.wrong')
    if (!person.emailVerifiedAt) await takeOver(context, person, claims)
    await saveVerified(context.tx, person.id, context.now)
    context.authChanged(userSubject(person.id))
    await greetDevice(context, person)
    return await openSession(context, person.id, 'sandbox')
  },
)

/** Whoever holds the code decides what was registered with it: an earlier attempt by someone else leaves no password. */
async function takeOver(context: Inside<PublicCaller>, person: Person, claims: Record<string, string>): Promise<void> {
  const { passwordHash, firstName, lastName, organizationName, country } = claims
  if (!passwordHash || !firstName || !lastName || !organizationName || !country) return
  await saveIdentity(context.tx, person.id, { passwordHash, firstName, lastName }, context.now)
  const [own] = await listActiveMemberships(context.tx, person.id)
  if (own) await saveOrganisationName(context.tx, own.organisationId, organizationName, country, context.now)
}
