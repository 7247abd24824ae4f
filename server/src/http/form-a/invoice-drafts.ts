import type { Static } from 'typebox'
import type { BuyerId } from '../../modules/buyers/index.ts'
import type { DraftInput } from '../../modules/invoices/index.ts'
import type { SellerId } from '../../modules/sellers/index.ts'
import { decimalOrNull } from '../shared/amounts.ts'
import { toLine } from '../shared/draft-lines.ts'
import { toInstalments } from '../shared/instalments.ts'
import { timeFrom } from '../shared/invoices.ts'
import { sentFields } from '../shared/written-fields.ts'
import type { InvoiceChange, NewInvoice } from './invoice-fields.ts'

export const toDraft = (body: Static<typeof NewInvoice>): DraftInput => ({
  type: 'standard',
  kind: body.invoiceKind,
  number: body.invoiceNumber,
  sellerId: body.sellerId as SellerId | undefined,
  primarySellerOnly: true,
  buyerId: (body.buyerId ?? undefined) as BuyerId | undefined,
  issueDate: body.invoiceDate,
  issueTime: body.issueTime ? timeFrom(body.issueTime) : null,
  dueDate: body.dueDate,
  instalments: toInstalments(body.instalments),
  exchangeRate: decimalOrNull(body.exchangeRate),
  supplyDate: body.supplyDate,
  currency: body.currency,
  lines: body.lineItems.map(toLine),
  allowance: decimalOrNull(body.allowanceAmount) ?? undefined,
  charge: decimalOrNull(body.chargeAmount) ?? undefined,
  ...sentFields(body),
})

export const toChange = ({ lineItems, ...body }: Static<typeof InvoiceChange>) => ({
  kind: body.invoiceKind,
  number: body.invoiceNumber,
  sellerId: body.sellerId as SellerId | undefined,
  primarySellerOnly: true as const,
  buyerId: body.buyerId as BuyerId | null | undefined,
  issueDate: body.invoiceDate,
  issueTime: body.issueTime ? timeFrom(body.issueTime) : (body.issueTime as null | undefined),
  dueDate: body.dueDate,
  instalments: toInstalments(body.instalments),
  exchangeRate: decimalOrNull(body.exchangeRate),
  supplyDate: body.supplyDate,
  currency: body.currency,
  lines: lineItems?.map(toLine),
  allowance: decimalOrNull(body.allowanceAmount),
  charge: decimalOrNull(body.chargeAmount),
  ...sentFields(body),
})
