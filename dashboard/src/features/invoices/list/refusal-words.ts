import type { BulkResult } from '@risiti/sdk'
import { sentence, whereOf } from '../where-of.ts'

/** Reasons whose message speaks to programs. */
const own: Readonly<Record<string, string>> = {
  'resource.not_found': 'This invoice no longer exists.',
  'invoice.remind.nothing_due': 'Nothing is due on this invoice.',
  'invoice.send.not_finalised': 'It is a draft, rejected or cancelled.',
  'invoice.submit.already_submitted': 'It is already submitted.',
  'limit.document_mails': 'It was emailed to this buyer too often today. Try again tomorrow.',
}

/** Why an action was refused on one invoice: its single problems, or else the reason. */
export function refusalWords({ error }: BulkResult): readonly string[] {
  if (!error) return []
  if (error.details.length > 0) return error.details.map(({ path, message }) => whereOf(path) + sentence(message))
  return [own[error.reason] ?? error.message]
}
