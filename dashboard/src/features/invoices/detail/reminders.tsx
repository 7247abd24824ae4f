import type { Invoice } from '@risiti/sdk'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { risiti } from '../../../api/client.ts'
import { faultsOf, wordsOf } from '../../../api/queries.ts'
import { useMay } from '../../../session/session.tsx'
import { today } from '../../../ui/dates.ts'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { AreaField } from '../../../ui/field.tsx'
import { Badge, Button, dayText, momentText, Notice, TextField } from '../../../ui/index.ts'
import { LoadState } from '../../../ui/load-state.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { heldBackWords, stepText, stoppedText } from '../../reminders/reminder-words.ts'
import { useAct } from './use-invoice.ts'
import '../../reminders/reminders.css'

const mostShown = 5

/** What stops the reminders of an invoice, what comes next, and what was sent. */
export function Reminders({ invoice: { id, updatedAt, dueMinor } }: { readonly invoice: Invoice }) {
  const mayRecord = useMay('invoice.record_payment')
  const [dialog, setDialog] = useState<'dispute' | 'promise'>()
  const found = useQuery({
    queryKey: ['invoices', 'reminders', id, updatedAt],
    queryFn: async () => await risiti.reminders.getOfInvoice(id),
    placeholderData: (before) => before,
  })
  const resolve = useAct(() => risiti.reminders.resolveDispute(id), 'The dispute is resolved.')
  const withdraw = useAct(() => risiti.reminders.withdrawPromise(id), 'The promise was removed.')
  const failure = resolve.error ?? withdraw.error
  const state = found.data
  return (
    <Panel title="Reminders">
      <LoadState query={found} />
      {failure && <Notice tone="bad">{wordsOf(failure)}</Notice>}
      {state?.dispute && (
        <p>
          <Badge tone="warn">Disputed</Badge> {state.dispute.reason}
        </p>
      )}
      {state?.promise && (
        <p>
          <Badge tone="neutral">Promised</Badge> To be paid by {dayText(state.promise.day)}.{' '}
          {state.promise.remark ?? ''}
        </p>
      )}
      {state && (
        <p className="invoice-soft">
          {state.next
            ? `Next: ${dayText(state.next.day)}, ${stepText(state.next.stepDays).toLowerCase()}.`
            : state.heldBack
              ? `No reminder: ${heldBackWords[state.heldBack].charAt(0).toLowerCase()}${heldBackWords[state.heldBack].slice(1)}`
              : 'No further reminder.'}
        </p>
      )}
      {state && state.sent.length > 0 && (
        <ul className="invoice-soft" aria-label="Sent reminders">
          {state.sent.slice(0, mostShown).map((one) => (
            <li key={one.id}>
              {momentText(one.sentAt)}: {one.stepDays === null ? 'by hand' : stepText(one.stepDays).toLowerCase()}
              {stoppedText(one)}
            </li>
          ))}
        </ul>
      )}
      {state && mayRecord && (
        <div className="invoice-reminder-actions">
          {state.dispute ? (
            <Button busy={resolve.isPending} onClick={() => resolve.mutate()}>
              Resolve the dispute
            </Button>
          ) : (
            <Button onClick={() => setDialog('dispute')}>Mark as disputed</Button>
          )}
          {state.promise ? (
            <Button busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
              Remove the promise
            </Button>
          ) : (
            dueMinor > 0 && <Button onClick={() => setDialog('promise')}>Record a promise</Button>
          )}
        </div>
      )}
      {dialog === 'dispute' && <DisputeDialog id={id} onClose={() => setDialog(undefined)} />}
      {dialog === 'promise' && <PromiseDialog id={id} onClose={() => setDialog(undefined)} />}
    </Panel>
  )
}

interface DialogProps {
  readonly id: string
  readonly onClose: () => void
}

function DisputeDialog({ id, onClose }: DialogProps) {
  const dispute = useAct(
    (form: FormData, once) => risiti.reminders.dispute(id, { reason: String(form.get('reason')) }, once),
    'The invoice is marked as disputed.',
    onClose,
  )
  const faults = faultsOf(dispute.error)
  return (
    <Dialog title="Mark as disputed" open onClose={onClose}>
      <form
        className="dialog-form"
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          dispute.mutate(new FormData(event.currentTarget))
        }}
      >
        {dispute.isError && Object.keys(faults).length === 0 && <Notice tone="bad">{wordsOf(dispute.error)}</Notice>}
        <p>The buyer gets no reminders of this invoice until you resolve the dispute.</p>
        <AreaField label="What does the buyer dispute?" name="reason" required maxLength={500} fault={faults.reason} />
        <DialogActions>
          <Button onClick={onClose}>Not now</Button>
          <Button kind="primary" type="submit" busy={dispute.isPending}>
            Mark as disputed
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function PromiseDialog({ id, onClose }: DialogProps) {
  const promise = useAct(
    (form: FormData, once) =>
      risiti.reminders.promise(
        id,
        { day: String(form.get('day')), remark: String(form.get('remark')).trim() || null },
        once,
      ),
    'The promise was recorded.',
    onClose,
  )
  const faults = faultsOf(promise.error)
  return (
    <Dialog title="Record a promise to pay" open onClose={onClose}>
      <form
        className="dialog-form"
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          promise.mutate(new FormData(event.currentTarget))
        }}
      >
        {promise.isError && Object.keys(faults).length === 0 && <Notice tone="bad">{wordsOf(promise.error)}</Notice>}
        <p>The buyer gets no reminders of this invoice until the day has passed.</p>
        <TextField label="The buyer will pay by" name="day" type="date" required min={today()} fault={faults.day} />
        <AreaField label="Remark (optional)" name="remark" maxLength={500} fault={faults.remark} />
        <DialogActions>
          <Button onClick={onClose}>Not now</Button>
          <Button kind="primary" type="submit" busy={promise.isPending}>
            Record the promise
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
