import { type RefusalName, refusals } from '../../kernel/refusals.ts'

/** What to do about a refusal whose own sentence only says what is wrong. */
const remedies: Partial<Record<RefusalName, string>> = {
  'invoice.original_unknown':
    'look the number up in the list of invoices; drafts cannot be corrected by a note, but edited',
  'invoice.remind.nothing_due': 'there is nothing to do; to let them have it once more, send it',
  'invoice.pay.not_payable': 'finalise a draft first; give money back on a credit note outside, and record it there',
  'invoice.payment_reversed': 'there is nothing to do; read the invoice to see what is due now',
  'invoice.note.nothing_left': 'there is nothing left to credit; read the notes of the invoice',
  'invoice.retry.not_failed':
    'read its status: what is under way needs no second try, and what was rejected is reopened and corrected',
  'invoice.cancel.not_accepted': 'delete a draft, reopen what was rejected, or wait until the authority has answered',
  'invoice.copy.not_signed': 'submit it, and ask again once its status is signed or accepted',
  'invoice.download.not_accepted': 'wait for the event `invoice.accepted`, or ask for its status',
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`

/** Most refusals name the problem first and the remedy after a full stop or semicolon. */
export function meaningOf(reason: RefusalName): { means: string; remedy: string | undefined } {
  const text = refusals[reason]
  const end = /(?<=\.) |; /.exec(text)
  const means = end ? text.slice(0, end.index) : text
  const remedy = end ? text.slice(end.index + end[0].length) : remedies[reason]
  return { means: sentence(means), remedy: remedy === undefined ? undefined : sentence(remedy) }
}
