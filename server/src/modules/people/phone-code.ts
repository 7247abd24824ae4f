import type { Caller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { Ports } from '../../platform/operations/ports.ts'
import { queueMessage } from '../messages/index.ts'
import type { IssuedCode } from './one-time-codes.ts'

/** Texts cost money and reach phones whose owners may not have asked for them. */
export const textsADay = 10

/** Where nothing can reach a phone, it is better to say so than to wait for a text that never comes. */
export function requireTextMessages({ messageCarrier }: Ports): void {
  if (!messageCarrier.textsPhones)
    throw refuse('dependency.unavailable', {
      message: 'Text messages cannot be sent: no SMS gateway is configured.',
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
