/** An invoice that money could go to, as it is while it is locked. */
export interface OpenInvoice<InvoiceId extends string = string> {
  readonly id: InvoiceId
  readonly currency: string
  readonly dueMinor: bigint
  /** issued, not cancelled, no credit note */
  readonly isPayable: boolean
}

export interface Allocation<InvoiceId extends string = string> {
  readonly invoiceId: InvoiceId
  readonly amountMinor: bigint
}

export interface Spread<InvoiceId extends string = string> {
  readonly allocations: readonly Allocation<InvoiceId>[]
  /** what no invoice took */
  readonly leftMinor: bigint
}

/** Money over invoices in their order, to each what is due on it. What cannot be paid, or not in this currency, gets nothing. */
export function spread<InvoiceId extends string>(
  amountMinor: bigint,
  currency: string,
  invoices: readonly OpenInvoice<InvoiceId>[],
): Spread<InvoiceId> {
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

export interface ToMatch<InvoiceId extends string = string> {
  readonly amountMinor: bigint
  readonly currency: string
  /** the one that the account was opened for, or the payer's open ones, oldest first */
  readonly invoices: readonly OpenInvoice<InvoiceId>[]
  /** whether we know whose credit the rest would be */
  readonly hasBuyer: boolean
  /** a buyer pays everything into this account, so money that comes before any invoice is that buyer's too */
  readonly isBuyersAccount: boolean
}

export interface Matched<InvoiceId extends string = string> {
  readonly allocations: readonly Allocation<InvoiceId>[]
  readonly creditedMinor: bigint
  readonly unmatchedMinor: bigint
}

/**
 * What a payment is for. What is beyond that is the buyer's credit. Money that fits no invoice is credit only in a buyer's own account:
 * elsewhere it was perhaps meant for something else, and a person has to look at it.
 */
export function match<InvoiceId extends string>(payment: ToMatch<InvoiceId>): Matched<InvoiceId> {
  const { allocations, leftMinor } = spread(payment.amountMinor, payment.currency, payment.invoices)
  const isCredit = payment.isBuyersAccount || (allocations.length > 0 && payment.hasBuyer)
  return {
    allocations,
    creditedMinor: isCredit ? leftMinor : 0n,
    unmatchedMinor: isCredit ? 0n : leftMinor,
  }
}
