import { hash } from 'node:crypto'
import type { Caller, UserCaller } from '../../kernel/callers.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { countWithin } from '../../platform/limits/bounds.ts'
import type { Inside } from '../../platform/operations/operation.ts'

/**
 * Mail that an organisation has us send to others goes out under our name, with words of its own in it. It is bounded, so that
 * nobody makes a mill for unwanted mail of it. What we tell people about their own affairs (codes, notices to members and
 * owners) is not counted: a notice of theft must not fail because the thief sent much.
 */
const day = 86_400
const hour = 3_600

const countMail = (context: Inside<Caller>, organisationId: OrganisationId): Promise<void> =>
  countWithin(
    context,
    { subject: `mails:${organisationId}`, perWindow: context.settings.mailLimits.hourly, windowSeconds: hour },
    'limit.mails',
  )

/** One more mail of a document to an address. */
export async function countDocumentMail(
  context: Inside<Caller>,
  { organisationId, mode }: Tenant,
  documentId: string,
  to: string,
): Promise<void> {
  const address = hash('sha256', to.trim().toLowerCase())
  const subject = `document-mails:${organisationId}:${mode}:${documentId}:${address}`
  const perWindow = context.settings.mailLimits.document
  await countWithin(context, { subject, perWindow, windowSeconds: day }, 'limit.document_mails')
  await countMail(context, organisationId)
}

/**
 * One more invitation, new or sent again: so many of an organisation, and no more of one person, since whoever has ten
 * organisations would have ten times as many.
 */
export async function countInvitationMail(context: Inside<UserCaller>): Promise<void> {
  const { userId, tenant } = context.caller
  const perWindow = context.settings.mailLimits.invitations
  for (const subject of [`invitation-mails:${tenant.organisationId}`, `invitation-mails-by:${userId}`])
    await countWithin(context, { subject, perWindow, windowSeconds: day }, 'limit.invitations')
  await countMail(context, tenant.organisationId)
}
