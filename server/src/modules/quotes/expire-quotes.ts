import type { SystemCaller } from '../../kernel/callers.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { emitQuoteEvent } from './quote-events.ts'
import { findQuote, lockFreeQuote, markExpiryEmitted } from './quotes.store.ts'
import type { QuoteRef } from './read-quotes.ts'

/** Emits the event of a quote whose last valid day has passed, once. Its status needs no change: it follows from the time. */
export const emitExpiry = operation(
  { needs: [], refuses: [] },
  async (context: Inside<SystemCaller>, { id, ...tenant }: QuoteRef & Tenant): Promise<boolean> => {
    const { tx, now } = context
    if (!(await lockFreeQuote(tx, tenant, id, now)) || !(await markExpiryEmitted(tx, tenant, id, now))) return false
    const quote = await findQuote(tx, tenant, id, now)
    if (quote) emitQuoteEvent(context, 'quote.expired', tenant, quote)
    return true
  },
)
