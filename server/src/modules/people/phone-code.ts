import type { Caller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { Ports } from '../../platform/operations/ports.ts'
import { queueMessage } from '../messages/index.ts'
import type { IssuedCode } from './one-time-codes.ts'

/** Text messages cost money and reach people who may not have requested them. */
export const textsADay = 10

/** Refuses at once if this installation sends no text messages. */
export function requireTextMessages({ messageCarrier }: Ports): void {
  if (!messageCarrier.textsPhones)
    throw refuse('dependency.unavailable', {
      message: 'This installation sends no text messages. Ask the operator to configure an SMS gateway.',
      retryAfterSeconds: 3600,
      away: 'text messages',
    })
}

export async function textPhoneCode(context: Inside<Caller>, phone: string, { id, code }: IssuedCode): Promise<void> {
  const text = `${code} is your Risiti code. It works once, for 15 minutes.`
  await queueMessage(context, {
    cause: `verify-phone:${id}`,
    sentFor: 'recipient',
    channel: 'sms',
    to: phone,
    subject: text,
    text,
    html: '',
  })
}
