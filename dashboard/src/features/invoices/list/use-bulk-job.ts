import type { BulkJob } from '@risiti/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { risiti } from '../../../api/client.ts'
import { isRunning } from './bulk-actions.ts'

const lookMs = 700

/** A job with its progress. The list is read again when the job ends. */
export function useBulkJob(id: string | undefined) {
  const queries = useQueryClient()
  const job = useQuery({
    queryKey: ['bulk-jobs', id],
    queryFn: async () => await risiti.bulkJobs.get(id as string),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data && !isRunning(state.data) ? false : lookMs),
  })
  const status = job.data?.status
  useEffect(() => {
    if (status !== undefined && status !== 'running') void queries.invalidateQueries({ queryKey: ['invoices'] })
  }, [queries, status])
  return job
}

/** The job that this person follows: in its window if `isShown`, otherwise in a notice. */
export interface FollowedJob {
  readonly id: string
  readonly isShown: boolean
}

const followedKey = ['bulk-jobs', 'followed']
const latestKey = ['bulk-jobs', 'latest']

/**
 * Kept beside the data, so that it survives a visit to another page, and ends with the session. After a reload it is
 * the newest job, if that was still running then. A colleague may have started it.
 */
export function useFollowedJob(
  isWanted: boolean,
): readonly [FollowedJob | undefined, (job: FollowedJob | undefined) => void] {
  const queries = useQueryClient()
  const { data: followed } = useQuery<FollowedJob | null>({
    queryKey: followedKey,
    queryFn: () => null,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const { data: latest } = useQuery<BulkJob | null>({
    queryKey: latestKey,
    queryFn: async () => (await risiti.bulkJobs.list({ limit: 1 })).data[0] ?? null,
    enabled: isWanted && !followed,
  })
  function follow(job: FollowedJob | undefined): void {
    queries.setQueryData(followedKey, job ?? null)
    // A dismissed job must not come back as the newest one.
    if (!job) queries.setQueryData(latestKey, null)
  }
  const running = latest && isRunning(latest) ? { id: latest.id, isShown: false } : undefined
  return [followed ?? running, follow]
}
