import { type Jurisdiction, taxCategoryFrom } from '../../jurisdictions/port.ts'
import type { Id } from '../../kernel/ids.ts'
import { type Fault, invalid } from '../../kernel/refusals.ts'
import { searchTextOf } from '../../kernel/search-text.ts'
import { type CodeLists, findProductCode } from '../reference/index.ts'

export type ItemId = Id<'item'>

export const itemTypes = ['goods', 'service'] as const
export type ItemType = (typeof itemTypes)[number]

/** Facts of an item that people enter. */
export interface ItemFields {
  readonly name: string
  readonly description: string | null
  readonly itemType: ItemType
  readonly hsnCode: string | null
  readonly serviceCode: string | null
  readonly productCategory: string
  readonly unitCode: string
  /** Minor units as exact text with two decimals at most, because unit prices have four. */
  readonly unitPriceMinor: string
  readonly currency: string
  readonly taxCategory: string
  readonly sku: string | null
}

export interface Item extends ItemFields {
  readonly id: ItemId
  readonly useCount: bigint
  readonly lastUsedAt: Date | null
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly archivedAt: Date | null
}

export const searchOf = ({ name, description, sku, hsnCode, serviceCode }: ItemFields): string =>
  searchTextOf(name, description, sku, hsnCode, hsnCode?.replace('.', ''), serviceCode)

const unknown = (path: string, list: string): Fault => ({
  path,
  rule: 'code',
  message: `is not on the list of ${list}`,
  see: `list:${list}`,
})

/** As PostgreSQL writes it: without trailing zeros. */
const shortest = (minor: string): string => (minor.includes('.') ? minor.replace(/\.?0+$/, '') : minor)

/** Codes as their lists spell them, with aliases of tax categories resolved. Reports all faults at once. */
export function resolved(
  fields: ItemFields,
  { country, taxCategoryAliases }: Pick<Jurisdiction, 'country' | 'taxCategoryAliases'>,
  codeLists: Pick<CodeLists, 'list'>,
  /** Codes that the item already has stay valid, even if their list has changed. */
  before?: ItemFields,
): ItemFields {
  const faults: Fault[] = []
  const find = (path: keyof ItemFields, list: Parameters<CodeLists['list']>[1], code: string): string => {
    if (before && before[path] === code) return code
    const held = codeLists.list(country, list)
    const found = list === 'product-codes' ? findProductCode(held, code) : held.find(code)?.code
    if (found === undefined) faults.push(unknown(path, list))
    return found ?? code
  }
  const isGoods = fields.itemType === 'goods'
  const needed = (path: string, kind: string) =>
    faults.push({ path, rule: 'required', message: `is needed for ${kind}` })
  const unwanted = (path: string, kind: string) =>
    faults.push({ path, rule: 'unwanted', message: `must be left out for ${kind}` })
  if (isGoods && fields.hsnCode === null) needed('hsnCode', 'goods')
  if (!isGoods && fields.serviceCode === null) needed('serviceCode', 'a service')
  if (isGoods && fields.serviceCode !== null) unwanted('serviceCode', 'goods')
  if (!isGoods && fields.hsnCode !== null) unwanted('hsnCode', 'a service')
  const found: ItemFields = {
    ...fields,
    hsnCode: fields.hsnCode === null ? null : find('hsnCode', 'product-codes', fields.hsnCode),
    serviceCode: fields.serviceCode === null ? null : find('serviceCode', 'service-codes', fields.serviceCode),
    unitCode: find('unitCode', 'units', fields.unitCode),
    currency: find('currency', 'currencies', fields.currency),
    taxCategory: find('taxCategory', 'tax-categories', taxCategoryFrom(fields.taxCategory, taxCategoryAliases)),
    unitPriceMinor: shortest(fields.unitPriceMinor),
  }
  if (faults.length > 0) throw invalid(faults)
  return found
}
