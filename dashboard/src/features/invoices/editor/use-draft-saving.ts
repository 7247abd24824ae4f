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

/**
 * Whether the service certainly did not save. An error without a reason comes from something between browser and
 * service, and after an error of the service itself nobody knows.
 */
const wasRefused = (error: unknown): boolean =>
  error instanceof Refused && error.reason !== undefined && error.status < 500

/** A write, and the version that it replaces. Without a version it creates the draft. */
interface DraftWrite {
  readonly body: NewInvoice
  readonly known: SavedDraft | undefined
}

/** Creates or updates the draft. Writes run one after the other, so that two of them never create two drafts. */
export function useDraftSaving(first: SavedDraft | undefined, before: NewInvoice | undefined) {
  const queries = useQueryClient()
  const { once } = useOneKey()
  const [saved, setSaved] = useState(first)
  const latest = useRef(first)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  /** a write whose reply was lost, so that nobody knows whether the service has it */
  const lost = useRef<DraftWrite>(undefined)
  const [conflict, setConflict] = useState<Conflict>()
  const [isDeleted, setDeleted] = useState(false)
  const setLatest = (now: SavedDraft) => {
    latest.current = now
    setSaved(now)
  }
  /** The same write has the same key, so that the service takes a repeated one only once. */
  async function send({ body, known }: DraftWrite): Promise<Invoice> {
    const key = once([known?.id, known?.etag, body])
    try {
      const sent = known
        ? risiti.invoices.update(known.id, body, known.etag === undefined ? key : { ...key, ifMatch: known.etag })
        : risiti.invoices.create(body, key)
      const { data, etag } = await sent.withResponse()
      setLatest({ id: data.id, invoiceNumber: data.invoiceNumber, etag: etag ?? undefined })
      lost.current = undefined
      return data
    } catch (error) {
      lost.current = wasRefused(error) ? undefined : { body, known }
      throw error
    }
  }
  /** Finds out what somebody else did with the draft, if that is why a write was refused. */
  async function learnAbout({ id }: SavedDraft, error: unknown): Promise<void> {
    if (!(error instanceof Refused) || !error.is('version.stale', 'resource.not_found')) return
    try {
      const { data, etag } = await risiti.invoices.get(id).withResponse()
      // A refused write of a draft that is as we know it concerns something else, such as its buyer.
      if (error.is('version.stale')) setConflict({ invoice: data, etag: etag ?? undefined })
    } catch (reading) {
      if (!(reading instanceof Refused && reading.is('resource.not_found'))) throw reading
      setDeleted(true)
    }
  }
  async function write(content: DraftContent): Promise<Invoice> {
    const body = bodyOf(before, content)
    // Repeating it finds out whether the service has it. Otherwise a new body would make a second draft, or be refused
    // because of our own change.
    if (lost.current)
      await send(lost.current).catch((error: unknown) => {
        if (!wasRefused(error)) throw error
      })
    const known = latest.current
    try {
      const data = await send({ body, known })
      // The editor itself keeps what the person types, so its own query stays as it is.
      void queries.invalidateQueries({
        predicate: ({ queryKey: [of, what] }) => of === 'invoices' && what !== 'draft',
      })
      return data
    } catch (error) {
      if (known) await learnAbout(known, error)
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
      setLatest({ id, invoiceNumber, etag })
      setConflict(undefined)
    },
    /** somebody deleted the draft in between */
    isDeleted,
    closeConflict() {
      setConflict(undefined)
      setDeleted(false)
    },
    /** The next write creates another draft. */
    startAnother() {
      latest.current = undefined
      lost.current = undefined
      setSaved(undefined)
      setConflict(undefined)
      setDeleted(false)
    },
  }
}
