import type { TokenCaller } from '../../../kernel/callers.ts'
import type { EventPayloads } from '../../../kernel/event-payloads.ts'
import type { PageRequest } from '../../../kernel/paging.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { listEventsAbout } from '../../../platform/events/event-data.store.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import { type BuyerId, findBuyer } from '../../buyers/index.ts'
import { listMailedOfBuyer, listPaymentsOfBuyer } from './buyer-history.store.ts'

/** The newest emails of a buyer that are listed. Older ones are in the history of their documents. */
const mostEmails = 50

async function requireBuyer({ db, caller }: Outside<TokenCaller>, id: BuyerId): Promise<void> {
  if (!(await findBuyer(db, caller.tenant, id))) throw refuse('resource.not_found')
}

/** The payments on all invoices of a buyer, reversed ones included, newest first. */
export const listBuyerPayments = reading(
  { needs: ['invoice.read', 'buyer.read'], refuses: ['resource.not_found'] },
  async (context: Outside<TokenCaller>, { id, page }: { id: BuyerId; page: PageRequest }) => {
    await requireBuyer(context, id)
    return await listPaymentsOfBuyer(context.db, context.caller.tenant, id, page)
  },
)

export interface BuyerEmail {
  readonly sentAt: Date
  /** a document or a reminder of it; `undefined` for a statement of account */
  readonly document?: EventPayloads['invoice.sent' | 'invoice.reminder_sent' | 'invoice.reminder_not_sent']
  readonly statement?: EventPayloads['buyer.statement_sent']
}

/** The newest emails to a buyer: documents, reminders and statements of account. */
export const listBuyerEmails = reading(
  { needs: ['invoice.read', 'buyer.read'], refuses: ['resource.not_found'] },
  async (context: Outside<TokenCaller>, { id }: { id: BuyerId }): Promise<BuyerEmail[]> => {
    await requireBuyer(context, id)
    const { db, caller } = context
    // Each document counts with its last email, so the newest emails belong to these documents.
    const documents = await listMailedOfBuyer(db, caller.tenant, id, mostEmails)
    const events = await listEventsAbout(
      db,
      caller.tenant,
      documents,
      ['invoice.sent', 'invoice.reminder_sent', 'invoice.reminder_not_sent'],
      mostEmails,
    )
    const statements = await listEventsAbout(db, caller.tenant, [id], ['buyer.statement_sent'], mostEmails)
    return [
      ...events.map(({ data, createdAt }) => ({ sentAt: createdAt, document: data })),
      ...statements.map(({ data, createdAt }) => ({ sentAt: createdAt, statement: data })),
    ]
      .toSorted((one, other) => other.sentAt.getTime() - one.sentAt.getTime())
      .slice(0, mostEmails)
  },
)
