import { hash } from 'node:crypto'
import type { Caller, UserCaller } from '../../kernel/callers.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { countWithin } from '../../platform/limits/bounds.ts'
import type { Inside } from '../../platform/operations/operation.ts'

/**
 * An organisation can make us send mail to others under our name, with its own words. Limits keep that from becoming a
 * source of spam. Codes and notices to members and owners do not count: a thief who sends many mails must not block the
 * notice of the theft.
 */
const day = 86_400
const hour = 3_600

const countMail = (context: Inside<Caller>, organisationId: OrganisationId): Promise<void> =>
  countWithin(
    context,
    { subject: `mails:${organisationId}`, perWindow: context.settings.mailLimits.hourly, windowSeconds: hour },
    'limit.mails',
  )

/** Counts one mail of a document to an address. */
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
 * Counts one invitation, new or repeated. Limited per organisation and per person, because a person can have many
 * organisations.
 */
export async function countInvitationMail(context: Inside<UserCaller>): Promise<void> {
  const { userId, tenant } = context.caller
  const perWindow = context.settings.mailLimits.invitations
  for (const subject of [`invitation-mails:${tenant.organisationId}`, `invitation-mails-by:${userId}`])
    await countWithin(context, { subject, perWindow, windowSeconds: day }, 'limit.invitations')
  await countMail(context, tenant.organisationId)
}
