import type { TokenCaller } from '../../../kernel/callers.ts'
import { decimalText } from '../../../kernel/decimal.ts'
import { type Fault, refuse } from '../../../kernel/refusals.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Outside } from '../../../platform/operations/operation.ts'
import { type Item, type ItemId, listItemsById, lockItemsById } from '../../items/index.ts'
import { jurisdictionOf } from '../../reference/index.ts'
import type { Invoice } from '../invoice.ts'
import { amountsOf, newDraft, writtenOf } from '../new-draft.ts'
import type { DraftInput } from './draft.ts'
import { resolveDraft } from './resolve-draft.ts'

/**
 * A new draft as it will be written, without the values that only the database knows: its number, and what follows
 * from its parties.
 */
export interface InvoicePlan {
  /** its number is still empty, and so is its kind if that follows from the buyer */
  readonly draft: Invoice
  /** `undefined`: the next of the series */
  readonly number: string | undefined
  /** the kind for each sort of buyer */
  readonly kinds: { readonly government: string; readonly unregistered: string; readonly registered: string }
  readonly primarySellerOnly: boolean
  /** the number of the document that a note corrects */
  readonly originalNumber: string | undefined
}

type PlanContext = Pick<Outside<TokenCaller>, 'db' | 'caller' | 'ports' | 'now'>

interface NamesItem {
  readonly itemId?: ItemId | null | undefined
}

/**
 * The saved items that lines name. A missing item is not found; an archived one is refused. In a transaction they are
 * locked against deletion.
 */
export async function itemsFor(
  { db, tx, caller }: Pick<PlanContext, 'db' | 'caller'> & { readonly tx?: Tx },
  lines: readonly NamesItem[],
  /** items that were on the draft before stay valid, even if archived since */
  before: readonly ItemId[] = [],
): Promise<ReadonlyMap<ItemId, Item>> {
  const ids = [...new Set(lines.flatMap(({ itemId }) => itemId ?? []))]
  if (ids.length === 0) return new Map()
  const { tenant } = caller
  const found = tx ? await lockItemsById(tx, tenant, ids) : await listItemsById(db, tenant, ids)
  const items = new Map(found.map((item) => [item.id, item]))
  const faultsOf = (isAtFault: (id: ItemId) => boolean, rule: string, message: string): Fault[] =>
    lines.flatMap(({ itemId }, at) =>
      itemId != null && isAtFault(itemId) ? [{ path: `lineItems[${at}].itemId`, rule, message }] : [],
    )
  const missing = faultsOf((id) => !items.has(id), 'not_found', 'is not a saved item of your organisation in this mode')
  if (missing.length > 0) throw refuse('invoice.item_unknown', { details: missing })
  const archived = faultsOf(
    (id) => items.get(id)?.archivedAt != null && !before.includes(id),
    'archived',
    'is archived; restore the item or choose another one',
  )
  if (archived.length > 0) throw refuse('invoice.item_archived', { details: archived })
  return items
}

/** Decides everything about a new draft that needs no lock. Reads nothing if no line names a saved item. */
export async function planInvoice(context: PlanContext, input: DraftInput): Promise<InvoicePlan> {
  const { caller, ports } = context
  const jurisdiction = jurisdictionOf(ports, caller)
  const items = await itemsFor(context, input.lines)
  const { lines, totals, instalments, dueDate } = resolveDraft(input, {
    jurisdiction,
    codeLists: ports.codeLists,
    items,
  })
  return {
    number: input.number,
    kinds: jurisdiction.kindsByBuyer,
    primarySellerOnly: input.primarySellerOnly ?? false,
    originalNumber: input.originalNumber,
    draft: {
      ...newDraft(context),
      ...amountsOf(lines, totals),
      type: input.type,
      kind: input.kind ?? '',
      sellerId: input.sellerId ?? null,
      buyerId: input.buyerId ?? null,
      issueDate: input.issueDate,
      issueTime: input.issueTime ?? null,
      dueDate,
      instalments,
      supplyDate: input.supplyDate ?? null,
      currency: input.currency,
      exchangeRate: input.exchangeRate ? decimalText(input.exchangeRate) : null,
      declaredPaymentStatus: input.declaredPaymentStatus ?? null,
      ...writtenOf(input),
    },
  }
}
