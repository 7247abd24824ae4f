import type { TokenCaller } from '../../../kernel/callers.ts'
import { Refusal } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { tryPart } from '../../../platform/operations/try-part.ts'
import { chosenInvoices, type Invoice, type InvoiceId } from '../../invoices/index.ts'
import { submitInTransaction } from './submit-invoice.ts'

export interface BatchResult {
  readonly id: InvoiceId
  /** null if the tenant has no such document */
  readonly number: string | null
  readonly outcome: Invoice | Refusal
}

const lacksCredits = (outcome: Invoice | Refusal): outcome is Refusal =>
  outcome instanceof Refusal && outcome.refusal === 'credits.insufficient'

/**
 * Submits several documents. Each has its own charge and its own outcome, so a refusal of one does not affect the
 * others. If the credits suffice for none, the whole request is refused.
 */
export const submitInvoices = operation(
  { needs: ['invoice.submit'], refuses: ['credits.insufficient'], inTurn: true },
  async (context: Inside<TokenCaller>, { ids }: { ids: readonly InvoiceId[] }): Promise<readonly BatchResult[]> => {
    const outcomes = new Map<InvoiceId, Invoice | Refusal>()
    // Locked in the order of ids, so that two batches of the same documents cannot deadlock.
    for (const id of [...new Set(ids)].sort())
      outcomes.set(id, await tryPart(context, (inner) => submitInTransaction(inner, { id })))
    const numbers = await chosenInvoices.findNumbers(context.tx, context.caller.tenant, ids)
    const results = ids.map((id) => ({
      id,
      number: numbers.get(id) ?? null,
      outcome: outcomes.get(id) as Invoice | Refusal,
    }))
    const [first] = results
    if (first && lacksCredits(first.outcome) && results.every(({ outcome }) => lacksCredits(outcome)))
      throw first.outcome
    return results
  },
)
