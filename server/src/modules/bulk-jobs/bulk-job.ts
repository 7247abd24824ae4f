import type { Capability } from '../../kernel/capabilities.ts'
import type { Id, OrganisationId } from '../../kernel/ids.ts'
import type { Fault, RefusalName } from '../../kernel/refusals.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { chosenInvoices, InvoiceId } from '../invoices/index.ts'

export type BulkJobId = Id<'bulk-job'>

export const actions = ['finalise', 'submit', 'send', 'remind', 'download', 'delete'] as const
export type BulkAction = (typeof actions)[number]

/** The capability that an action needs on a single document. */
export const capabilityOf: Readonly<Record<BulkAction, Capability>> = {
  finalise: 'invoice.finalise',
  submit: 'invoice.submit',
  send: 'invoice.send_to_buyer',
  remind: 'invoice.send_to_buyer',
  download: 'invoice.download_pdf',
  delete: 'invoice.delete_draft',
}

/** Each capability that some action needs, once. */
export const actionCapabilities: readonly Capability[] = [...new Set(Object.values(capabilityOf))]

/** `stopped`: the starter lost the permission, or the job kept failing. */
export const statuses = ['running', 'done', 'cancelled', 'stopped'] as const
export type BulkJobStatus = (typeof statuses)[number]

/** `waiting` → done or failed; or skipped, if the job was cancelled or stopped before. */
export const outcomes = ['waiting', 'done', 'failed', 'skipped'] as const
export type BulkOutcome = (typeof outcomes)[number]

/** The most documents of one job. */
export const mostItems = 10_000
/** Fewer PDFs, because each one is drawn while the ZIP file is read. */
const mostDownloads = 200
export const mostItemsOf = (action: BulkAction): number => (action === 'download' ? mostDownloads : mostItems)

export interface NewBulkJob {
  readonly action: BulkAction
  /** the documents, by id or by the filters of the list; exactly one of both */
  readonly ids?: readonly InvoiceId[] | undefined
  readonly filter?: chosenInvoices.InvoiceFilter | undefined
  /** the number of documents that the caller saw for the filter; another number is refused */
  readonly expectedCount?: number | undefined
}

export interface BulkJob {
  readonly id: BulkJobId
  readonly action: BulkAction
  readonly status: BulkJobStatus
  /** set while the job waits for the hourly limit of mails */
  readonly continuesAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
  /** number of documents by outcome */
  readonly counts: Readonly<Record<BulkOutcome, number>>
}

/** Why an action was refused on one document. */
export interface ItemRefusal {
  readonly refusal: RefusalName
  readonly message: string
  readonly details: readonly Fault[]
}

export interface BulkResult {
  readonly invoiceId: InvoiceId
  /** null if the tenant has no such document */
  readonly invoiceNumber: string | null
  readonly outcome: BulkOutcome
  readonly refused: ItemRefusal | null
}

/** The identity of a bulk job, and the slice of it that a background job runs. */
export interface BulkSlice {
  readonly organisationId: OrganisationId
  readonly mode: Mode
  readonly bulkJobId: BulkJobId
  readonly slice: number
}
