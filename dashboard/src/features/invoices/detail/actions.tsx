import type { Invoice, SubmissionReport } from '@risiti/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../../api/client.ts'
import { wordsOf } from '../../../api/queries.ts'
import { useSession } from '../../../session/session.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Button, money, Notice } from '../../../ui/index.ts'
import { Menu, MenuAction } from '../../../ui/menu.tsx'
import { copyOf } from '../draft-of.ts'
import { CancelDialog } from './cancel-dialog.tsx'
import { FinaliseDialog } from './finalise-dialog.tsx'
import { CreditNoteDialog, DebitNoteDialog } from './note-dialogs.tsx'
import { PaymentDialog } from './payment-dialog.tsx'
import { ShareInvoiceDialog } from './share-dialog.tsx'
import { allWordsOf, useAct } from './use-invoice.ts'
import { actionsOf, type InvoiceAction } from './what-can-be-done.ts'

const names: Readonly<Record<InvoiceAction, string>> = {
  finalise: 'Finalise',
  submit: 'Submit',
  retry: 'Try again',
  reopen: 'Fix and resubmit',
  ask: 'Check status',
  pay: 'Record payment',
  send: 'Send to buyer',
  share: 'Share by link',
  credit: 'Credit note',
  debit: 'Debit note',
  duplicate: 'Duplicate',
  repeat: 'Make recurring',
  cancel: 'Cancel invoice',
  delete: 'Delete draft',
}

/** The actions that this person can take now: the next step as a button, the others in a menu. */
export function Actions({
  invoice,
  report,
}: {
  readonly invoice: Invoice
  readonly report: SubmissionReport | undefined
}) {
  const { id, invoiceNumber } = invoice
  const { capabilities, mode } = useSession()
  const navigate = useNavigate()
  const [open, setOpen] = useState<InvoiceAction>()
  const close = () => setOpen(undefined)
  const submit = useAct(
    (_, once) => risiti.submissions.submit(id, once),
    'The document is on its way to the tax authority.',
    close,
  )
  const retry = useAct(() => risiti.submissions.retry(id), 'Risiti submits the document again.')
  const ask = useAct(() => risiti.submissions.queryStatus(id), 'Risiti asked the tax authority for the status.')
  const reopen = useAct(
    () => risiti.invoices.reopen(id),
    'The document is a draft again. Edit the draft and submit it once more.',
    () => {
      void navigate({ to: '/invoices/$id/edit', params: { id } })
    },
  )
  const duplicate = useAct(
    (_, once) => risiti.invoices.create(copyOf(invoice), once),
    `The draft is a copy of ${invoiceNumber}.`,
    ({ id }) => void navigate({ to: '/invoices/$id/edit', params: { id } }),
  )
  /** The buyer already has the invoice and has not paid, so another email is a reminder. */
  const isReminder = invoice.sentAt !== null && invoice.dueMinor > 0 && invoice.invoiceType !== 'credit_note'
  const send = useAct(
    (_, once) => (isReminder ? risiti.invoices.remind(id, once) : risiti.invoices.send(id, once)),
    isReminder ? `The buyer was reminded of ${invoiceNumber}.` : `${invoiceNumber} was sent to the buyer.`,
    close,
  )
  const remove = useAct(
    () => risiti.invoices.delete(id),
    `The draft ${invoiceNumber} was deleted.`,
    () => void navigate({ to: '/invoices', search: {} }),
  )
  const [first, ...rest] = actionsOf(invoice, report, capabilities)
  const atOnce = { retry, ask, reopen, duplicate }
  const begin = (action: InvoiceAction) => {
    if (action === 'retry' || action === 'ask' || action === 'reopen' || action === 'duplicate') atOnce[action].mutate()
    else if (action === 'repeat') void navigate({ to: '/recurring/new', search: { from: id } })
    else setOpen(action)
  }
  const failure = retry.error ?? ask.error ?? reopen.error ?? duplicate.error
  const mayEdit =
    invoice.status === 'draft' && invoice.invoiceType === 'standard' && capabilities.includes('invoice.update_draft')
  const nameOf = (action: InvoiceAction): string => {
    if (action === 'reopen' && invoice.status === 'finalised') return 'Back to draft'
    if (action === 'send' && isReminder) return 'Remind buyer'
    return names[action]
  }
  if (first === undefined) return null
  return (
    <>
      {rest.length > 0 && (
        <Menu label="More">
          {rest.map((action) => (
            <MenuAction key={action} danger={action === 'delete' || action === 'cancel'} onChoose={() => begin(action)}>
              {nameOf(action)}
            </MenuAction>
          ))}
        </Menu>
      )}
      {mayEdit && (
        <Link to="/invoices/$id/edit" params={{ id }} className="button">
          Edit
        </Link>
      )}
      <Button kind="primary" busy={retry.isPending || reopen.isPending || ask.isPending} onClick={() => begin(first)}>
        {nameOf(first)}
      </Button>
      {failure && <Notice tone="bad">{wordsOf(failure)}</Notice>}
      {open === 'finalise' && <FinaliseDialog invoice={invoice} onClose={close} />}
      {open === 'pay' && <PaymentDialog invoice={invoice} onClose={close} />}
      {open === 'share' && <ShareInvoiceDialog id={id} onClose={close} />}
      {open === 'credit' && <CreditNoteDialog invoice={invoice} onClose={close} />}
      {open === 'debit' && <DebitNoteDialog invoice={invoice} onClose={close} />}
      {open === 'cancel' && <CancelDialog invoice={invoice} onClose={close} />}
      {open === 'submit' && (
        <ConfirmDialog
          title={`Submit ${invoiceNumber}?`}
          action="Submit to the tax authority"
          kind="primary"
          dismiss="Not now"
          open
          onConfirm={() => submit.mutateAsync()}
          wordsFor={allWordsOf}
          instead={rest.includes('reopen') && <Button onClick={() => reopen.mutate()}>Back to draft</Button>}
          onClose={close}
        >
          {money(invoice.payableMinor, invoice.currency)} for {invoice.buyer?.name ?? 'a consumer'} is reported to the
          tax authority.{' '}
          {mode === 'live'
            ? 'You are in live mode: this is real and cannot be undone.'
            : 'Nothing in the sandbox is real.'}
        </ConfirmDialog>
      )}
      {open === 'send' && (
        <ConfirmDialog
          title={isReminder ? `Send a reminder for ${invoiceNumber}?` : `Send ${invoiceNumber}?`}
          action={isReminder ? 'Send the reminder' : 'Send to the buyer'}
          kind="primary"
          dismiss="Not now"
          open
          onConfirm={() => send.mutateAsync()}
          onClose={close}
        >
          {isReminder
            ? `${invoice.buyer?.name ?? 'The buyer'} gets a reminder by email, worded for how late the payment is. ${money(invoice.dueMinor, invoice.currency)} is still due.`
            : `${invoice.buyer?.name ?? 'The buyer'} gets the document by email, with the PDF.`}
          {mode === 'sandbox' && ' The sandbox sends emails only to members of your organisation.'}
        </ConfirmDialog>
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={`Delete the draft ${invoiceNumber}?`}
          action="Delete the draft"
          open
          onConfirm={() => remove.mutateAsync()}
          onClose={close}
        >
          The draft is deleted permanently, and its number is not used again.
        </ConfirmDialog>
      )}
    </>
  )
}
