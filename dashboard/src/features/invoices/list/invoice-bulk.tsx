import { useRef, useState } from 'react'
import { useSession } from '../../../session/session.tsx'
import { BulkBar } from '../../../ui/bulk-bar.tsx'
import { count } from '../../../ui/count.ts'
import { Button, Notice } from '../../../ui/index.ts'
import { actionNames, type BulkAction, bulkActions, endWords, fitsFilter, idsFor, isRunning } from './bulk-actions.ts'
import { BulkProgress, ConfirmBulk, ProgressBar } from './bulk-dialog.tsx'
import type { ListSearch } from './list-search.ts'
import { filtersText, noSelection, type Selection } from './selection.ts'
import { useBulkJob, useFollowedJob } from './use-bulk-job.ts'

/** The actions on the selected rows, with their confirmation, progress and results. */
export function InvoiceBulk({
  selection,
  search,
  total,
  isPageSelected,
  onSelection,
}: {
  readonly selection: Selection
  readonly search: ListSearch
  /** the number of invoices that match the filters */
  readonly total: number
  readonly isPageSelected: boolean
  readonly onSelection: (selection: Selection) => void
}) {
  const { capabilities } = useSession()
  const allowed = actionNames.filter((action) => capabilities.includes(bulkActions[action].needs))
  const [asked, setAsked] = useState<BulkAction>()
  const [followed, setFollowed] = useFollowedJob(allowed.length > 0)
  /** Where the focus goes when a window closes: the buttons of the bar are gone by then. */
  const place = useRef<HTMLDivElement>(null)
  const { isAll, rows } = selection
  const size = isAll ? total : rows.size
  const offered = allowed.filter((action) =>
    isAll ? fitsFilter(action, search) : idsFor(action, selection).length > 0,
  )
  const nameOf = (action: BulkAction): string => {
    const many = isAll ? size : idsFor(action, selection).length
    return many === size ? bulkActions[action].name : `${bulkActions[action].name} ${count.format(many)}`
  }
  const select = (ids: readonly string[]) =>
    onSelection({ filters: filtersText(search), rows: new Map(ids.map((id) => [id, undefined])), isAll: false })
  return (
    <div ref={place} tabIndex={-1} className="bulk-place">
      {followed && !followed.isShown && (
        <BulkNotice
          id={followed.id}
          onShow={() => setFollowed({ ...followed, isShown: true })}
          onDismiss={() => setFollowed(undefined)}
        />
      )}
      <BulkBar count={size} onNone={() => onSelection(noSelection(search))}>
        {isPageSelected && !isAll && total > rows.size && (
          <Button kind="quiet" onClick={() => onSelection({ ...selection, isAll: true })}>
            {`Select all ${count.format(total)} that match`}
          </Button>
        )}
        {offered.map((action, at) => (
          <Button
            key={action}
            kind={action === 'delete' ? 'danger' : at === 0 ? 'primary' : 'plain'}
            onClick={() => setAsked(action)}
          >
            {nameOf(action)}
          </Button>
        ))}
        {offered.length === 0 && <span>None of the actions is possible for these invoices.</span>}
      </BulkBar>
      {asked && (
        <ConfirmBulk
          action={asked}
          selection={selection}
          search={search}
          onClose={() => setAsked(undefined)}
          onStarted={({ id }) => {
            setAsked(undefined)
            onSelection(noSelection(search))
            setFollowed({ id, isShown: true })
          }}
        />
      )}
      {followed?.isShown && (
        <BulkProgress
          id={followed.id}
          returnTo={place}
          onClose={() => setFollowed({ ...followed, isShown: false })}
          onSelect={(ids) => {
            select(ids)
            setFollowed(undefined)
          }}
          onNext={(action, ids) => {
            select(ids)
            setFollowed(undefined)
            setAsked(action)
          }}
        />
      )}
    </div>
  )
}

/** Shows the progress of a bulk job after its window was closed. */
function BulkNotice({
  id,
  onShow,
  onDismiss,
}: {
  readonly id: string
  readonly onShow: () => void
  readonly onDismiss: () => void
}) {
  const { data: job } = useBulkJob(id)
  if (!job) return null
  const isEnded = !isRunning(job)
  const hasSucceeded = job.counts.failed === 0 && job.counts.skipped === 0
  return (
    <div className="bulk-notice">
      <Notice tone={isEnded ? (hasSucceeded ? 'good' : 'warn') : 'info'}>
        {isEnded ? endWords(job) : <ProgressBar job={job} />}
      </Notice>
      <Button kind="quiet" onClick={onShow}>
        {isEnded ? 'Show the result' : 'Show'}
      </Button>
      {isEnded && (
        <Button kind="quiet" onClick={onDismiss}>
          Dismiss
        </Button>
      )}
    </div>
  )
}
