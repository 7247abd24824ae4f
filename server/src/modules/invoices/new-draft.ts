import type { TokenCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { everyField, nothingWritten, type WrittenFields } from '../../kernel/written-fields.ts'
import { actorOf } from '../../platform/events/actors.ts'
import type { Totals } from './amounts/totals.ts'
import type { Invoice, InvoiceLine } from './invoice.ts'

/** The fields that every new document must provide. */
type RequiredField = 'type' | 'issueDate' | 'currency' | keyof ReturnType<typeof amountsOf>

/**
 * The first values of a document, of which only the creator is known. Every creation starts here. The number comes
 * last.
 */
export function newDraft({
  caller,
  now,
}: {
  readonly caller: TokenCaller
  readonly now: Date
}): Omit<Invoice, RequiredField> {
  const { kind, id } = actorOf(caller)
  return {
    id: newId(),
    number: '',
    kind: '',
    status: 'draft',
    sellerId: null,
    buyerId: null,
    buyerName: null,
    buyerTaxId: null,
    issueTime: null,
    dueDate: null,
    instalments: null,
    supplyDate: null,
    paidMinor: 0n,
    creditedMinor: 0n,
    declaredPaymentStatus: null,
    ...nothingWritten,
    originalId: null,
    originalNumber: null,
    reason: null,
    authorityReference: null,
    stamp: null,
    exchangeRate: null,
    homeTax: null,
    delivery: 'none',
    finalisedAt: null,
    submittedAt: null,
    reportDueAt: null,
    reportedAt: null,
    sentAt: null,
    sharedAt: null,
    sellerCopy: null,
    buyerCopy: null,
    letterheadCopy: null,
    createdBy: { type: kind, id },
    createdAt: now,
    updatedAt: now,
    version: 1,
  }
}

/** A document's amounts from its lines. */
export const amountsOf = (lines: readonly InvoiceLine[], totals: Totals, roundingMinor = 0n) => ({
  lines,
  taxGroups: totals.groups,
  netMinor: totals.netMinor,
  allowanceMinor: totals.allowanceMinor,
  chargeMinor: totals.chargeMinor,
  taxMinor: totals.taxMinor,
  roundingMinor,
  payableMinor: totals.payableMinor + roundingMinor,
})

/** The written fields that were sent. Absent ones keep their earlier value; a new draft begins without any. */
export const writtenOf = (sent: Partial<WrittenFields>, before: WrittenFields = nothingWritten): WrittenFields =>
  everyField((name) => (sent[name] === undefined ? before[name] : sent[name]))
