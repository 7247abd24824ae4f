import type { Invoice, Item, NewInvoiceLine } from '@risiti/sdk'
import { decimalOfMinorText, plainNumber } from '../../../ui/money.ts'

/** A line in the editor. All values are text, as typed. */
export interface DraftLine {
  /** identifies the line on the page */
  readonly key: number
  readonly itemId: string | undefined
  readonly description: string
  readonly kind: 'goods' | 'service'
  readonly code: string
  readonly quantity: string
  readonly unitCode: string
  readonly unitPrice: string
  readonly taxCategory: string
  /** values without a field on the page, which must not be lost */
  readonly kept: Pick<NewInvoiceLine, 'itemName' | 'productCategory' | 'discountAmount' | 'feeAmount'>
}

let keys = 0

export const newLine = (taxCategory: string): DraftLine => ({
  key: ++keys,
  itemId: undefined,
  description: '',
  kind: 'goods',
  code: '',
  quantity: '1',
  unitCode: 'EA',
  unitPrice: '',
  taxCategory,
  kept: {},
})

/** The lines under keys of this page. */
export const withNewKeys = (lines: readonly DraftLine[]): readonly DraftLine[] =>
  lines.map((line) => ({ ...line, key: ++keys }))

/** An untouched line is not sent. */
export const isBlank = ({ description, code, unitPrice, itemId }: DraftLine): boolean =>
  description.trim() === '' && code.trim() === '' && unitPrice.trim() === '' && itemId === undefined

export const linesOf = ({ lineItems }: Pick<Invoice, 'lineItems'>): readonly DraftLine[] =>
  lineItems.map((line) => ({
    key: ++keys,
    itemId: line.itemId ?? undefined,
    description: line.description,
    kind: line.isicCode === null ? 'goods' : 'service',
    code: line.hsnCode ?? line.isicCode ?? '',
    quantity: line.quantity,
    unitCode: line.unitCode,
    unitPrice: line.unitPrice,
    taxCategory: line.taxCategory,
    kept: {
      itemName: line.itemName,
      productCategory: line.productCategory,
      discountAmount: line.discountAmount,
      feeAmount: line.feeAmount,
    },
  }))

/** Fills a line from a saved item and keeps the quantity. */
export const withItem = (line: DraftLine, item: Item): DraftLine => ({
  ...line,
  itemId: item.id,
  description: item.name,
  kind: item.itemType,
  code: item.hsnCode ?? item.serviceCode ?? '',
  unitCode: item.unitCode,
  unitPrice: decimalOfMinorText(item.unitPriceMinor, item.currency),
  taxCategory: item.taxCategory,
  kept: { itemName: item.name, productCategory: item.productCategory },
})

export const sentLine = (line: DraftLine): NewInvoiceLine => ({
  ...line.kept,
  ...(line.itemId === undefined ? {} : { itemId: line.itemId }),
  description: line.description,
  quantity: plainNumber(line.quantity),
  unitPrice: plainNumber(line.unitPrice),
  unitCode: line.unitCode.trim().toUpperCase(),
  taxCategory: line.taxCategory,
  hsnCode: line.kind === 'goods' ? line.code.trim() || null : null,
  isicCode: line.kind === 'service' ? line.code.trim() || null : null,
})
