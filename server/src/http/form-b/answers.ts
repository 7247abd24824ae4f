import { type Answers, sharedAnswers } from '../answers.ts'

/** How Form B answers each refusal of the core. */
export const answers: Answers = {
  ...sharedAnswers,
  'authority.unavailable': { status: 502, code: 'TAX001' },
  'tax_connection.no_answer': { status: 400, code: 'TAX001' },
  'credits.insufficient': { status: 400, code: 'BIZ001' },
  'invoice.edit.not_draft': { status: 400, code: 'INV003' },
  'invoice.delete.not_draft': { status: 400, code: 'INV003' },
  'invoice.finalise.not_draft': { status: 400, code: 'INV003' },
  'invoice.finalise.incomplete': { status: 400, code: 'BIZ004' },
  'invoice.reopen.not_possible': { status: 400, code: 'BIZ004' },
  'invoice.send.not_finalised': { status: 400, code: 'INV003' },
  'invoice.share.not_finalised': { status: 400, code: 'BIZ004' },
  'invoice.pay.not_payable': { status: 400, code: 'BIZ004' },
  'invoice.pay.too_much': { status: 400, code: 'BIZ004' },
  'invoice.payment_reversed': { status: 400, code: 'BIZ004' },
  'invoice.note.not_possible': { status: 400, code: 'BIZ004' },
  'invoice.note.nothing_left': { status: 400, code: 'BIZ004' },
  'invoice.note.too_much': { status: 400, code: 'BIZ004' },
  'invoice.download.not_accepted': { status: 400, code: 'BIZ004' },
}
