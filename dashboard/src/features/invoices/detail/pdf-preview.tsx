import type { Invoice } from '@risiti/sdk'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fetchFile, risiti } from '../../../api/client.ts'
import { wordsOf } from '../../../api/queries.ts'
import { saveFile } from '../../../ui/csv.ts'
import { Button, Notice } from '../../../ui/index.ts'
import { Panel } from '../../../ui/panel.tsx'

/** The formats to download. A draft has only the preview. */
const downloadFormats = [
  { format: 'pdf', words: 'Download PDF', ending: '.pdf', hint: undefined, ofDrafts: true },
  { format: 'xml', words: 'Download XML', ending: '.xml', hint: 'UBL 2.1, for programs', ofDrafts: false },
  {
    format: 'pdf-a3',
    words: 'Download PDF/A-3',
    ending: '-archive.pdf',
    hint: 'For archives: the PDF with the XML inside',
    ofDrafts: false,
  },
] as const
type DownloadFormat = (typeof downloadFormats)[number]

export async function fetchDocument(id: string, format: DownloadFormat['format']): Promise<Blob> {
  const { url } = await risiti.invoices.download(id, { format })
  const { pathname, search } = new URL(url, location.href)
  return await fetchFile(`${pathname}${search}`)
}

/** The PDF is loaded only on request. */
export function PdfPreview({ invoice: { id, invoiceNumber, updatedAt, status } }: { readonly invoice: Invoice }) {
  const [shown, setShown] = useState<{ readonly address: string; readonly of: string }>()
  const show = useMutation({
    mutationFn: async () => await fetchDocument(id, 'pdf'),
    onSuccess: (file) => setShown({ address: URL.createObjectURL(file), of: updatedAt }),
  })
  const save = useMutation({
    mutationFn: async ({ format, ending }: DownloadFormat) =>
      saveFile(await fetchDocument(id, format), `${invoiceNumber}${ending}`),
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
              Show the PDF
            </Button>
          )}
          {downloadFormats
            .filter(({ ofDrafts }) => ofDrafts || status !== 'draft')
            .map((keepsake) => (
              <Button
                key={keepsake.format}
                title={keepsake.hint}
                busy={save.isPending && save.variables === keepsake}
                onClick={() => save.mutate(keepsake)}
              >
                {keepsake.words}
              </Button>
            ))}
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
