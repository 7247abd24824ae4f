import type { BulkFilter, BulkJob, NewBulkJob } from '@risiti/sdk'
import { count } from '../../../ui/count.ts'
import { filterNames, type ListSearch, withMoments } from './list-search.ts'
import type { SelectedInvoice, Selection } from './selection.ts'

export type BulkAction = NewBulkJob['action']

export const invoices = (many: number): string => (many === 1 ? 'one invoice' : `${count.format(many)} invoices`)

interface ActionWords {
  readonly needs: string
  readonly name: string
  /** what happens, after the question */
  readonly about: string
  /** the past participle, for results */
  readonly done: string
  readonly progress: string
  /** why rows are left out */
  readonly only: string
  readonly canDo: (invoice: SelectedInvoice) => boolean
  /** narrows "all that match" to the rows on which the action is possible */
  readonly status?: 'draft' | 'finalised'
  /** the most invoices at once */
  readonly most?: number
}

const isIssued = ({ status }: SelectedInvoice): boolean => !['draft', 'rejected', 'cancelled'].includes(status)

export const bulkActions: Readonly<Record<BulkAction, ActionWords>> = {
  finalise: {
    needs: 'invoice.finalise',
    name: 'Finalise',
    about: 'Amounts and parties cannot change afterwards. Nothing is sent to the tax authority yet.',
    done: 'finalised',
    progress: 'Finalising',
    only: 'Only drafts can be finalised.',
    canDo: ({ status }) => status === 'draft',
    status: 'draft',
  },
  submit: {
    needs: 'invoice.submit',
    name: 'Submit',
    about: 'Each invoice is sent to the tax authority. After that, it cannot be changed.',
    done: 'on the way to the tax authority',
    progress: 'Submitting',
    only: 'Only invoices that are ready to submit can be submitted.',
    canDo: ({ status }) => status === 'finalised',
    status: 'finalised',
  },
  send: {
    needs: 'invoice.send_to_buyer',
    name: 'Send',
    about: 'Each buyer gets the document by email, with the PDF.',
    done: 'sent',
    progress: 'Sending',
    only: 'Drafts, rejected and cancelled invoices cannot be sent.',
    canDo: isIssued,
  },
  remind: {
    needs: 'invoice.send_to_buyer',
    name: 'Remind',
    about: 'Each buyer gets a reminder by email, worded for how late the payment is.',
    done: 'reminded',
    progress: 'Sending reminders for',
    only: 'Only issued invoices with an amount due have something to remind of.',
    canDo: (invoice) => isIssued(invoice) && invoice.dueMinor > 0 && invoice.invoiceType !== 'credit_note',
  },
  download: {
    needs: 'invoice.download_pdf',
    name: 'Download',
    about: 'You get the PDFs in one ZIP file.',
    done: 'ready',
    progress: 'Collecting',
    only: 'Nothing matches any more.',
    canDo: () => true,
    most: 200,
  },
  delete: {
    needs: 'invoice.delete_draft',
    name: 'Delete',
    about: 'The drafts are deleted permanently, and their numbers are not used again.',
    done: 'deleted',
    progress: 'Deleting',
    only: 'Only drafts can be deleted.',
    canDo: ({ status }) => status === 'draft',
    status: 'draft',
  },
}
export const actionNames = Object.keys(bulkActions) as readonly BulkAction[]

/** The most invoices of one action. */
export const mostOf = (action: BulkAction): number => bulkActions[action].most ?? 10_000

/** The selected rows on which the action is possible. Rows that the page has not read are tried. */
export const idsFor = (action: BulkAction, { rows }: Selection): string[] =>
  [...rows].flatMap(([id, row]) => (row === undefined || bulkActions[action].canDo(row) ? [id] : []))

/** The filters of the list as the body of a job takes them, narrowed to the rows on which the action is possible. */
export function filterFor(action: BulkAction, search: ListSearch): BulkFilter {
  const set = Object.fromEntries(
    filterNames.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
  ) as BulkFilter
  const { status } = bulkActions[action]
  return withMoments(status ? { ...set, status } : set)
}

/** Whether the action makes sense for "all that match". */
export function fitsFilter(action: BulkAction, { status }: ListSearch): boolean {
  const wanted = bulkActions[action].status
  if (status === undefined || action === 'download') return true
  return wanted ? status === wanted : isIssued({ status, invoiceType: 'standard', dueMinor: 1 })
}

export const isRunning = ({ status }: Pick<BulkJob, 'status'>): boolean => status === 'running'

/** How a job ended, in one or two sentences. */
export function endWords({ action, status, counts }: BulkJob): string {
  const { done } = bulkActions[action]
  const all = counts.failed === 0 && counts.skipped === 0
  const parts = [
    all && counts.done > 0 ? `${counts.done === 1 ? 'One invoice' : `All ${invoices(counts.done)}`} ${done}.` : '',
    !all ? `${count.format(counts.done)} ${done}, ${count.format(counts.failed)} not.` : '',
    counts.total === 0 ? 'No invoice matched any more.' : '',
    status === 'cancelled' ? `You stopped it before ${invoices(counts.skipped)} had their turn.` : '',
    status === 'stopped'
      ? `It stopped before ${invoices(counts.skipped)} had their turn, because the person who started it lost the permission or signed out.`
      : '',
  ]
  return parts.filter(Boolean).join(' ')
}
