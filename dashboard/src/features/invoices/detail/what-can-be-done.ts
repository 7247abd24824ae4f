import type { Invoice, SubmissionReport } from '@risiti/sdk'

export type InvoiceAction =
  | 'finalise'
  | 'submit'
  | 'retry'
  | 'reopen'
  | 'ask'
  | 'pay'
  | 'send'
  | 'share'
  | 'credit'
  | 'debit'
  | 'duplicate'
  | 'repeat'
  | 'cancel'
  | 'delete'

const needs: Readonly<Record<InvoiceAction, string>> = {
  finalise: 'invoice.finalise',
  submit: 'invoice.submit',
  retry: 'invoice.retry',
  reopen: 'invoice.reopen',
  ask: 'invoice.query_status',
  pay: 'invoice.record_payment',
  send: 'invoice.send_to_buyer',
  share: 'invoice.share',
  credit: 'invoice.create',
  debit: 'invoice.create',
  duplicate: 'invoice.create',
  repeat: 'invoice.create',
  cancel: 'invoice.cancel',
  delete: 'invoice.delete_draft',
}

/** The actions that fit the status and the person's permissions. The first one is the button, and the others are in the menu. */
export function actionsOf(
  { status, invoiceType, dueMinor, buyer }: Invoice,
  report: SubmissionReport | undefined,
  capabilities: readonly string[],
): readonly InvoiceAction[] {
  const isDraft = status === 'draft'
  const isOver = status === 'cancelled' || status === 'cancellation_pending'
  // A rejected document cannot be shared or corrected by a credit note. It has to be reopened.
  const isRejected = status === 'rejected'
  const isNote = invoiceType === 'credit_note' || invoiceType === 'debit_note'
  // In this order: the next step of a document comes first.
  const isSensible: Readonly<Record<InvoiceAction, boolean>> = {
    finalise: isDraft,
    submit: status === 'finalised',
    retry: report?.canRetry === true,
    reopen: report?.canReopen === true,
    pay: !isDraft && !isOver && invoiceType !== 'credit_note' && dueMinor > 0,
    send: !isDraft && !isRejected && status !== 'cancelled' && buyer !== null,
    share: !isDraft && !isRejected && status !== 'cancelled',
    credit: !isDraft && !isRejected && !isOver && !isNote,
    debit: !isDraft && !isRejected && !isOver && !isNote,
    ask: status === 'signed' || status === 'transmitted' || status === 'failed' || status === 'accepted',
    duplicate: !isNote,
    repeat: !isNote,
    cancel: report?.canCancel === true,
    delete: isDraft,
  }
  return (Object.keys(isSensible) as InvoiceAction[]).filter(
    (action) => isSensible[action] && capabilities.includes(needs[action]),
  )
}
