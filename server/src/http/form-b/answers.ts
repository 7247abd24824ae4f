import { type Answers, sharedAnswers } from '../answers.ts'

/** How Form B answers each refusal of the core. */
export const answers: Answers = {
  ...sharedAnswers,
  'authority.unavailable': { status: 502, code: 'TAX001' },
  'credits.insufficient': { status: 400, code: 'BIZ001' },
}
