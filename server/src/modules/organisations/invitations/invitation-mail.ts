import type { UserCaller } from '../../../kernel/callers.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { compose, queueMessage } from '../../messages/index.ts'
import { type Invitation, spacedCode } from './invitation.ts'

/**
 * The reader may know neither the sender nor us. Subject and greeting are ours, and the sender's words are marked. The
 * code is written nowhere else. `attempt` makes each sending distinct.
 */
export async function sendInvitation(
  context: Inside<UserCaller>,
  invitation: Invitation,
  organisationName: string,
  code: string,
  attempt: string,
): Promise<void> {
  const { caller, settings } = context
  // Browsers do not send the part after #, so that no log holds a code.
  const page = new URL('/accept-invitation', settings.dashboardUrl)
  page.hash = new URLSearchParams({ email: invitation.email, code }).toString()
  const mail = compose({
    greeting: 'Hello,',
    code: spacedCode(code),
    paragraphs: [
      `“${caller.firstName} ${caller.lastName}” (${caller.email}) invites you to join the organisation “${organisationName}” at Risiti, as ${invitation.role.label}. The sender chose these names.`,
      ...(invitation.message === null ? [] : [`The sender writes: “${invitation.message}”`]),
      'Enter this code together with your email address. It works once, for seven days.',
    ],
    link: { words: 'Accept the invitation', href: page.href },
    closing: 'If you did not expect this mail, ignore it. Nothing happens without the code.',
  })
  await queueMessage(context, {
    cause: `invitation:${invitation.id}:${attempt}`,
    sentFor: invitation.organisationId,
    channel: 'email',
    to: invitation.email,
    subject: 'You are invited to join an organisation at Risiti',
    ...mail,
  })
}
