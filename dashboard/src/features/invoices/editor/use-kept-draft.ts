import type { Me } from '@risiti/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { forgetWriting, keepWriting, readWriting } from '../../../session/kept-writing.ts'
import { sessionQuery, useSession } from '../../../session/session.tsx'
import type { DraftContent } from './draft-content.ts'
import { withNewKeys } from './draft-lines.ts'
import type { SavedDraft } from './use-draft-saving.ts'

/** What a person wrote on an invoice, and the draft that it belongs to. */
export interface KeptDraft extends DraftContent {
  readonly saved: SavedDraft | undefined
}

const isKept = (value: unknown): value is KeptDraft =>
  typeof value === 'object' && value !== null && 'head' in value && 'lines' in value

const ownerOf = ({ user, organizationId, mode }: Me): string => `${user?.id} ${organizationId} ${mode}`

/** What is kept in this browser of an invoice. Without an id, it is that of a new invoice. */
export function useKeptDraft(id = 'new') {
  const keepAs = `${ownerOf(useSession())} invoice ${id}`
  const kept = useQuery({
    queryKey: ['kept-draft', keepAs],
    queryFn: async (): Promise<KeptDraft | null> => {
      const found = await readWriting(keepAs)
      return isKept(found) ? { ...found, lines: withNewKeys(found.lines) } : null
    },
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return { keepAs, kept: kept.data ?? undefined, isReading: kept.isPending }
}

const keepAfterMs = 200

/**
 * Keeps what is written in this browser until the service has it. A new invoice stays kept until the person leaves the
 * page, because its address does not name its draft.
 */
export function useKeeping(keepAs: string, written: KeptDraft, isDirty: boolean, isNew: boolean) {
  const isOver = useRef(false)
  const clean = !isDirty
  const { head, lines, saved } = written
  const hasContent = isDirty || (isNew && saved !== undefined)
  useEffect(() => {
    if (isOver.current) return
    if (!hasContent) {
      void forgetWriting(keepAs)
      return
    }
    const timer = setTimeout(() => {
      if (!isOver.current) void keepWriting(keepAs, { head, lines, saved })
    }, keepAfterMs)
    return () => clearTimeout(timer)
  }, [keepAs, head, lines, saved, hasContent])
  const isClean = useRef(clean)
  isClean.current = clean
  useEffect(
    () => () => {
      if (isClean.current) void forgetWriting(keepAs)
    },
    [keepAs],
  )
  return {
    /** after the person saved the draft or dropped the changes */
    forget: async () => {
      isOver.current = true
      await forgetWriting(keepAs)
    },
    isForgotten: () => isOver.current,
  }
}

/** Runs once when the person leaves the editor. After a change of person, organisation or mode it does not run. */
export function useLeaving(keepAs: string, act: () => void) {
  const queries = useQueryClient()
  const latest = useRef(act)
  latest.current = act
  useEffect(
    () => () => {
      const session = queries.getQueryData(sessionQuery.queryKey)
      if (session && keepAs.startsWith(ownerOf(session))) latest.current()
    },
    [keepAs, queries],
  )
}
