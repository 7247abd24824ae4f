import type { Invoice } from '@risiti/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { risiti } from '../../../api/client.ts'
import { useMay } from '../../../session/session.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Button, Notice } from '../../../ui/index.ts'
import { draftOf } from '../draft-of.ts'
import { ReadinessReport } from '../readiness-report.tsx'
import { allWordsOf, useAct } from './use-invoice.ts'

/** Shows the authority's likely objections before the draft is finalised. */
export function FinaliseDialog({ invoice, onClose }: { readonly invoice: Invoice; readonly onClose: () => void }) {
  const mayValidate = useMay('invoice.validate')
  const mayEdit = useMay('invoice.update_draft')
  const isPlain = invoice.invoiceType === 'standard'
  const readiness = useQuery({
    queryKey: ['invoices', 'readiness', invoice.id, invoice.updatedAt],
    queryFn: async () => await risiti.invoices.validate(draftOf(invoice)),
    enabled: isPlain && mayValidate,
    // The person may have mended something in another tab.
    staleTime: 0,
  })
  const finalise = useAct(() => risiti.invoices.finalise(invoice.id), `${invoice.invoiceNumber} is final.`, onClose)
  return (
    <Dialog title={`Finalise ${invoice.invoiceNumber}?`} open onClose={onClose}>
      <p>After this, amounts and parties cannot change. Nothing is sent to the tax authority yet.</p>
      {readiness.data && <ReadinessReport readiness={readiness.data} buyerId={invoice.buyerId} />}
      {finalise.isError && (
        <Notice tone="bad" title="The document is incomplete">
          <ul>
            {allWordsOf(finalise.error).map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onClose}>Not now</Button>
        {readiness.data?.ready === false && mayEdit ? (
          <>
            <Button busy={finalise.isPending} onClick={() => finalise.mutate()}>
              Finalise anyway
            </Button>
            <Link to="/invoices/$id/edit" params={{ id: invoice.id }} className="button button-primary">
              Fix the invoice first
            </Link>
          </>
        ) : (
          <Button kind="primary" busy={finalise.isPending || readiness.isLoading} onClick={() => finalise.mutate()}>
            Finalise now
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
