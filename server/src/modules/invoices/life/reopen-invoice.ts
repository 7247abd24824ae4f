import type { TokenCaller } from '../../../kernel/callers.ts'
import { type Fault, refuse } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { saveCredited } from '../crediting/save-credited.ts'
import { counts } from '../derived-statuses.ts'
import type { Invoice, InvoiceId } from '../invoice.ts'
import { tellOfInvoice } from '../invoice-events.ts'
import { countNotes, saveInvoice, saveIssuedParties } from '../invoices.store.ts'
import { lockOwnInvoice } from '../lock-invoice.ts'
import { getOwnInvoice } from '../read-invoices.ts'
import { statusAfter } from '../status-moves.ts'

/** What stands against making a draft of it again. */
function obstaclesOf({ status, sentAt, sharedAt, paidMinor }: Invoice, notes: number): Fault[] {
  const obstacle = (path: string, message: string): Fault => ({ path, rule: 'state', message })
  const obstacles: Fault[] = []
  if (!statusAfter(status, 'reopen'))
    obstacles.push(obstacle('status', `is ${status}; correct the invoice with a note`))
  if (sentAt) obstacles.push(obstacle('sentAt', 'it was sent to the buyer; correct it with a note'))
  if (sharedAt) obstacles.push(obstacle('sharedAt', 'it was shared by a link; correct it with a note'))
  if (paidMinor > 0n) obstacles.push(obstacle('paidMinor', 'payments are recorded on it; reverse them first'))
  if (notes > 0) obstacles.push(obstacle('creditedMinor', 'notes refer to it; delete their drafts first'))
  return obstacles
}

/** Takes a finalised invoice back into a draft, as long as nobody has seen it. Its number stays. */
export const reopenInvoice = operation(
  { needs: ['invoice.reopen'], refuses: ['resource.not_found', 'invoice.reopen.not_possible'] },
  async (context: Inside<TokenCaller>, { id }: { id: InvoiceId }): Promise<Invoice> => {
    const { tx, caller, now } = context
    const { tenant } = caller
    const { invoice, original } = await lockOwnInvoice(tx, tenant, id)
    const details = obstaclesOf(invoice, await countNotes(tx, tenant, id))
    if (details.length > 0) throw refuse('invoice.reopen.not_possible', { details })
    const reopened = await saveInvoice(tx, tenant, {
      ...invoice,
      status: 'draft',
      sellerCopy: null,
      buyerCopy: null,
      letterheadCopy: null,
      finalisedAt: null,
      reportDueAt: null,
      updatedAt: now,
    })
    await saveIssuedParties(tx, tenant, reopened)
    // A rejected note counts no more already.
    if (original && counts(invoice)) await saveCredited(context, original, reopened, -reopened.payableMinor)
    tellOfInvoice(context, 'invoice.reopened', tenant, reopened)
    // Its buyer is shown as of today again.
    return await getOwnInvoice(tx, tenant, id)
  },
)
