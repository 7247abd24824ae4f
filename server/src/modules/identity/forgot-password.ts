import type { PublicCaller } from '../../kernel/callers.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { findPersonByEmail, issueCode, normaliseEmail } from '../people/index.ts'
import { sendResetCode } from './security-letters.ts'

/** Mails a code with which a new password can be chosen; the answer is the same for every address. */
export const forgotPassword = preparedOperation(
  { needs: [], refuses: [] },
  async ({ throttle }: Outside<PublicCaller>, input: { email: string }) =>
    await throttle('forgot-password', normaliseEmail(input.email)),
  async (context: Inside<PublicCaller>, input: { email: string }) => {
    const email = normaliseEmail(input.email)
    const person = await findPersonByEmail(context.tx, email)
    if (person) await sendResetCode(context, person, await issueCode(context, person.id, 'reset_password'))
    return { email }
  },
)
