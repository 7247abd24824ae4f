import { type Answers, sharedAnswers } from '../answers.ts'

/** How Form A answers each refusal of the core. */
export const answers: Answers = {
  ...sharedAnswers,
  'authority.unavailable': { status: 503, code: 'DEP001' },
  'tax_connection.no_answer': { status: 502, code: 'TAX001' },
  'credits.insufficient': { status: 402, code: 'BIZ001' },
  'invoice.edit.not_draft': { status: 409, code: 'BIZ201' },
  'invoice.delete.not_draft': { status: 409, code: 'BIZ201' },
  'invoice.finalise.not_draft': { status: 409, code: 'BIZ201' },
  'invoice.finalise.incomplete': { status: 409, code: 'BIZ004' },
  'invoice.reopen.not_possible': { status: 409, code: 'BIZ004' },
  'invoice.send.not_finalised': { status: 409, code: 'BIZ004' },
  'invoice.share.not_finalised': { status: 409, code: 'BIZ004' },
  'invoice.pay.not_payable': { status: 409, code: 'BIZ004' },
  'invoice.pay.too_much': { status: 409, code: 'BIZ004' },
  'invoice.payment_reversed': { status: 409, code: 'BIZ004' },
  'invoice.note.not_possible': { status: 409, code: 'BIZ004' },
  'invoice.note.nothing_left': { status: 409, code: 'BIZ004' },
  'invoice.note.too_much': { status: 409, code: 'BIZ004' },
  'invoice.download.not_accepted': { status: 409, code: 'BIZ004' },
}
