import type { Caller } from '../../kernel/callers.ts'
import { momentInWords } from '../../kernel/document-words.ts'
import { newId } from '../../kernel/ids.ts'
import { programName } from '../../kernel/program-name.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { compose, queueMessage } from '../messages/index.ts'
import type { Person } from './person.ts'

/** Reports a change of the account's protection to its owner, who may not have made it. */
export const sendSecurityNotice = (
  context: Inside<Caller>,
  to: Pick<Person, 'email' | 'firstName'>,
  subject: string,
  what: string,
) =>
  queueMessage(context, {
    cause: `security:${newId()}`,
    sentFor: 'recipient',
    channel: 'email',
    to: to.email,
    subject,
    ...compose({
      greeting: `Hello ${to.firstName},`,
      paragraphs: [
        what,
        `Time: ${momentInWords(context.now)}. Address: ${context.origin.address || 'unknown'}. Program: ${programName(context.origin.userAgent)}.`,
      ],
      link: { words: 'Check your account', href: new URL('/settings/security', context.settings.dashboardUrl).href },
      closing: 'If this was not you, choose a new password at once and end all sessions.',
    }),
  })
