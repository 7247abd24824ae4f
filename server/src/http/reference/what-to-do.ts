import { type RefusalName, refusals } from '../../kernel/refusals.ts'

/** What to do about a refusal whose own sentence only says what is wrong. */
const remedies: Partial<Record<RefusalName, string>> = {
  'request.not_json': 'set the header, and send one JSON object as the body',
  'route.elsewhere': 'look the operation up in the reference of the other form, or leave its prefix out',
  'auth.token_missing': 'sign in for an access token, or make an API key, and send it with each request',
  'credentials.wrong': 'try again, or ask for a new password; after several wrong tries you have to wait',
  'totp.not_enrolled': 'enrol first; the answer holds what the app needs to make codes',
  'totp.not_on': 'there is nothing to do: signing in asks for the password alone',
  'member.exists': 'change their role or status instead of inviting them again',
  'transfer.not_fit': 'choose somebody who has accepted their invitation and verified their address',
  'jurisdiction.unsupported': 'correct the country of the organisation if it is wrong; otherwise ask us',
  'seller.tax_id_taken': 'use the seller that has it, or correct one of the two numbers',
  'seller.is_primary': 'change its details instead, or delete another seller',
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
  'webhook.type_not_told': 'choose a type that this form lists, or make an endpoint of the other form',
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
