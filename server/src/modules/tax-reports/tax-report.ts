import type { Id } from '../../kernel/ids.ts'
import type { InvoiceId } from '../invoices/index.ts'

export type TaxReportId = Id<'tax-report'>

/** A declaration of the tax on one invoice. Tax numbers are in the normal spelling, amounts in minor units. */
export interface OwnTaxReport {
  readonly id: TaxReportId
  readonly invoiceId: InvoiceId
  /** the authority reference of the invoice */
  readonly reference: string
  readonly sellerTaxId: string
  readonly buyerTaxId: string
  readonly description: string
  readonly currency: string
  readonly reportDate: string
  readonly baseMinor: bigint
  readonly taxMinor: bigint
  readonly otherTaxesMinor: bigint
  readonly totalMinor: bigint
  /** in percent, as `7.5` */
  readonly rate: string
  readonly status: 'asked' | 'reported' | 'refused' | 'unknown'
  readonly createdAt: Date
  readonly endedAt: Date | null
}
