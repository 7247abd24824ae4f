import type { Id } from '../../../kernel/ids.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Actor } from '../../../platform/events/actors.ts'
import type { InvoiceId } from '../../invoices/index.ts'
import type { Step, SubmissionState } from './submission-state.ts'

export type SubmissionId = Id<'submission'>

/** A document on its way to the authority, without the bytes. */
export interface Submission extends SubmissionState {
  readonly id: SubmissionId
  readonly invoiceId: InvoiceId
  readonly country: string
  /** the authority reference */
  readonly reference: string
  /** hash of the bytes to send */
  readonly sha256: string
  readonly cancelsInvoiceId: InvoiceId | null
  /** credits held for it */
  readonly heldCredits: bigint
  readonly failedAt: Date | null
  readonly dueAt: Date | null
  readonly fence: number
  readonly retries: number
  readonly askedBy: Actor
  readonly createdAt: Date
  /** counts the submissions of the document, from 1 */
  readonly ordinal: number
}

/** How often a caller may retry a submission. */
export const mostRetries = 5

/** The cause of the hold and of the capture, which makes each happen once. */
export const causeOf = ({ id }: Pick<Submission, 'id'>): string => `submission:${id}`

export interface SubmissionRef extends Tenant {
  readonly id: SubmissionId
}

/** One request to the authority, and its answer. */
export interface Attempt {
  readonly submissionId: SubmissionId
  readonly number: number
  readonly step: Step | 'query'
  /** hash of the bytes, if the request sent some */
  readonly sha256: string | null
  /** the cause: submit, retry, a follow-up, query-status, or a callback of the authority */
  readonly cause: 'submitted' | 'retried' | 'automatic' | 'asked' | 'notified'
  readonly askedBy: Actor | null
  readonly begunAt: Date
  readonly endedAt: Date | null
  /** null while the request is running, and for ever if the worker died before it recorded the answer */
  readonly answer: string | null
  readonly why: string | null
  /** the authority's own words */
  readonly messages: readonly string[]
  readonly isLate: boolean
}

/** The authority's answer as it is stored: our word for it, and the authority's own texts. */
export type AttemptResult = Pick<Attempt, 'why' | 'messages'> & { readonly answer: string }
