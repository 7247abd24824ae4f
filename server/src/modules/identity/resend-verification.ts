import type { PublicCaller } from '../../kernel/callers.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { findPersonByEmail, issueCode, latestCode, normaliseEmail } from '../people/index.ts'
import { sendVerificationCode } from './security-letters.ts'

/** Mails a new code to an address that waits for one; the answer is the same for every address. */
export const resendVerification = preparedOperation(
  { needs: [], refuses: [] },
  async ({ throttle }: Outside<PublicCaller>, input: { email: string }) =>
    await throttle('resend-verification', normaliseEmail(input.email)),
  async (context: Inside<PublicCaller>, input: { email: string }) => {
    const email = normaliseEmail(input.email)
    const person = await findPersonByEmail(context.tx, email)
    if (person && !person.emailVerifiedAt) {
      const before = await latestCode(context.tx, person.id, 'verify_email')
      const code = await issueCode(context, person.id, 'verify_email', before?.claims)
      await sendVerificationCode(
        context,
        { email, firstName: before?.claims.firstName ?? person.firstName },
        code,
        before?.claims.organizationName,
      )
    }
    return { email }
  },
)
