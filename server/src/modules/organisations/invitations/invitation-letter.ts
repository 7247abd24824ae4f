import type { UserCaller } from '../../../kernel/callers.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { compose, queueMessage } from '../../messages/index.ts'
import { type Invitation, spacedCode } from './invitation.ts'

/**
 * To somebody who may know neither the sender nor us: subject and greeting are our own words, and what the sender chose is marked as such.
 * The only place where the code is ever written; `attempt` makes each sending a cause of its own.
 */
export async function sendInvitation(
  context: Inside<UserCaller>,
  invitation: Invitation,
  organisationName: string,
  code: string,
  attempt: string,
): Promise<void> {
  const { caller, settings } = context
  // Behind the #: browsers keep it to themselves, so no log ever holds a code.
  const page = new URL('/accept-invitation', settings.dashboardUrl)
  page.hash = new URLSearchParams({ email: invitation.email, code }).toString()
  const letter = compose({
    greeting: 'Hello,',
    code: spacedCode(code),
    paragraphs: [
      `“${caller.firstName} ${caller.lastName}” (${caller.email}) invites you to join the organisation “${organisationName}” at Risiti, as ${invitation.role.label}. The sender chose these names.`,
      ...(invitation.message === null ? [] : [`The sender writes: “${invitation.message}”`]),
      'Enter this code together with your email address. It works once, for seven days.',
    ],
    link: { words: 'Accept the invitation', href: page.href },
    closing: 'If you did not expect this, ignore it; nothing happens without the code.',
  })
  await queueMessage(context, {
    cause: `invitation:${invitation.id}:${attempt}`,
    sentFor: invitation.organisationId,
    channel: 'email',
    to: invitation.email,
    subject: 'You are invited to join an organisation at Risiti',
    ...letter,
  })
}
