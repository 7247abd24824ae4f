import { type Invoice, Refused } from '@risiti/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ComponentProps, useState } from 'react'
import { risiti } from '../../../api/client.ts'
import { wordsOf } from '../../../api/queries.ts'
import { PageLoading } from '../../../shell/shell.tsx'
import { Button, EmptyState } from '../../../ui/index.ts'
import { Editor } from './editor.tsx'
import { useLocalDraft } from './use-local-draft.ts'

export function NewInvoicePage() {
  const local = useLocalDraft()
  return local ? <RestoredEditor {...local} /> : <PageLoading />
}

/** Keeps the version from the opening of the page, so that another person's change is not overwritten. */
export function EditInvoicePage() {
  const { id } = useParams({ from: '/inside/invoices/$id/edit' })
  const local = useLocalDraft(id)
  const [isNew, setNew] = useState(false)
  const draft = useQuery({
    queryKey: ['invoices', 'draft', id],
    queryFn: async (): Promise<{ invoice: Invoice; etag: string | undefined }> => {
      const { data, etag } = await risiti.invoices.get(id).withResponse()
      return { invoice: data, etag: etag ?? undefined }
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const back = (
    <Link to="/invoices/$id" params={{ id }} className="button">
      Show the invoice
    </Link>
  )
  if (isNew && local?.restored) {
    const { saved, ...content } = local.restored
    return <RestoredEditor {...local} restored={{ ...content, saved: saved?.id === id ? undefined : saved }} />
  }
  if (local?.restored && draft.error instanceof Refused && draft.error.is('resource.not_found'))
    return (
      <EmptyState
        title="This draft was deleted"
        isPage
        action={
          <Button kind="primary" onClick={() => setNew(true)}>
            Continue as a new draft
          </Button>
        }
      >
        Somebody deleted it in the meantime. What you wrote is kept in this browser.
      </EmptyState>
    )
  if (draft.isError)
    return (
      <EmptyState title="This draft cannot be shown" isPage action={back}>
        {wordsOf(draft.error)}
      </EmptyState>
    )
  if (!draft.data || !local) return <PageLoading />
  if (draft.data.invoice.status !== 'draft')
    return (
      <EmptyState title="This invoice is no longer a draft" isPage action={back}>
        A finalised document cannot change. Correct mistakes with a credit note or a debit note.
      </EmptyState>
    )
  return <RestoredEditor draft={draft.data} {...local} />
}

/** The editor with what was written earlier, until the person drops it. */
function RestoredEditor({ restored, localKey, ...editor }: Omit<ComponentProps<typeof Editor>, 'onStartAgain'>) {
  const [isDropped, setDropped] = useState(false)
  return (
    <Editor
      key={`${localKey} ${isDropped}`}
      {...editor}
      localKey={localKey}
      restored={isDropped ? undefined : restored}
      onStartAgain={() => setDropped(true)}
    />
  )
}
