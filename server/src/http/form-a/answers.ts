import { type Answers, sharedAnswers } from '../answers.ts'

/** How Form A answers each refusal of the core. */
export const answers: Answers = {
  ...sharedAnswers,
  'authority.unavailable': { status: 503, code: 'DEP001' },
  'credits.insufficient': { status: 402, code: 'BIZ001' },
}
