import type { Invoice } from '@risiti/sdk'
import type { FormEvent } from 'react'
import { risiti } from '../../../api/client.ts'
import { faultsOf } from '../../../api/queries.ts'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Button, Notice, TextField } from '../../../ui/index.ts'
import { allWordsOf, useAct } from './use-invoice.ts'

export function CancelDialog({
  invoice: { id, invoiceNumber },
  onClose,
}: {
  readonly invoice: Invoice
  readonly onClose: () => void
}) {
  const cancel = useAct(
    (reason: string, once) => risiti.submissions.cancel(id, { reason }, once),
    `${invoiceNumber} is being cancelled.`,
    onClose,
  )
  return (
    <Dialog title={`Cancel ${invoiceNumber}?`} open onClose={onClose}>
      <form
        className="dialog-form"
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          cancel.mutate(String(new FormData(event.currentTarget).get('reason')))
        }}
      >
        <p>
          Risiti sends a credit note for the remaining amount to the tax authority. When the authority accepts the
          credit note, the invoice is cancelled permanently.
        </p>
        {cancel.isError && <Notice tone="bad">{allWordsOf(cancel.error).join(' ')}</Notice>}
        <TextField label="Reason" name="reason" required fault={faultsOf(cancel.error).reason} />
        <DialogActions>
          <Button onClick={onClose}>Not now</Button>
          <Button kind="danger" type="submit" busy={cancel.isPending}>
            Cancel the invoice
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
