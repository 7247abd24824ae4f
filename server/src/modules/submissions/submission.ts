import type { Id } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Actor } from '../../platform/operations/actors.ts'
import type { InvoiceId } from '../invoices/index.ts'
import type { Standing, Step } from './machine.ts'

export type SubmissionId = Id<'submission'>

/** A document on its way to the authority, without the bytes. */
export interface Submission extends Standing {
  readonly id: SubmissionId
  readonly invoiceId: InvoiceId
  readonly country: string
  /** by which the authority knows it */
  readonly reference: string
  /** of the bytes that go there */
  readonly sha256: string
  readonly cancelsInvoiceId: InvoiceId | null
  /** what was set aside for it */
  readonly heldCredits: bigint
  readonly failedAt: Date | null
  readonly dueAt: Date | null
  readonly fence: number
  readonly retries: number
  readonly askedBy: Actor
  readonly createdAt: Date
  /** the how-many-eth time that the document was submitted, from 1 */
  readonly ordinal: number
}

/** How often somebody may ask for another round of attempts. */
export const mostRetries = 5

/** What credits are set aside for, and taken for, once. */
export const causeOf = ({ id }: Pick<Submission, 'id'>): string => `submission:${id}`

export interface SubmissionRef extends Tenant {
  readonly id: SubmissionId
}

/** What was asked of the authority, and what it answered. */
export interface Attempt {
  readonly submissionId: SubmissionId
  readonly number: number
  readonly step: Step | 'query'
  /** of the bytes, where some were sent */
  readonly sha256: string | null
  /** what brought it about: somebody's submission, retry or question, a callback of the authority, or nothing but time */
  readonly cause: 'submitted' | 'retried' | 'automatic' | 'asked' | 'notified'
  readonly askedBy: Actor | null
  readonly begunAt: Date
  readonly endedAt: Date | null
  /** nothing while it is under way, and for good where whoever asked died before it was noted */
  readonly answer: string | null
  readonly why: string | null
  /** the authority's own words */
  readonly told: readonly string[]
  readonly isLate: boolean
}
