import type { Caller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { compose, queueMessage } from '../../messages/index.ts'
import type { Member } from './member.ts'

/** Signing in became easier. The owner of the account is informed, in case they did not request it. */
export async function mailSecondFactorOff(context: Inside<Caller>, member: Member, how: string): Promise<void> {
  const mail = compose({
    greeting: `Hello ${member.firstName},`,
    paragraphs: [
      `The second factor of your account was switched off, ${how}. You can now sign in with your password alone.`,
    ],
    closing:
      'Set up a second factor again as soon as you can. If you did not ask for this, change your password at once.',
  })
  await queueMessage(context, {
    cause: `second-factor-removed:${newId()}`,
    sentFor: 'recipient',
    channel: 'email',
    to: member.email,
    subject: 'Second factor switched off',
    ...mail,
  })
}
