import type { PublicCaller } from '../../kernel/callers.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { findPersonByEmail, lockPerson, normaliseEmail } from '../people/index.ts'
import { listOpenRegistrations } from './registrations.store.ts'
import { mailRegistrationCode } from './registrations.ts'

const mostADay = 10

/** Each mail says which registration its code is for. The reply is the same for every address. */
export const resendVerification = preparedOperation(
  { time: 'real', needs: [], refuses: [] },
  async ({ throttle }: Outside<PublicCaller>, input: { email: string }) =>
    await throttle('resend-verification', normaliseEmail(input.email), { perDay: mostADay }),
  async (context: Inside<PublicCaller>, input: { email: string }) => {
    const { tx, now } = context
    const email = normaliseEmail(input.email)
    const found = await findPersonByEmail(tx, email)
    const person = found && !found.emailVerifiedAt ? await lockPerson(tx, found.id) : undefined
    if (person && !person.emailVerifiedAt) {
      const open = await listOpenRegistrations(tx, person.id, now)
      for (const registration of open) await mailRegistrationCode(context, email, registration, open.length > 1)
    }
    return { email }
  },
)
