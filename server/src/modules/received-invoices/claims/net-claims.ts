import type { DocumentType } from '../../../kernel/invoice-document.ts'
import type { ReceivedInvoiceId } from '../received-invoice.ts'

/** The part of a received document that `netClaims` needs. */
export interface ClaimDocument {
  readonly id: ReceivedInvoiceId
  readonly reference: string
  /** further references under which the same document came */
  readonly repeatedAs: readonly string[]
  readonly type: DocumentType
  readonly issueDate: string
  readonly corrects: readonly string[]
  readonly isClaimable: boolean
  /** Tax by the document's own merits: to claim, or on a credit note to take back. */
  readonly inputTaxMinor: bigint
}

/**
 * The tax that can be claimed on each of these documents after their notes. They are of one supplier and in one currency.
 *
 * - A credit note takes from what it corrects, and from nothing else. A credit note that names another credit note takes from what that
 *   one corrects.
 * - A debit note of an invoice is a claim of its own. A debit note of a credit note takes the credit note back, and claims nothing.
 * - Nothing takes more than is left. The result does not depend on the order of arrival.
 */
export const netClaims = (documents: readonly ClaimDocument[]): Map<ReceivedInvoiceId, bigint> =>
  new Map([...settledClaims(documents)].map(([id, { claimableMinor }]) => [id, claimableMinor]))

export interface SettledClaim {
  /** what notes leave of the tax of the document */
  readonly claimableMinor: bigint
  /**
   * What the document counts for in the tax return of its own period: an invoice for its whole tax, a note for what it
   * takes from claims. The sum over all documents equals that of `claimableMinor`.
   */
  readonly returnTaxMinor: bigint
}

/** `netClaims` with the share of each document in the tax return. */
export function settledClaims(documents: readonly ClaimDocument[]): Map<ReceivedInvoiceId, SettledClaim> {
  const sorted = documents.toSorted(byAge)
  const byReference = new Map([
    ...sorted.flatMap((document) => document.repeatedAs.map((reference) => [reference, document] as const)),
    ...sorted.map((document) => [document.reference, document] as const),
  ])
  const targets = new Map(sorted.map((document) => [document, targetsOf(document, byReference)]))
  const takers = new Map<ClaimDocument, ClaimDocument[]>()
  for (const [document, taken] of targets)
    for (const target of taken) {
      const others = takers.get(target)
      if (others) others.push(document)
      else takers.set(target, [document])
    }
  const left = new Map(sorted.map((document) => [document, document.inputTaxMinor]))
  const leftOf = (document: ClaimDocument): bigint => left.get(document) ?? 0n
  const takenFromClaims = new Map<ClaimDocument, bigint>()
  const isClaim = (document: ClaimDocument) => document.isClaimable && targets.get(document)?.length === 0
  const settled = new Set<ClaimDocument>()
  /** Documents that take from this one are settled before it takes from others. */
  const settle = (document: ClaimDocument): void => {
    if (settled.has(document)) return
    settled.add(document)
    for (const taker of takers.get(document) ?? []) settle(taker)
    for (const target of targets.get(document) ?? []) {
      const taken = leftOf(document) < leftOf(target) ? leftOf(document) : leftOf(target)
      left.set(target, leftOf(target) - taken)
      left.set(document, leftOf(document) - taken)
      if (isClaim(target)) takenFromClaims.set(document, (takenFromClaims.get(document) ?? 0n) + taken)
    }
  }
  for (const document of sorted) settle(document)
  return new Map(
    sorted.map((document) => [
      document.id,
      isClaim(document)
        ? { claimableMinor: leftOf(document), returnTaxMinor: document.inputTaxMinor }
        : { claimableMinor: 0n, returnTaxMinor: -(takenFromClaims.get(document) ?? 0n) },
    ]),
  )
}

const byAge = (one: ClaimDocument, other: ClaimDocument): number => {
  if (one.issueDate !== other.issueDate) return one.issueDate < other.issueDate ? -1 : 1
  return one.reference < other.reference ? -1 : 1
}

/** The documents that a note takes from, each once. Empty for a document that claims tax of its own. */
function targetsOf(note: ClaimDocument, byReference: ReadonlyMap<string, ClaimDocument>): ClaimDocument[] {
  if (note.type !== 'credit_note' && note.type !== 'debit_note') return []
  const targets = new Set<ClaimDocument>()
  const seen = new Set<ClaimDocument>([note])
  const open: ClaimDocument[] = [note]
  // The loop also visits documents found on the way, each once.
  for (const next of open)
    for (const reference of next.corrects) {
      const named = byReference.get(reference)
      if (!named || seen.has(named)) continue
      seen.add(named)
      const isCredit = named.type === 'credit_note'
      if (note.type === 'debit_note') {
        if (isCredit) targets.add(named)
      } else if (isCredit) open.push(named)
      else targets.add(named)
    }
  return [...targets]
}
