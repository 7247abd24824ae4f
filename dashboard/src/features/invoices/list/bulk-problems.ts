import type { BulkResult } from '@risiti/sdk'
import { fieldSentence } from '../../../words/field-faults.ts'
import { refusalWords } from '../../../words/refusals.ts'
import { whereOf } from '../where-of.ts'

/** Why an action was refused on one invoice: its single problems, or else the reason. */
export function problemsOf({ error }: BulkResult): readonly string[] {
  if (!error) return []
  if (error.details.length > 0) return error.details.map(({ path, message }) => whereOf(path) + fieldSentence(message))
  return [refusalWords(error.reason, error.message)]
}
