import type { Quote, QuoteConversion } from '@risiti/sdk'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { risiti } from '../../api/client.ts'
import { faultsOf } from '../../api/queries.ts'
import { useMay } from '../../session/session.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { today } from '../../ui/dates.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { AreaField } from '../../ui/field.tsx'
import { Button, money, Notice, SelectField, TextField } from '../../ui/index.ts'
import { plainNumber } from '../../ui/money.ts'
import { allWordsOf, useAct } from '../invoices/detail/use-invoice.ts'

const kinds = ['quotes', 'invoices']

interface DialogProps {
  readonly quote: Quote
  readonly onClose: () => void
}

/** A failure in words, unless each part of it stands at its field. */
export function Failure({ error }: { readonly error: unknown }) {
  if (!error) return null
  return (
    <Notice tone="bad">
      {allWordsOf(error).map((words) => (
        <p key={words}>{words}</p>
      ))}
    </Notice>
  )
}

export function SendDialog({ quote: { id, quoteNumber }, onClose }: DialogProps) {
  const send = useAct(
    (mail: boolean, once) => risiti.quotes.send(id, { mail }, { idempotencyKey: `${once.idempotencyKey}-${mail}` }),
    `${quoteNumber} was sent.`,
    onClose,
    kinds,
  )
  return (
    <Dialog title={`Send ${quoteNumber}?`} open onClose={onClose}>
      <p>
        The buyer gets a mail with the PDF and a link to a page, where the buyer can accept or decline. Without a mail,
        the quote is only opened, and you hand over the link yourself.
      </p>
      <Failure error={send.error} />
      <DialogActions>
        <Button busy={send.isPending && send.variables === false} onClick={() => send.mutate(false)}>
          Open without a mail
        </Button>
        <Button kind="primary" busy={send.isPending && send.variables === true} onClick={() => send.mutate(true)}>
          Send by mail
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Records what the buyer told the seller. */
export function DecisionDialog({ quote, onClose }: DialogProps) {
  const { id, quoteNumber, versionNumber, payableMinor, currency } = quote
  const record = useAct(
    (form: FormData, once) =>
      risiti.quotes.decide(
        id,
        {
          decision: String(form.get('decision')) as 'accepted' | 'declined',
          versionNumber,
          name: String(form.get('name')).trim(),
          remark: String(form.get('remark')).trim() || null,
        },
        once,
      ),
    'The decision was recorded.',
    onClose,
    kinds,
  )
  const faults = faultsOf(record.error)
  return (
    <Dialog title={`Decision on ${quoteNumber}`} open onClose={onClose}>
      <form
        className="dialog-form"
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          record.mutate(new FormData(event.currentTarget))
        }}
      >
        <p>
          For buyers who told you, for example on the telephone. It is about version {versionNumber} with the total of{' '}
          {money(payableMinor, currency)}.
        </p>
        {Object.keys(faults).length === 0 && <Failure error={record.error} />}
        <SelectField
          label="The buyer"
          name="decision"
          options={[
            ['accepted', 'accepted'],
            ['declined', 'declined'],
          ]}
        />
        <TextField label="Name of the person" name="name" required fault={faults.name} />
        <AreaField label="Remark (optional)" name="remark" fault={faults.remark} />
        <DialogActions>
          <Button onClick={onClose}>Not now</Button>
          <Button kind="primary" type="submit" busy={record.isPending}>
            Record the decision
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type Wanted = 'invoice' | 'percent' | 'amount'
const wantedWords: Readonly<Record<Wanted, string>> = {
  invoice: 'An invoice for the whole quote',
  percent: 'A deposit in percent',
  amount: 'A deposit of an amount',
}

/** Makes an invoice or a deposit of a quote, or the final invoice after a deposit. */
export function ConvertDialog({ quote, onClose }: DialogProps) {
  const { id, quoteNumber, restMinor, currency } = quote
  const navigate = useNavigate()
  const mayFinalise = useMay('invoice.finalise')
  const [wanted, setWanted] = useState<Wanted>('invoice')
  const isRest = restMinor !== null
  const convert = useAct(
    ({ deposit, ...document }: QuoteConversion, once) =>
      isRest
        ? risiti.quotes.invoiceRest(id, document, once)
        : risiti.quotes.convert(id, { ...document, ...(deposit ? { deposit } : {}) }, once),
    isRest ? 'The final invoice was created.' : 'The quote became an invoice.',
    (converted: Quote) => {
      onClose()
      const made = converted.results.at(-1)
      if (made) void navigate({ to: '/invoices/$id', params: { id: made.invoiceId } })
    },
    kinds,
  )
  const faults = faultsOf(convert.error)
  function submit(form: FormData) {
    const size = plainNumber(String(form.get('size') ?? ''))
    convert.mutate({
      invoiceDate: String(form.get('invoiceDate')),
      dueDate: String(form.get('dueDate')) || null,
      finalise: form.get('finalise') === 'on',
      ...(wanted === 'percent' && !isRest ? { deposit: { percent: size } } : {}),
      ...(wanted === 'amount' && !isRest ? { deposit: { amount: size } } : {}),
    })
  }
  return (
    <Dialog title={isRest ? `Final invoice for ${quoteNumber}` : `Invoice ${quoteNumber}`} open onClose={onClose}>
      <form
        className="dialog-form"
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          submit(new FormData(event.currentTarget))
        }}
      >
        {isRest ? (
          <p>The final invoice has all lines. The deposit is taken off, and {money(restMinor, currency)} is left.</p>
        ) : (
          <p>The document has the lines and prices of the quote. A quote is invoiced once.</p>
        )}
        <Failure error={convert.error} />
        {!isRest && (
          <SelectField
            label="Make"
            value={wanted}
            options={Object.entries(wantedWords)}
            onChange={({ target }) => setWanted(target.value as Wanted)}
          />
        )}
        {!isRest && wanted !== 'invoice' && (
          <TextField
            label={wanted === 'percent' ? 'Percent of the total' : `Deposit with tax, in ${currency}`}
            name="size"
            inputMode="decimal"
            required
            hint={
              wanted === 'amount'
                ? 'If the rounding of taxes does not allow exactly this amount, the nearest one is taken.'
                : undefined
            }
            fault={faults['deposit.percent'] ?? faults['deposit.amount'] ?? faults.deposit}
          />
        )}
        <TextField
          label="Invoice date"
          name="invoiceDate"
          type="date"
          required
          defaultValue={today()}
          fault={faults.invoiceDate}
        />
        <TextField label="Due date (optional)" name="dueDate" type="date" fault={faults.dueDate} />
        {mayFinalise && <CheckField label="Finalise at once" name="finalise" />}
        <DialogActions>
          <Button onClick={onClose}>Not now</Button>
          <Button kind="primary" type="submit" busy={convert.isPending}>
            Create it
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
