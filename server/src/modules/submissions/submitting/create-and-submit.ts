import type { TokenCaller } from '../../../kernel/callers.ts'
import { type Fault, Refusal } from '../../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../../platform/operations/operation.ts'
import { tryPart } from '../../../platform/operations/try-part.ts'
import {
  createInvoice,
  type DraftInput,
  finaliseInTransaction,
  type Invoice,
  lockOwnInvoice,
} from '../../invoices/index.ts'
import { queueForAuthority } from './submit-invoice.ts'

export interface CreatedAndSubmitted {
  readonly invoice: Invoice
  /** why the invoice is still a draft */
  readonly submitRefusal: Refusal | undefined
  /** texts that the PDF cannot draw as written */
  readonly warnings: readonly Fault[]
}

/**
 * Creates a draft, finalises and submits it. If submitting is refused, the draft stays and `submitRefusal` gives the
 * reason.
 */
export const createAndSubmit = preparedOperation(
  { needs: ['invoice.create', 'invoice.submit'], refuses: createInvoice.refuses, inTurn: true },
  (outside: Outside<TokenCaller>, input: DraftInput) => createInvoice.plan(outside, input),
  async (context: Inside<TokenCaller>, _input, plan): Promise<CreatedAndSubmitted | Refusal> => {
    const draft = await createInvoice.fallback(context, plan)
    if (draft instanceof Refusal) return draft
    const submitted = await tryPart(context, async (inner) => {
      const { warnings } = await finaliseInTransaction(inner, draft)
      const locked = await lockOwnInvoice(inner.tx, inner.caller.tenant, draft.id)
      return { invoice: await queueForAuthority(inner, locked), warnings }
    })
    return submitted instanceof Refusal
      ? { invoice: draft, submitRefusal: submitted, warnings: [] }
      : { ...submitted, submitRefusal: undefined }
  },
)
