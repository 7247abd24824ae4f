/** An invoice that money could go to, read under its lock. */
export interface OpenInvoice<InvoiceId extends string = string> {
  readonly id: InvoiceId
  readonly currency: string
  readonly dueMinor: bigint
  /** Issued, not cancelled, and not a credit note. */
  readonly isPayable: boolean
}

/** Limit of open invoices that one payment is spread over. */
export const mostInvoices = 500

export interface Allocation<InvoiceId extends string = string> {
  readonly invoiceId: InvoiceId
  readonly amountMinor: bigint
}

export interface SpreadResult<InvoiceId extends string = string> {
  readonly allocations: readonly Allocation<InvoiceId>[]
  /** Money that no invoice took. */
  readonly leftMinor: bigint
}

/**
 * Spreads money over invoices in their order, to each what is due. Invoices that cannot be paid, or have another
 * currency, get none.
 */
export function spread<InvoiceId extends string>(
  amountMinor: bigint,
  currency: string,
  invoices: readonly OpenInvoice<InvoiceId>[],
): SpreadResult<InvoiceId> {
  const allocations: Allocation<InvoiceId>[] = []
  let leftMinor = amountMinor
  for (const invoice of invoices) {
    if (leftMinor === 0n) break
    if (!invoice.isPayable || invoice.currency !== currency || invoice.dueMinor <= 0n) continue
    const taken = invoice.dueMinor < leftMinor ? invoice.dueMinor : leftMinor
    allocations.push({ invoiceId: invoice.id, amountMinor: taken })
    leftMinor -= taken
  }
  return { allocations, leftMinor }
}

export interface MatchInput<InvoiceId extends string = string> {
  readonly amountMinor: bigint
  readonly currency: string
  /** The invoice of the account, or else the payer's open invoices, oldest first. */
  readonly invoices: readonly OpenInvoice<InvoiceId>[]
  /** Whether the buyer who would get the credit is known. */
  readonly hasBuyer: boolean
  /** The account belongs to a buyer, so money without an invoice is that buyer's too. */
  readonly isBuyersAccount: boolean
}

export interface MatchResult<InvoiceId extends string = string> {
  readonly allocations: readonly Allocation<InvoiceId>[]
  readonly creditedMinor: bigint
  readonly unmatchedMinor: bigint
}

/**
 * Decides what a payment is for. What is left over becomes the buyer's credit. Money that fits no invoice becomes
 * credit only in a buyer's own account; elsewhere a person has to decide.
 */
export function match<InvoiceId extends string>(payment: MatchInput<InvoiceId>): MatchResult<InvoiceId> {
  const { allocations, leftMinor } = spread(payment.amountMinor, payment.currency, payment.invoices)
  const isCredit = payment.isBuyersAccount || (allocations.length > 0 && payment.hasBuyer)
  return {
    allocations,
    creditedMinor: isCredit ? leftMinor : 0n,
    unmatchedMinor: isCredit ? 0n : leftMinor,
  }
}
