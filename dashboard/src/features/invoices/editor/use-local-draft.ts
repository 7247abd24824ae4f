import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { deleteLocalDraft, newDraftKeyOfTab, readLocalDraft, storeLocalDraft } from '../../../session/local-drafts.ts'
import { ownerOf, sessionQuery, useSession } from '../../../session/session.tsx'
import type { DraftContent } from './draft-content.ts'
import { withNewKeys } from './draft-lines.ts'
import type { SavedDraft } from './use-draft-saving.ts'

/** What a person wrote on an invoice, and the draft that it belongs to. */
export interface LocalDraft extends DraftContent {
  readonly saved: SavedDraft | undefined
}

const isLocalDraft = (value: unknown): value is LocalDraft =>
  typeof value === 'object' && value !== null && 'head' in value && 'lines' in value

/** The local draft of an invoice. Without an id, it is the local draft of a new invoice in this tab. */
export function useLocalDraft(id?: string) {
  const owner = ownerOf(useSession())
  const reading = useQuery({
    queryKey: ['local-draft', owner, id],
    queryFn: async (): Promise<{ localKey: string; restored: LocalDraft | undefined }> => {
      const localKey = id === undefined ? await newDraftKeyOfTab(owner) : `${owner} invoice ${id}`
      const found = await readLocalDraft(localKey)
      return { localKey, restored: isLocalDraft(found) ? { ...found, lines: withNewKeys(found.lines) } : undefined }
    },
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return reading.data
}

const storeAfterMs = 200

/**
 * Stores the local draft until the service has its content. The local draft of a new invoice stays until the person leaves
 * the page, because the address of the page does not name the draft.
 */
export function useLocalSaving(localKey: string, written: LocalDraft, isDirty: boolean, isNew: boolean) {
  const isOver = useRef(false)
  const clean = !isDirty
  const { head, lines, saved } = written
  const hasContent = isDirty || (isNew && saved !== undefined)
  useEffect(() => {
    if (isOver.current) return
    if (!hasContent) {
      void deleteLocalDraft(localKey)
      return
    }
    const timer = setTimeout(() => {
      if (!isOver.current) void storeLocalDraft(localKey, { head, lines, saved })
    }, storeAfterMs)
    return () => clearTimeout(timer)
  }, [localKey, head, lines, saved, hasContent])
  const isClean = useRef(clean)
  isClean.current = clean
  useEffect(
    () => () => {
      if (isClean.current) void deleteLocalDraft(localKey)
    },
    [localKey],
  )
  return {
    /** after the person saved the draft or dropped the changes */
    forget: async () => {
      isOver.current = true
      await deleteLocalDraft(localKey)
    },
    isForgotten: () => isOver.current,
  }
}

/** Runs once when the person leaves the editor. After a change of person, organisation or mode it does not run. */
export function useLeaving(localKey: string, act: () => void) {
  const queries = useQueryClient()
  const latest = useRef(act)
  latest.current = act
  useEffect(
    () => () => {
      const session = queries.getQueryData(sessionQuery.queryKey)
      if (session && localKey.startsWith(ownerOf(session))) latest.current()
    },
    [localKey, queries],
  )
}
