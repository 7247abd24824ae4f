import type { TokenCaller } from '../../../kernel/callers.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import type { Invoice } from '../invoice.ts'
import { completeDraft } from './complete-draft.ts'
import type { DraftInput } from './draft.ts'
import { planInvoice } from './plan-invoice.ts'

/** What a draft would become, or a refusal: with its lines, amounts and parties. It gets no number, is not saved and costs nothing. */
export async function composeDraft(context: Inside<TokenCaller>, input: DraftInput): Promise<Invoice> {
  const { tx, caller } = context
  const plan = await planInvoice({ ...context, db: tx }, input)
  return (await completeDraft({ db: tx, tx, caller }, plan)).invoice
}
