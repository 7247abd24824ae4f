import { majorOf } from '../../kernel/money-words.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { everyField } from '../../kernel/written-fields.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { DraftInput } from '../invoices/index.ts'
import { listItemsById } from '../items/index.ts'
import type { QuoteVersion } from './quote.ts'

type ContentsOfDraft = Omit<DraftInput, 'type' | 'issueDate' | 'number'>

/**
 * The contents of a version for a new draft. Prices are those of the version, whatever the saved items cost now. A line forgets its item if
 * that was deleted or archived, because the line has everything that it took from the item.
 */
export async function draftOf(db: Queryable, tenant: Tenant, version: QuoteVersion): Promise<ContentsOfDraft> {
  const { lines, currency, allowanceMinor, chargeMinor, buyerId, sellerId } = version
  const named = [...new Set(lines.flatMap(({ itemId }) => itemId ?? []))]
  const items = named.length === 0 ? [] : await listItemsById(db, tenant, named)
  const usable = new Set(items.filter(({ archivedAt }) => !archivedAt).map(({ id }) => id))
  return {
    ...everyField((name) => version[name]),
    ...(buyerId === null ? {} : { buyerId }),
    ...(sellerId === null ? {} : { sellerId }),
    currency,
    allowance: majorOf(allowanceMinor, currency),
    charge: majorOf(chargeMinor, currency),
    lines: lines.map(({ discountMinor, feeMinor, itemId, ...line }) => ({
      ...(itemId !== null && usable.has(itemId) ? { itemId } : {}),
      description: line.description,
      itemName: line.itemName,
      hsnCode: line.hsnCode,
      serviceCode: line.serviceCode,
      productCategory: line.productCategory,
      quantity: line.quantity,
      unitCode: line.unitCode,
      unitPrice: line.unitPrice,
      discount: majorOf(discountMinor, currency),
      fee: majorOf(feeMinor, currency),
      taxCategory: line.taxCategory,
      isKept: true,
    })),
  }
}
