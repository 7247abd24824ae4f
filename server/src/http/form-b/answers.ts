import { type Answers, sharedAnswers } from '../answers.ts'

/** How Form B answers each refusal of the core. */
export const answers: Answers = {
  ...sharedAnswers,
  'credits.insufficient': { status: 400, code: 'BIZ001' },
}
