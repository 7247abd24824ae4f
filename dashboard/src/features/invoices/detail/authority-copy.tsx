import type { Invoice } from '@risiti/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { risiti } from '../../../api/client.ts'
import { wordsOf } from '../../../api/queries.ts'
import { useMay } from '../../../session/session.tsx'
import { Button, Dialog, Notice } from '../../../ui/index.ts'
import { JsonBody } from '../../../ui/json-body.tsx'

/** The authority's current copy of the document. */
export function AuthorityCopy({ invoice: { id, invoiceNumber } }: { readonly invoice: Invoice }) {
  const mayRead = useMay('invoice.download_authority_copy')
  const [isOpen, setOpen] = useState(false)
  const copy = useQuery({
    queryKey: ['invoices', 'authority-copy', id],
    queryFn: () => risiti.submissions.readAuthorityCopy(id),
    enabled: isOpen,
    staleTime: 0,
  })
  if (!mayRead) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>Authority’s copy</Button>
      {isOpen && (
        <Dialog title={`Authority’s copy of ${invoiceNumber}`} open onClose={() => setOpen(false)} wide>
          {copy.isPending && <p role="status">Asking the tax authority …</p>}
          {copy.isError && <Notice tone="bad">{wordsOf(copy.error)}</Notice>}
          {copy.data && (
            <>
              <Notice tone={copy.data.isWhatWasSent ? 'good' : 'warn'}>
                {copy.data.isWhatWasSent
                  ? 'The copy is identical to the document that Risiti sent.'
                  : 'The copy differs from the document that Risiti sent. Compare the amounts.'}
              </Notice>
              <JsonBody label="The authority’s copy" value={copy.data.document} />
            </>
          )}
        </Dialog>
      )}
    </>
  )
}
