import type { PublicCaller } from '../../kernel/callers.ts'
import { newId, type UserId } from '../../kernel/ids.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { foundOrganisation } from '../organisations/index.ts'
import { findPersonByEmail, hashPassword, insertPerson, issueCode, normaliseEmail } from '../people/index.ts'
import { sendAlreadyRegistered, sendVerificationCode } from './security-letters.ts'

export interface Registration {
  readonly email: string
  readonly password: string
  readonly firstName: string
  readonly lastName: string
  readonly organizationName: string
  readonly country: string
}

/**
 * Opens an account with its organisation, and mails a code. An address that has an account gets the same answer and
 * another mail, so that nobody learns from us who is registered.
 */
export const register = preparedOperation(
  { needs: [], refuses: [] },
  async ({ throttle }: Outside<PublicCaller>, input: Registration) => {
    await throttle('register', normaliseEmail(input.email))
    return { passwordHash: await hashPassword(input.password) }
  },
  async (context: Inside<PublicCaller>, input: Registration, { passwordHash }) => {
    const email = normaliseEmail(input.email)
    const { firstName, lastName, organizationName, country } = input
    const person = { id: newId<'user'>(), email, passwordHash, firstName, lastName, emailVerifiedAt: null }
    const isNew = await insertPerson(context.tx, person, context.now)
    const existing = isNew ? undefined : await findPersonByEmail(context.tx, email)
    if (existing?.emailVerifiedAt) {
      await sendAlreadyRegistered(context, existing)
      return { email, emailVerified: false as const }
    }
    const userId: UserId = existing?.id ?? person.id
    if (isNew) await foundOrganisation(context, { id: userId, email }, { name: organizationName, country })
    const code = await issueCode(context, userId, 'verify_email', {
      passwordHash,
      firstName,
      lastName,
      organizationName,
      country,
    })
    await sendVerificationCode(context, { email, firstName }, code, organizationName)
    return { email, emailVerified: false as const }
  },
)
