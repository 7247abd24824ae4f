import type { PublicCaller } from '../../kernel/callers.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { attemptLimits, findPersonByEmail, normaliseEmail, oneTimeCodes } from '../people/index.ts'
import { sendResetCode } from './security-mails.ts'

const mostADay = 10

/** The reply is the same for every address, so that nobody learns who has an account. */
export const forgotPassword = preparedOperation(
  { time: 'real', needs: [], refuses: [] },
  async (outside: Outside<PublicCaller>, input: { email: string }) => {
    const email = normaliseEmail(input.email)
    const { known } = await attemptLimits.networkOf(outside, email)
    await outside.throttle('forgot-password', email, { known, perDay: mostADay })
  },
  async (context: Inside<PublicCaller>, input: { email: string }) => {
    const email = normaliseEmail(input.email)
    const person = await findPersonByEmail(context.tx, email)
    if (person) await sendResetCode(context, person, await oneTimeCodes.issueCode(context, person.id, 'reset_password'))
    return { email }
  },
)
