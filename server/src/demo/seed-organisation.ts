import { type SystemCaller, systemCaller } from '../kernel/callers.ts'
import { newId, type OrganisationId, type UserId } from '../kernel/ids.ts'
import { type SystemRoleName, systemRole } from '../kernel/roles.ts'
import { foundOrganisation } from '../modules/foundings/index.ts'
import { addMember, letterheads, listActiveMemberships } from '../modules/organisations/index.ts'
import { findPersonByEmail, hashPassword, insertPerson } from '../modules/people/index.ts'
import { type Inside, type Outside, preparedOperation } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { demoLogo } from './demo-logo.ts'

export const demoEmail = 'demo@risiti.test'
export const demoPassword = 'demo-risiti-2026'
export const demoOrigin = { requestId: 'demo', address: '127.0.0.1', userAgent: 'demo data' }

/** Colleagues of the demo owner, one for each role, with the same password: sign in as each to see its rights. */
const colleagues: readonly [email: string, firstName: string, lastName: string, role: SystemRoleName][] = [
  ['admin@risiti.test', 'Tunde', 'Bakare', 'ADMIN'],
  ['accountant@risiti.test', 'Amina', 'Yusuf', 'ACCOUNTANT'],
  ['member@risiti.test', 'Chidi', 'Eze', 'MEMBER'],
  ['developer@risiti.test', 'Ifeoma', 'Nwosu', 'DEVELOPER'],
  ['viewer@risiti.test', 'Bola', 'Adeyemi', 'VIEWER'],
]

/** Everybody with the public demo password. */
export const demoEmails: readonly string[] = [demoEmail, ...colleagues.map(([email]) => email)]

const demoBank = { bankName: 'Harmattan Bank', accountName: 'Okonkwo Trading Ltd', accountNumber: '0123456789' }

interface SeededOrganisation {
  readonly organisationId: OrganisationId
  readonly ownerId: UserId
  /** created just now, so the rest of the demo is still to come */
  readonly isNew: boolean
}

/** The demo owner, the organisation and its team, created once. */
const seedOrganisation = preparedOperation(
  { needs: [], refuses: [] },
  async ({ db }: Outside<SystemCaller>) => ({
    passwordHash: (await findPersonByEmail(db, demoEmail)) ? undefined : await hashPassword(demoPassword),
  }),
  async (context: Inside<SystemCaller>, _input, { passwordHash }): Promise<SeededOrganisation> => {
    const { tx, now } = context
    const person = async (email: string, firstName: string, lastName: string) => {
      const id: UserId = newId()
      const hash = passwordHash ?? ''
      const isNew = await insertPerson(
        tx,
        { id, email, passwordHash: hash, firstName, lastName, emailVerifiedAt: now },
        now,
      )
      return isNew ? { id, email } : undefined
    }
    // Nodes that start together meet here: one of them creates the owner, and with the owner all the rest.
    const owner = passwordHash === undefined ? undefined : await person(demoEmail, 'Adaeze', 'Okonkwo')
    if (!owner) {
      const before = await findPersonByEmail(tx, demoEmail)
      const [own] = before ? await listActiveMemberships(tx, before.id) : []
      if (!before || !own) throw new Error('the demo organisation is gone although its owner exists')
      return { organisationId: own.organisationId, ownerId: before.id, isNew: false }
    }
    const organisationId = await foundOrganisation(context, owner, {
      name: 'Okonkwo Trading Ltd',
      country: 'NG',
      contactEmail: demoEmail,
    })
    await letterheads.saveLetterhead(tx, organisationId, { logo: demoLogo(), bank: demoBank }, now)
    for (const [email, firstName, lastName, role] of colleagues) {
      const colleague = await person(email, firstName, lastName)
      if (colleague) await addMember(context, organisationId, { person: colleague, role: systemRole(role) })
    }
    return { organisationId, ownerId: owner.id, isNew: true }
  },
)

export const seedDemoOrganisation = (runner: Runner): Promise<SeededOrganisation> =>
  runner.run(seedOrganisation, { caller: systemCaller, origin: demoOrigin, input: undefined })
