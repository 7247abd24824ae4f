import type { Invoice } from '@risiti/sdk'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fetchFile, risiti } from '../../../api/client.ts'
import { wordsOf } from '../../../api/queries.ts'
import { saveFile } from '../../../ui/csv.ts'
import { Button, Notice } from '../../../ui/index.ts'
import { Panel } from '../../../ui/panel.tsx'

async function fetchDocument(id: string, format: 'pdf' | 'xml'): Promise<Blob> {
  const { url } = await risiti.invoices.download(id, { format })
  const { pathname, search } = new URL(url, location.href)
  return await fetchFile(`${pathname}${search}`)
}

/** The document as the buyer gets it: shown when it is asked for, and to keep. */
export function PdfPreview({ invoice: { id, invoiceNumber, updatedAt, status } }: { readonly invoice: Invoice }) {
  const [shown, setShown] = useState<{ readonly address: string; readonly of: string }>()
  const show = useMutation({
    mutationFn: async () => await fetchDocument(id, 'pdf'),
    onSuccess: (file) => setShown({ address: URL.createObjectURL(file), of: updatedAt }),
  })
  const save = useMutation({
    mutationFn: async (format: 'pdf' | 'xml') =>
      saveFile(await fetchDocument(id, format), `${invoiceNumber}.${format}`),
  })
  useEffect(() => () => URL.revokeObjectURL(shown?.address ?? ''), [shown])
  const fault = show.error ?? save.error
  const isShown = shown?.of === updatedAt
  return (
    <Panel
      title="Document"
      action={
        <div className="invoice-buttons">
          {!isShown && (
            <Button busy={show.isPending} onClick={() => show.mutate()}>
              Show it here
            </Button>
          )}
          <Button busy={save.isPending && save.variables === 'pdf'} onClick={() => save.mutate('pdf')}>
            Save PDF
          </Button>
          {status !== 'draft' && (
            <Button busy={save.isPending && save.variables === 'xml'} onClick={() => save.mutate('xml')}>
              Save XML
            </Button>
          )}
        </div>
      }
    >
      {fault && <Notice tone="bad">{wordsOf(fault)}</Notice>}
      {isShown && (
        <iframe
          className="invoice-pdf"
          title={`${invoiceNumber} as PDF`}
          src={`${shown.address}#navpanes=0&view=FitH`}
        />
      )}
    </Panel>
  )
}
