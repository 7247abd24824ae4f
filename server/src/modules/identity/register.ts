import type { PublicCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { foundOrganisation } from '../foundings/index.ts'
import {
  findPersonByEmail,
  hashPassword,
  insertPerson,
  lockPerson,
  normaliseEmail,
  type Person,
  requireGoodPassword,
} from '../people/index.ts'
import { listOpenRegistrations } from './registrations.store.ts'
import { mailRegistrationCode, noteRegistration } from './registrations.ts'
import { sendAlreadyRegistered } from './security-mails.ts'

export interface RegistrationForm {
  readonly email: string
  readonly password: string
  readonly firstName: string
  readonly lastName: string
  readonly organizationName: string
  readonly country: string
}

/** Each request sends a mail to a person who may not have requested it. */
const mostADay = 5

/**
 * The reply is the same if the address has an account, which then gets another mail, so that nobody learns who is
 * registered. An unverified address gets one more registration with its own code; the first that is verified counts.
 */
export const register = preparedOperation(
  { time: 'real', needs: [], refuses: [] },
  async ({ throttle }: Outside<PublicCaller>, input: RegistrationForm) => {
    requireGoodPassword(input.password, input.email)
    await throttle('register', normaliseEmail(input.email), { perDay: mostADay })
    return { passwordHash: await hashPassword(input.password) }
  },
  async (context: Inside<PublicCaller>, input: RegistrationForm, { passwordHash }) => {
    const { tx, now } = context
    const email = normaliseEmail(input.email)
    const { firstName, lastName, organizationName: organisationName, country } = input
    const newcomer = { id: newId<'user'>(), email, passwordHash, firstName, lastName, emailVerifiedAt: null }
    const isNew = await insertPerson(tx, newcomer, now)
    const found = isNew ? undefined : ((await findPersonByEmail(tx, email)) as Person)
    // Locked, so that no registration is verified while another is added.
    const person = await lockPerson(tx, found?.id ?? newcomer.id)
    if (person.emailVerifiedAt) {
      await sendAlreadyRegistered(context, person)
      return { email, emailVerified: false as const }
    }
    if (isNew) await foundOrganisation(context, person, { name: organisationName, country })
    const wanted = { passwordHash, firstName, lastName, organisationName, country }
    const registration = await noteRegistration(context, person.id, wanted)
    const isOneOfSeveral = (await listOpenRegistrations(tx, person.id, now)).length > 1
    await mailRegistrationCode(context, email, registration, isOneOfSeveral)
    return { email, emailVerified: false as const }
  },
)
