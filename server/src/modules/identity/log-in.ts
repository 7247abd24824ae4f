import type { PublicCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import {
  findPersonByEmail,
  greetDevice,
  lockPerson,
  normaliseEmail,
  passSecondFactor,
  refuseWrongPassword,
  tryPassword,
} from '../people/index.ts'
import { openSession } from './session.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
  readonly code?: string | undefined
  readonly mode: Mode
}

export const logIn = preparedOperation(
  { time: 'real', needs: [], refuses: ['credentials.wrong', 'credentials.second_factor_needed'] },
  async (outside: Outside<PublicCaller>, input: Credentials) => {
    const account = normaliseEmail(input.email)
    const person = await findPersonByEmail(outside.db, account)
    return await tryPassword(outside, 'login', { account, person }, input.password)
  },
  async (context: Inside<PublicCaller>, input: Credentials, tried) => {
    if (!tried.person || tried.provenHash === undefined) return await refuseWrongPassword(context, tried)
    const person = await lockPerson(context.tx, tried.person.id)
    // The password may have been changed while the old one was being checked.
    if (person.passwordHash !== tried.provenHash) throw refuse('credentials.wrong')
    if (person.totpEnabledAt) {
      if (input.code === undefined) throw refuse('credentials.second_factor_needed')
      if (!(await passSecondFactor(context, person, input.code))) return refuse('credentials.wrong')
    }
    await greetDevice(context, person)
    return await openSession(context, person.id, input.mode)
  },
)
