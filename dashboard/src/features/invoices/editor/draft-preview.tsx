import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { wordsOf } from '../../../api/queries.ts'
import { Notice } from '../../../ui/index.ts'
import { Panel } from '../../../ui/panel.tsx'
import { fetchDocument } from '../detail/pdf-preview.tsx'
import type { SavedDraft } from './use-draft-saving.ts'

/** The document itself, as it was last saved. The shown page stays until the next one is there. */
export function DraftPreview({ saved }: { readonly saved: SavedDraft | undefined }) {
  const file = useQuery({
    queryKey: ['draft-preview', saved?.id, saved?.etag],
    queryFn: async () => await fetchDocument((saved as SavedDraft).id, 'pdf'),
    enabled: saved !== undefined,
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!file.data) return
    const made = URL.createObjectURL(file.data)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file.data])
  return (
    <Panel title="Preview">
      {file.isError && <Notice tone="bad">{wordsOf(file.error)}</Notice>}
      {!address && !file.isError && (
        <p role="status">{saved ? 'Loading …' : 'The document appears here as soon as the draft can be saved.'}</p>
      )}
      {address && (
        <iframe className="editor-document" title="Preview of the document" src={`${address}#navpanes=0&view=FitH`} />
      )}
    </Panel>
  )
}
