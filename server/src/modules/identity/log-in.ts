import type { PublicCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import {
  findPersonByEmail,
  lockPerson,
  nobodysHash,
  normaliseEmail,
  passSecondFactor,
  passwordMatches,
} from '../people/index.ts'
import { greetDevice } from './greet-device.ts'
import { openSession } from './session.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
  readonly code?: string | undefined
  readonly mode: Mode
}

export const logIn = preparedOperation(
  { needs: [], refuses: ['credentials.wrong', 'credentials.second_factor_needed'] },
  async ({ throttle, db }: Outside<PublicCaller>, input: Credentials) => {
    const email = normaliseEmail(input.email)
    await throttle('login', email)
    const person = await findPersonByEmail(db, email)
    const matches = await passwordMatches(input.password, person?.passwordHash ?? nobodysHash)
    return person && matches ? { person } : undefined
  },
  async (context: Inside<PublicCaller>, input: Credentials, proven) => {
    if (!proven) throw refuse('credentials.wrong')
    const person = await lockPerson(context.tx, proven.person.id)
    // The password may have been changed while the old one was being checked.
    if (person.passwordHash !== proven.person.passwordHash) throw refuse('credentials.wrong')
    if (person.totpEnabledAt) {
      if (input.code === undefined) throw refuse('credentials.second_factor_needed')
      if (!(await passSecondFactor(context, person, input.code))) return refuse('credentials.wrong')
    }
    await greetDevice(context, person)
    return await openSession(context, person.id, input.mode)
  },
)
