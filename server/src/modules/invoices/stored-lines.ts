import { type Decimal, parseDecimal, spelled } from '../../kernel/decimal.ts'
import type { TaxGroup } from './amounts/totals.ts'
import type { InvoiceLine } from './invoice.ts'

/** Exact numbers are text in the database's JSON. */
type StoredValues<T> = {
  readonly [Name in keyof T]: T[Name] extends Decimal | bigint ? string : T[Name]
}
/** Absent values are left out. */
export type StoredLine = Pick<
  StoredValues<InvoiceLine>,
  'description' | 'quantity' | 'unitCode' | 'unitPrice' | 'taxCategory' | 'taxRate' | 'netMinor'
> & { readonly [Name in keyof InvoiceLine]?: StoredValues<InvoiceLine>[Name] | undefined }
export type StoredTaxGroup = StoredValues<TaxGroup>

const text = ({ units, scale }: Decimal): string => spelled(units, scale)
const decimal = (stored: string): Decimal => parseDecimal(stored) as Decimal
const some = (amount: bigint): string | undefined => (amount === 0n ? undefined : String(amount))

export const storedLine = (line: InvoiceLine): StoredLine => ({
  itemId: line.itemId ?? undefined,
  description: line.description,
  itemName: line.itemName ?? undefined,
  hsnCode: line.hsnCode ?? undefined,
  serviceCode: line.serviceCode ?? undefined,
  productCategory: line.productCategory ?? undefined,
  quantity: text(line.quantity),
  unitCode: line.unitCode,
  unitPrice: text(line.unitPrice),
  discountMinor: some(line.discountMinor),
  feeMinor: some(line.feeMinor),
  taxCategory: line.taxCategory,
  taxRate: text(line.taxRate),
  netMinor: String(line.netMinor),
})

/**
 * The codes on lines for the lists: type, code and product category, separated by tabs, with a count for each run of
 * equal lines. Most documents have one or two entries, however many lines.
 */
export function codesOn(
  lines: readonly { readonly [Name in 'hsnCode' | 'serviceCode' | 'productCategory']?: string | null | undefined }[],
): string[] {
  const runs: { readonly code: string; lines: number }[] = []
  for (const { hsnCode, serviceCode, productCategory } of lines) {
    const named = hsnCode ?? serviceCode
    if (named === undefined || named === null) continue
    const code = `${named === hsnCode ? 'goods' : 'service'}\t${named}\t${productCategory ?? ''}`
    const last = runs.at(-1)
    if (last?.code === code) last.lines++
    else runs.push({ code, lines: 1 })
  }
  return runs.map(({ code, lines }) => (lines === 1 ? code : `${code}\t${lines}`))
}

export function lineFrom(stored: StoredLine): InvoiceLine {
  const discountMinor = BigInt(stored.discountMinor ?? 0)
  const feeMinor = BigInt(stored.feeMinor ?? 0)
  const netMinor = BigInt(stored.netMinor)
  return {
    itemId: stored.itemId ?? null,
    description: stored.description,
    itemName: stored.itemName ?? null,
    hsnCode: stored.hsnCode ?? null,
    serviceCode: stored.serviceCode ?? null,
    productCategory: stored.productCategory ?? null,
    quantity: decimal(stored.quantity),
    unitCode: stored.unitCode,
    unitPrice: decimal(stored.unitPrice),
    discountMinor,
    feeMinor,
    taxCategory: stored.taxCategory,
    taxRate: decimal(stored.taxRate),
    grossMinor: netMinor + discountMinor - feeMinor,
    netMinor,
  }
}

export const storedTaxGroup = (group: TaxGroup): StoredTaxGroup => ({
  category: group.category,
  rate: text(group.rate),
  netMinor: String(group.netMinor),
  allowanceMinor: String(group.allowanceMinor),
  chargeMinor: String(group.chargeMinor),
  taxableMinor: String(group.taxableMinor),
  taxMinor: String(group.taxMinor),
})

export const taxGroupFrom = (stored: StoredTaxGroup): TaxGroup => ({
  category: stored.category,
  rate: decimal(stored.rate),
  netMinor: BigInt(stored.netMinor),
  allowanceMinor: BigInt(stored.allowanceMinor),
  chargeMinor: BigInt(stored.chargeMinor),
  taxableMinor: BigInt(stored.taxableMinor),
  taxMinor: BigInt(stored.taxMinor),
})
