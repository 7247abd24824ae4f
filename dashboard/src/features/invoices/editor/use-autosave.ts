import { Refused } from '@risiti/sdk'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isSignedOut } from '../../../api/client.ts'
import { wordsOf } from '../../../api/queries.ts'
import { type DraftContent, isSame } from './draft-content.ts'

/** After this time without a change, a draft that the service would accept is saved. */
const autosaveMs = 1_200
/** Waiting times before a failed save is repeated. The last one is used again and again. */
const repeatAfterMs = [2_000, 5_000, 15_000, 30_000] as const

/** Whether the same request may succeed later: no answer, an overloaded service, or a proxy that answered instead. */
export const isPassing = (error: unknown): boolean =>
  !isSignedOut(error) &&
  (!(error instanceof Refused) || error.reason === undefined || error.status === 429 || error.status >= 500)

/** Saves the content after a pause in typing, and repeats a save that failed because the service was not available. */
export function useAutosave(
  content: DraftContent,
  write: (content: DraftContent) => Promise<unknown>,
  { isSavable, onSaved }: { readonly isSavable: boolean; readonly onSaved: (content: DraftContent) => void },
) {
  const [failures, setFailures] = useState(0)
  const saving = useMutation({
    mutationFn: write,
    onSuccess: (_, written) => {
      setFailures(0)
      onSaved(written)
    },
    onError: () => setFailures((before) => before + 1),
  })
  const { mutate, isPending, isPaused, error, variables } = saving
  const hasFailed = saving.isError && variables !== undefined && isSame(variables, content)
  const isRefused = hasFailed && !isPassing(error)
  const delay = hasFailed ? (repeatAfterMs[Math.min(failures, repeatAfterMs.length) - 1] ?? autosaveMs) : autosaveMs
  useEffect(() => {
    if (!isSavable || isPending || isRefused) return
    const timer = setTimeout(() => mutate(content), delay)
    return () => clearTimeout(timer)
  }, [isSavable, isPending, isRefused, content, delay, mutate])
  const failure = isRefused ? `Not saved. ${wordsOf(error)}` : 'Not saved. Trying again …'
  return {
    saveNow: mutate,
    error,
    /** what the page says about saving; `undefined` if nothing is under way and nothing failed */
    words: isPaused
      ? 'You are offline. The draft is saved as soon as you are back.'
      : isPending
        ? 'Saving …'
        : hasFailed && isSavable
          ? failure
          : undefined,
  }
}
