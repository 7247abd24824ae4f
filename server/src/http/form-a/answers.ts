import { type Answers, sharedAnswers } from '../answers.ts'

/** How Form A answers each refusal of the core. */
export const answers: Answers = {
  ...sharedAnswers,
  'credits.insufficient': { status: 402, code: 'BIZ001' },
}
