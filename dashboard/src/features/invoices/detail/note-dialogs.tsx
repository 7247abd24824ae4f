import type { Invoice, InvoiceLine, NewInvoiceLine } from '@risiti/sdk'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { risiti } from '../../../api/client.ts'
import { faultsOf } from '../../../api/queries.ts'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Button, money, Notice, SelectField, TextField } from '../../../ui/index.ts'
import { plainNumber } from '../../../ui/money.ts'
import { draftOf } from '../draft-of.ts'
import { allWordsOf, useAct } from './use-invoice.ts'

interface Props {
  readonly invoice: Invoice
  readonly onClose: () => void
}

const plain = (text: FormDataEntryValue | null) => plainNumber(String(text ?? ''))

function useOpenNote(onClose: () => void): (note: Invoice) => void {
  const navigate = useNavigate()
  return ({ id }) => {
    onClose()
    void navigate({ to: '/invoices/$id', params: { id } })
  }
}

/** A part of a sum, in proportion to the quantity. The credit note is a draft, so a person can correct the cents. */
const shareOf = (sum: string | number | null | undefined, quantity: string, whole: string): string =>
  quantity === whole ? String(sum ?? 0) : ((Number(sum ?? 0) * Number(quantity)) / Number(whole)).toFixed(2)

/** The lines of an invoice with the quantities that are taken back. */
function creditedLines(invoice: Invoice, form: FormData): NewInvoiceLine[] {
  return draftOf(invoice).lineItems.flatMap((line, at) => {
    const [quantity, whole] = [plain(form.get(`quantity-${at}`)), invoice.lineItems[at]?.quantity ?? '1']
    if (!(Number(quantity) > 0)) return []
    return [
      {
        ...line,
        quantity,
        discountAmount: shareOf(line.discountAmount, quantity, whole),
        feeAmount: shareOf(line.feeAmount, quantity, whole),
      },
    ]
  })
}

/** Credits the rest of an invoice, some of its lines, or an amount including its tax. */
export function CreditNoteDialog({ invoice, onClose }: Props) {
  const { id, invoiceNumber, payableMinor, creditedMinor, currency } = invoice
  const [how, setHow] = useState('all')
  const openNote = useOpenNote(onClose)
  const create = useAct(
    (form: FormData, once) =>
      risiti.invoices.createCreditNote(
        id,
        {
          reason: String(form.get('reason')),
          ...(how === 'amount' ? { amount: plain(form.get('amount')) } : {}),
          ...(how === 'lines' ? { lineItems: creditedLines(invoice, form) } : {}),
        },
        once,
      ),
    'The credit note was created as a draft.',
    openNote,
  )
  const faults = faultsOf(create.error)
  return (
    <NoteForm
      title={`Credit note for ${invoiceNumber}`}
      failure={create.error}
      busy={create.isPending}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <SelectField
        label="How much"
        value={how}
        onChange={({ target }) => setHow(target.value)}
        options={[
          ['all', `The remaining amount: ${money(payableMinor - creditedMinor, currency)}`],
          ['lines', 'Some of the lines'],
          ['amount', 'Another amount'],
        ]}
      />
      {how === 'lines' && (
        <fieldset className="form-group">
          <legend>Quantities to credit</legend>
          {invoice.lineItems.map((line, at) => (
            <TextField
              key={at}
              label={line.description}
              name={`quantity-${at}`}
              inputMode="decimal"
              placeholder="0"
              hint={`${line.quantity} on the invoice.`}
            />
          ))}
        </fieldset>
      )}
      {how === 'amount' && (
        <TextField
          label="Amount, tax included"
          name="amount"
          inputMode="decimal"
          required
          placeholder="0.00"
          fault={faults.amount}
        />
      )}
      <TextField
        label="Reason"
        name="reason"
        required
        hint="The document shows the reason to the buyer."
        fault={faults.reason}
      />
    </NoteForm>
  )
}

/** Charges an amount that is missing on an invoice. */
export function DebitNoteDialog({ invoice, onClose }: Props) {
  const { id, invoiceNumber, lineItems } = invoice
  const openNote = useOpenNote(onClose)
  // A finalised invoice has at least one line.
  const first = lineItems[0] as InvoiceLine
  const create = useAct(
    (form: FormData, once) =>
      risiti.invoices.createDebitNote(
        id,
        {
          reason: String(form.get('reason')),
          lineItems: [
            {
              description: String(form.get('description')),
              quantity: plain(form.get('quantity')),
              unitPrice: plain(form.get('unitPrice')),
              // The debit note gets the tax and code of the invoice's first line.
              unitCode: first.unitCode,
              taxCategory: first.taxCategory,
              hsnCode: first.hsnCode,
              isicCode: first.isicCode,
              productCategory: first.productCategory,
            },
          ],
        },
        once,
      ),
    'The debit note was created as a draft.',
    openNote,
  )
  const faults = faultsOf(create.error)
  return (
    <NoteForm
      title={`Debit note for ${invoiceNumber}`}
      failure={create.error}
      busy={create.isPending}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <TextField label="Description" name="description" required fault={faults['lineItems[0].description']} />
      <TextField
        label="Quantity"
        name="quantity"
        inputMode="decimal"
        required
        defaultValue="1"
        fault={faults['lineItems[0].quantity']}
      />
      <TextField
        label="Unit price, without tax"
        name="unitPrice"
        inputMode="decimal"
        required
        placeholder="0.00"
        fault={faults['lineItems[0].unitPrice']}
      />
      <TextField
        label="Reason"
        name="reason"
        required
        hint="The document shows the reason to the buyer."
        fault={faults.reason}
      />
    </NoteForm>
  )
}

const NoteForm = ({
  title,
  failure,
  busy,
  onSubmit,
  onClose,
  children,
}: {
  readonly title: string
  readonly failure: unknown
  readonly busy: boolean
  readonly onSubmit: (form: FormData) => void
  readonly onClose: () => void
  readonly children: ReactNode
}) => (
  <Dialog title={title} open onClose={onClose}>
    <form
      className="dialog-form"
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        onSubmit(new FormData(event.currentTarget))
      }}
    >
      {failure !== null && failure !== undefined && <Notice tone="bad">{allWordsOf(failure).join(' ')}</Notice>}
      {children}
      <DialogActions>
        <Button onClick={onClose}>Not now</Button>
        <Button kind="primary" type="submit" busy={busy}>
          Create the draft
        </Button>
      </DialogActions>
    </form>
  </Dialog>
)
