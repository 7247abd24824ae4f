import type { BulkJob, BulkResult } from '@risiti/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useState } from 'react'
import { fetchFile, risiti } from '../../../api/client.ts'
import { useOneKey } from '../../../api/one-key.ts'
import { wordsOf } from '../../../api/queries.ts'
import { useMay, useSession } from '../../../session/session.tsx'
import { count } from '../../../ui/count.ts'
import { saveFile } from '../../../ui/csv.ts'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Button, momentText, Notice } from '../../../ui/index.ts'
import {
  type BulkAction,
  bulkActions,
  endWords,
  filterFor,
  idsFor,
  invoices,
  isRunning,
  mostOf,
} from './bulk-actions.ts'
import { problemsOf } from './bulk-problems.ts'
import { type ListSearch, queryOf } from './list-search.ts'
import type { Selection } from './selection.ts'
import { useBulkJob } from './use-bulk-job.ts'

/** Asks before an action on the selected rows. */
export function ConfirmBulk({
  action,
  selection,
  search,
  onStarted,
  onClose,
}: {
  readonly action: BulkAction
  readonly selection: Selection
  readonly search: ListSearch
  readonly onStarted: (job: BulkJob) => void
  readonly onClose: () => void
}) {
  const { mode } = useSession()
  const queries = useQueryClient()
  const { once } = useOneKey()
  const { name, about, only } = bulkActions[action]
  const { isAll, rows } = selection
  const filter = filterFor(action, search)
  const matching = useQuery({
    queryKey: ['invoices', 'bulk-count', filter],
    queryFn: async () => {
      const query = queryOf({ ...search, ...filter, overdue: filter.overdue, page: undefined, limit: undefined })
      return (await risiti.invoices.list({ ...query, limit: 1 })).pagination.total
    },
    enabled: isAll,
    staleTime: 0,
  })
  const ids = isAll ? [] : idsFor(action, selection)
  const many = isAll ? matching.data : ids.length
  const isTooMany = many !== undefined && many > mostOf(action)
  const canStart = many !== 0 && !isTooMany && !matching.isError
  const leftOut = isAll ? 0 : rows.size - ids.length
  const start = useMutation({
    mutationFn: async () => {
      const body = isAll ? { action, filter, expectedCount: many } : { action, invoiceIds: ids }
      return await risiti.bulkJobs.start(body, once(body))
    },
    onSuccess: (job) => {
      queries.setQueryData(['bulk-jobs', job.id], job)
      onStarted(job)
    },
    // Another number may match by now.
    onError: () => queries.invalidateQueries({ queryKey: ['invoices', 'bulk-count'] }),
  })
  const title = many === undefined ? `${name} all that match?` : `${name} ${invoices(many)}?`
  return (
    <Dialog title={many === 0 ? `Nothing to ${name.toLowerCase()}` : title} open onClose={onClose}>
      {many === 0 ? (
        <p>{only}</p>
      ) : (
        <>
          <p>
            {about}
            {action === 'submit' &&
              (mode === 'live'
                ? ' You are in live mode: this is real and cannot be undone.'
                : ' Nothing in the sandbox is real.')}
            {(action === 'send' || action === 'remind') &&
              mode === 'sandbox' &&
              ' The sandbox sends emails only to members of your organisation.'}
          </p>
          {leftOut > 0 && <p>{`${only} ${leftOut === 1 ? 'One is' : `${count.format(leftOut)} are`} left out.`}</p>}
          <p>You can leave this page meanwhile. At the end you see which invoices could not be done, and why.</p>
        </>
      )}
      {isTooMany && (
        <Notice tone="warn">{`At most ${count.format(mostOf(action))} are possible at once. Select fewer, for example with a shorter period.`}</Notice>
      )}
      {matching.isError && <Notice tone="bad">{wordsOf(matching.error)}</Notice>}
      {start.isError && <Notice tone="bad">{wordsOf(start.error)}</Notice>}
      <DialogActions>
        <Button onClick={onClose}>{canStart ? 'Not now' : 'Close'}</Button>
        {canStart && (
          <Button
            kind={action === 'delete' ? 'danger' : 'primary'}
            busy={start.isPending || many === undefined}
            onClick={() => start.mutate()}
          >
            {many === undefined ? name : `${name} ${invoices(many)}`}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

/** The progress of a job, and then its results. Closing it does not stop the job. */
export function BulkProgress({
  id,
  returnTo,
  onClose,
  onSelect,
  onNext,
}: {
  readonly id: string
  /** gets the focus when the window closes */
  readonly returnTo: RefObject<HTMLElement | null>
  readonly onClose: () => void
  /** selects these invoices again */
  readonly onSelect: (ids: readonly string[]) => void
  /** asks for another action on these invoices */
  readonly onNext: (action: BulkAction, ids: readonly string[]) => void
}) {
  const { data: job, error } = useBulkJob(id)
  const title = job ? (isRunning(job) ? `${bulkActions[job.action].progress} …` : 'Result') : 'Bulk action'
  return (
    <Dialog title={title} open onClose={onClose} returnTo={returnTo}>
      {error && <Notice tone="bad">{wordsOf(error)}</Notice>}
      {job && isRunning(job) && <Running job={job} onClose={onClose} />}
      {job && !isRunning(job) && <Ended job={job} onClose={onClose} onSelect={onSelect} onNext={onNext} />}
    </Dialog>
  )
}

export const ProgressBar = ({ job: { action, counts } }: { readonly job: BulkJob }) => (
  <label className="bulk-progress">
    {`${bulkActions[action].progress} ${invoices(counts.total)}: ${count.format(counts.total - counts.waiting)} of ${count.format(counts.total)}`}
    <progress max={counts.total} value={counts.total - counts.waiting} />
  </label>
)

function Running({ job, onClose }: { readonly job: BulkJob; readonly onClose: () => void }) {
  const queries = useQueryClient()
  const cancel = useMutation({
    mutationFn: async () => await risiti.bulkJobs.cancel(job.id),
    onSuccess: (ended) => queries.setQueryData(['bulk-jobs', job.id], ended),
  })
  return (
    <>
      <ProgressBar job={job} />
      {job.continuesAt && (
        <Notice tone="warn">
          {`Your organisation has sent as many emails as it may in one hour. The rest follows by itself from ${momentText(job.continuesAt)}.`}
        </Notice>
      )}
      <p>You can close this window. A notice above the list keeps you informed.</p>
      {cancel.isError && <Notice tone="bad">{wordsOf(cancel.error)}</Notice>}
      <DialogActions>
        <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
          Stop
        </Button>
        <Button kind="primary" onClick={onClose}>
          Continue in the background
        </Button>
      </DialogActions>
    </>
  )
}

/** The most failed invoices that the window lists. */
const mostShown = 100

function Ended({
  job,
  onClose,
  onSelect,
  onNext,
}: {
  readonly job: BulkJob
  readonly onClose: () => void
  readonly onSelect: (ids: readonly string[]) => void
  readonly onNext: (action: BulkAction, ids: readonly string[]) => void
}) {
  const { id, action, counts } = job
  const maySubmit = useMay('invoice.submit')
  const [error, setError] = useState<string>()
  const failed = useQuery({
    queryKey: ['bulk-jobs', id, 'failed'],
    queryFn: async () => (await risiti.bulkJobs.listResults(id, { outcome: 'failed', limit: mostShown })).data,
    enabled: counts.failed > 0,
  })
  const read = useMutation({
    mutationFn: async (outcome: BulkResult['outcome']) =>
      (await risiti.bulkJobs.listResults(id, { outcome, limit: 100 }).toArray()).map(({ invoiceId }) => invoiceId),
    onError: (reason) => setError(wordsOf(reason)),
  })
  const save = useMutation({
    mutationFn: async () => {
      const { pathname } = new URL((await risiti.bulkJobs.download(id)).url, location.href)
      saveFile(await fetchFile(pathname), 'invoices.zip')
    },
    onError: (reason) => setError(wordsOf(reason)),
  })
  const canSubmit = action === 'finalise' && counts.done > 0 && maySubmit
  return (
    <>
      <p role="status">{endWords(job)}</p>
      {failed.isError && <Notice tone="bad">{wordsOf(failed.error)}</Notice>}
      {failed.data && <FailedList results={failed.data} onFollow={onClose} />}
      {counts.failed > mostShown && (
        <p>{`The first ${mostShown} of ${count.format(counts.failed)} are shown. Select them again to see all in the list.`}</p>
      )}
      {error && <Notice tone="bad">{error}</Notice>}
      <DialogActions>
        {counts.failed > 0 && (
          <Button busy={read.isPending} onClick={() => read.mutate('failed', { onSuccess: onSelect })}>
            {counts.failed === 1 ? 'Select the failed one again' : 'Select the failed ones again'}
          </Button>
        )}
        {action === 'download' && counts.done > 0 && (
          <Button kind="primary" busy={save.isPending} onClick={() => save.mutate()}>
            Save the ZIP file
          </Button>
        )}
        {canSubmit ? (
          <>
            <Button onClick={onClose}>Done</Button>
            <Button
              kind="primary"
              busy={read.isPending}
              onClick={() => read.mutate('done', { onSuccess: (ids) => onNext('submit', ids) })}
            >
              Submit {invoices(counts.done)}
            </Button>
          </>
        ) : (
          <Button kind={action === 'download' ? 'plain' : 'primary'} onClick={onClose}>
            Done
          </Button>
        )}
      </DialogActions>
    </>
  )
}

const FailedList = ({
  results,
  onFollow,
}: {
  readonly results: readonly BulkResult[]
  readonly onFollow: () => void
}) => (
  <ul className="bulk-results" aria-label="Invoices that could not be done">
    {results.map((result) => (
      <li key={result.invoiceId}>
        <NumberOf result={result} onFollow={onFollow} />
        {problemsOf(result).map((words) => (
          <p key={words}>{words}</p>
        ))}
      </li>
    ))}
  </ul>
)

function NumberOf({ result, onFollow }: { readonly result: BulkResult; readonly onFollow: () => void }): ReactNode {
  const { invoiceId, invoiceNumber, error } = result
  if (invoiceNumber === null || error?.reason === 'resource.not_found')
    return <span>{invoiceNumber ?? 'Unknown invoice'}</span>
  return (
    <Link to="/invoices/$id" params={{ id: invoiceId }} onClick={onFollow}>
      {invoiceNumber}
    </Link>
  )
}
