import type { UserCaller } from '../../kernel/callers.ts'
import { momentInWords } from '../../kernel/document-words.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { compose, queueMessage } from '../messages/index.ts'
import type { ApiKey } from './api-key.ts'

/** A new key is a new way in. Its creator is informed, in case it was not them. */
export async function mailNewKey(
  context: Inside<UserCaller>,
  key: Pick<ApiKey, 'id' | 'name' | 'mode' | 'hint'>,
): Promise<void> {
  const { caller, origin, now, settings } = context
  const mail = compose({
    greeting: `Hello ${caller.firstName},`,
    paragraphs: [
      `The ${key.mode} API key “${key.name}” (${key.hint}) was created with your account.`,
      `Time: ${momentInWords(now)}. Address: ${origin.address || 'unknown'}.`,
    ],
    link: { words: 'See your API keys', href: new URL('/developers', settings.dashboardUrl).href },
    closing: 'If this was not you, revoke the key, choose a new password and end all sessions.',
  })
  await queueMessage(context, {
    cause: `new-key:${key.id}`,
    sentFor: caller.tenant.organisationId,
    channel: 'email',
    to: caller.email,
    subject: 'New API key',
    ...mail,
  })
}
