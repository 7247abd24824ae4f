import type { Caller } from '../../kernel/callers.ts'
import { momentInWords } from '../../kernel/document-words.ts'
import { newId } from '../../kernel/ids.ts'
import { programName } from '../../kernel/program-name.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { compose, queueMessage } from '../messages/index.ts'
import type { AttemptKind } from './attempt-kind.ts'
import type { Person } from './person.ts'

const tried: Readonly<Record<AttemptKind, string>> = {
  password: 'the password of your account',
  second_factor: 'the second factor of your account, by someone who knows your password',
  reset_password: 'the code for a new password of your account',
  verify_email: 'the code that verifies your address',
  verify_phone: 'the code that verifies your phone',
  verify_organisation_phone: 'the code that verifies the phone of your organisation',
  invitation: 'the code of an invitation to you',
  requested_change: 'the code that confirms a change of your account',
}

/** Sent once per lockout, not per attempt. */
export async function sendLockoutMail(
  context: Inside<Caller>,
  to: Pick<Person, 'email' | 'firstName'>,
  kind: AttemptKind,
  until: Date,
): Promise<void> {
  const { address, userAgent } = context.origin
  const mail = compose({
    greeting: `Hello ${to.firstName},`,
    paragraphs: [
      `There were too many wrong attempts at ${tried[kind]}. Further attempts from the same network are refused until ${momentInWords(until)}.`,
      `Time: ${momentInWords(context.now)}. Address: ${address || 'unknown'}. Program: ${programName(userAgent)}.`,
    ],
    closing:
      kind === 'second_factor'
        ? 'If this was not you, choose a new password at once.'
        : 'If this was not you, nothing was changed. You can sign in as usual from networks that you have used before.',
  })
  await queueMessage(context, {
    cause: `lockout:${newId()}`,
    sentFor: 'recipient',
    channel: 'email',
    to: to.email,
    subject: 'Too many wrong attempts at your Risiti account',
    ...mail,
  })
}
