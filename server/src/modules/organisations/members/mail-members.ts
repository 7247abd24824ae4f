import type { Caller } from '../../../kernel/callers.ts'
import type { Capability } from '../../../kernel/capabilities.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import type { Mode } from '../../../kernel/tenant.ts'
import { turnOf } from '../../../platform/jobs/turns.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { compose, queueMessage } from '../../messages/index.ts'
import { capabilitiesWith } from '../roles/role.ts'
import { listActiveMembers, listOwners } from './members.store.ts'

/** Upper limit of mails about one matter. */
const most = 500

export interface MemberMail {
  /** A cause has one mail for each member. */
  readonly cause: string
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** `page` is a path of the dashboard, or a whole address. */
  readonly link: { readonly words: string; readonly page: string }
  readonly closing?: string
  /** A mail about the sandbox waits in the turn of the sandbox. */
  readonly mode?: Mode
}

/** Sends the same mail to the owners of an organisation, or to its active members who have a capability. */
export async function mailMembers(
  context: Inside<Caller>,
  organisationId: OrganisationId,
  to: 'owners' | Capability,
  { cause, subject, paragraphs, link, closing, mode }: MemberMail,
): Promise<void> {
  const { tx, settings } = context
  const members =
    to === 'owners'
      ? await listOwners(tx, organisationId)
      : (await listActiveMembers(tx, organisationId, most)).filter(({ role, extraCapabilities }) =>
          [...capabilitiesWith(role, extraCapabilities)].includes(to),
        )
  for (const { userId, email, firstName } of members)
    await queueMessage(context, {
      cause: `${cause}:${userId}`,
      sentFor: turnOf({ organisationId, mode: mode ?? null }),
      channel: 'email',
      to: email,
      subject,
      ...compose({
        greeting: `Hello ${firstName},`,
        paragraphs,
        link: { words: link.words, href: new URL(link.page, settings.dashboardUrl).href },
        ...(closing === undefined ? {} : { closing }),
      }),
    })
}
