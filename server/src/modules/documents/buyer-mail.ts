import type { SystemCaller } from '../../kernel/callers.ts'
import type { Letterhead } from '../../kernel/invoice-document.ts'
import type { Wording } from '../../kernel/languages/wording.ts'
import type { Mode, Tenant } from '../../kernel/tenant.ts'
import type { Outside } from '../../platform/operations/operation.ts'
import { compose } from '../messages/index.ts'
import { isOwnAddress } from '../organisations/index.ts'

/**
 * In the sandbox anybody may name any buyer, so documents go only to members of the organisation. If mail reaches no
 * real people, every address is allowed.
 */
export async function mayBeMailed(
  { db, ports }: Pick<Outside<SystemCaller>, 'db' | 'ports'>,
  { organisationId, mode }: Tenant,
  to: string,
): Promise<boolean> {
  return mode === 'live' || !ports.messageCarrier.reachesPeople || (await isOwnAddress(db, organisationId, to))
}

/** What every mail about documents has, besides its own words. */
interface MailFrame {
  readonly mode: Mode
  readonly seller: { readonly name: string; readonly email: string | null } | null
  /** null for a mail without a picture */
  readonly logo: Letterhead['logo']
  readonly wording: Wording
}

type Contents = Omit<Parameters<typeof compose>[0], 'wording' | 'sender' | 'logoCid' | 'closing' | 'code'>

const extensions = { 'image/png': 'png', 'image/jpeg': 'jpg' } as const

/** The seller's logo as an attachment, because mail programs block remote images. */
function attachedLogo({ logo, seller }: MailFrame) {
  if (!logo || !seller) return undefined
  return {
    filename: `logo.${extensions[logo.contentType]}`,
    contentType: logo.contentType,
    base64: logo.base64,
    cid: 'logo',
  }
}

/** A mail of a seller to a buyer: its head, the mark of a test, and whom to ask. */
export function buyerMail(frame: MailFrame, { subject, ...contents }: Contents & { readonly subject: string }) {
  const { mode, seller, wording } = frame
  const isTest = mode === 'sandbox'
  const logo = attachedLogo(frame)
  return {
    language: wording.language,
    ...(seller && { fromName: wording.say('mail.sender', { seller: seller.name }) }),
    ...(seller?.email && { replyTo: seller.email }),
    subject: isTest ? `${wording.say('mail.test_mark')} ${subject}` : subject,
    ...compose({
      ...contents,
      wording,
      ...(seller && { sender: seller.name }),
      ...(logo && { logoCid: logo.cid }),
      paragraphs: [...(isTest ? [wording.say('mail.test')] : []), ...contents.paragraphs],
      closing: wording.say('mail.questions', {
        contact: seller?.email ?? seller?.name ?? wording.say('mail.unnamed_seller'),
      }),
    }),
    attachments: logo ? [logo] : [],
  }
}
