import { type Invoice, type NewInvoice, Refused } from '@risiti/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { risiti } from '../../../api/client.ts'
import { useOneKey } from '../../../api/one-key.ts'
import { bodyOf, type DraftContent } from './draft-content.ts'

/** The draft as the service has it. */
export interface SavedDraft {
  readonly id: string
  readonly invoiceNumber: string
  /** the version, so that another person's change is not overwritten */
  readonly etag: string | undefined
}

/** The version of the draft that somebody saved in between. */
export interface Conflict {
  readonly invoice: Invoice
  readonly etag: string | undefined
}

/** Creates or updates the draft. Writes run one after the other, so that two of them never create two drafts. */
export function useDraftSaving(first: SavedDraft | undefined, before: NewInvoice | undefined) {
  const queries = useQueryClient()
  const { once } = useOneKey()
  const [saved, setSaved] = useState(first)
  const latest = useRef(first)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const [conflict, setConflict] = useState<Conflict>()
  const know = (now: SavedDraft) => {
    latest.current = now
    setSaved(now)
  }
  async function write(content: DraftContent): Promise<Invoice> {
    const body = bodyOf(before, content)
    const known = latest.current
    const call = known
      ? risiti.invoices.update(known.id, body, known.etag === undefined ? {} : { ifMatch: known.etag })
      : risiti.invoices.create(body, once(body))
    try {
      const { data, etag } = await call.withResponse()
      know({ id: data.id, invoiceNumber: data.invoiceNumber, etag: etag ?? undefined })
      // The editor itself keeps what the person types, so its own query stays as it is.
      void queries.invalidateQueries({
        predicate: ({ queryKey: [of, what] }) => of === 'invoices' && what !== 'draft',
      })
      return data
    } catch (error) {
      if (known && error instanceof Refused && error.is('version.stale')) {
        const { data, etag } = await risiti.invoices.get(known.id).withResponse()
        setConflict({ invoice: data, etag: etag ?? undefined })
      }
      throw error
    }
  }
  return {
    saved,
    save(content: DraftContent): Promise<Invoice> {
      const next = last.current.catch(() => undefined).then(() => write(content))
      last.current = next
      return next
    },
    conflict,
    /** Continues from the other version: the next write replaces it. */
    settle({ invoice: { id, invoiceNumber }, etag }: Conflict) {
      know({ id, invoiceNumber, etag })
      setConflict(undefined)
    },
    closeConflict: () => setConflict(undefined),
  }
}
