import type { Batch, InvoiceSummary } from '@risiti/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../../api/client.ts'
import { useOneKey } from '../../../api/one-key.ts'
import { wordsOf } from '../../../api/queries.ts'
import { useSession } from '../../../session/session.tsx'
import { BulkBar } from '../../../ui/bulk-bar.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Badge, Button, Notice } from '../../../ui/index.ts'

/** Submits the selected invoices after a confirmation, and shows each result. */
export function BulkSubmit({
  chosen,
  onDone,
}: {
  readonly chosen: readonly InvoiceSummary[]
  readonly onDone: () => void
}) {
  const { mode } = useSession()
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const { once, renew } = useOneKey()
  const submit = useMutation({
    mutationFn: async (): Promise<Batch> => {
      const body = { invoiceIds: chosen.map(({ id }) => id) }
      return await risiti.submissions.submitBatch(body, once(body))
    },
    onSuccess: () => {
      renew()
      return queries.invalidateQueries({ queryKey: ['invoices'] })
    },
  })
  function close() {
    setOpen(false)
    if (submit.data) onDone()
    submit.reset()
  }
  const count = chosen.length === 1 ? 'one invoice' : `${chosen.length} invoices`
  return (
    <>
      <BulkBar count={chosen.length} onNone={onDone}>
        <Button kind="primary" onClick={() => setOpen(true)}>
          Submit to the tax authority
        </Button>
      </BulkBar>
      <Dialog title={submit.data ? 'Result' : `Submit ${count}?`} open={isOpen} onClose={close}>
        {submit.isError && <Notice tone="bad">{wordsOf(submit.error)}</Notice>}
        {submit.data ? (
          <Results batch={submit.data} />
        ) : (
          <p>
            Each invoice is sent to the tax authority. After that, it cannot be changed.
            {mode === 'live'
              ? ' You are in live mode: this is real and cannot be undone.'
              : ' Nothing in the sandbox is real.'}
          </p>
        )}
        <DialogActions>
          {submit.data ? (
            <Button kind="primary" onClick={close}>
              Done
            </Button>
          ) : (
            <>
              <Button onClick={close}>Not now</Button>
              <Button kind="primary" busy={submit.isPending} onClick={() => submit.mutate()}>
                Submit {count}
              </Button>
            </>
          )}
        </DialogActions>
      </Dialog>
    </>
  )
}

const Results = ({ batch }: { readonly batch: Batch }) => (
  <>
    <p>
      {batch.queued} on the way{batch.failed > 0 && `, ${batch.failed} not submitted`}.
    </p>
    <ul className="bulk-results">
      {batch.results.map(({ invoiceId, invoiceNumber, result, error }) => (
        <li key={invoiceId}>
          <Link to="/invoices/$id" params={{ id: invoiceId }}>
            {invoiceNumber ?? 'Deleted invoice'}
          </Link>
          <Badge tone={result === 'queued' ? 'good' : 'bad'}>
            {result === 'queued' ? 'On the way' : 'Not submitted'}
          </Badge>
          {error && (
            <p>
              {error.message} {error.details.map(({ message }) => message).join(' ')}
            </p>
          )}
        </li>
      ))}
    </ul>
  </>
)
