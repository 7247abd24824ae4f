import type { AuditEntry } from '@risiti/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { FilterRow } from '../../ui/filter-row.tsx'
import { Badge, Button, Dialog, EmptyState, momentText, SelectField, TextField } from '../../ui/index.ts'
import { JsonBody } from '../../ui/json-body.tsx'
import { ListFrame } from '../../ui/list-frame.tsx'
import { DevelopersHead } from './developers-head.tsx'
import { eventTypesQuery } from './event-types.ts'
import './developers.css'

const actorWords: Readonly<Record<AuditEntry['actor']['type'], string>> = {
  user: 'Person',
  api_key: 'API key',
  service: 'Service',
  system: 'Risiti',
}

/** The audit log. Each entry shows its request id. */
export function ActivityPage() {
  const search = useSearch({ from: '/inside/developers/activity' })
  const navigate = useNavigate()
  const [shown, setShown] = useState<AuditEntry>()
  const types = useQuery(eventTypesQuery)
  const { type, from, to, page } = search
  const entries = useQuery({
    queryKey: ['activity', search],
    queryFn: async () =>
      await risiti.organisations.auditLog({
        type,
        from: from && `${from}T00:00:00Z`,
        to: to && `${to}T23:59:59Z`,
        page,
        limit: 25,
      }),
    placeholderData: keepPreviousData,
  })
  const filter = (change: Partial<typeof search>) =>
    navigate({ to: '/developers/activity', search: { ...search, ...change, page: undefined }, replace: true })
  return (
    <>
      <DevelopersHead />
      <FilterRow>
        <SelectField
          label="Event type"
          value={type ?? ''}
          onChange={({ target }) => filter({ type: target.value || undefined })}
          options={[['', 'Any'], ...(types.data?.map((each) => [each.type, each.type] as const) ?? [])]}
        />
        <TextField
          label="From"
          type="date"
          value={from ?? ''}
          onChange={({ target }) => filter({ from: target.value || undefined })}
        />
        <TextField
          label="To"
          type="date"
          value={to ?? ''}
          onChange={({ target }) => filter({ to: target.value || undefined })}
        />
      </FilterRow>
      <ListFrame
        label="Activity"
        list={entries}
        heads={['When', 'Event', 'Who', 'IP address', 'Request id', 'actions']}
        isFiltered={type !== undefined || from !== undefined || to !== undefined}
        nothingYet={
          <EmptyState title="No activity yet">
            This log shows every change by people, keys and Risiti itself. Nobody can edit the log.
          </EmptyState>
        }
        nothingFound={
          <EmptyState
            title="Nothing found"
            action={
              <Link to="/developers/activity" search={{}}>
                Show all activity
              </Link>
            }
          >
            No event matches your filters.
          </EmptyState>
        }
        link={(number, words, isCurrent) => (
          <Link
            to="/developers/activity"
            search={{ ...search, page: number }}
            aria-current={isCurrent ? 'page' : undefined}
          >
            {words}
          </Link>
        )}
        row={(entry) => (
          <tr key={entry.id}>
            <td>{momentText(entry.createdAt)}</td>
            <th scope="row">
              <code>{entry.type}</code> {entry.mode === 'live' && <Badge tone="warn">Live</Badge>}
            </th>
            <td>
              {entry.actor.name}
              {entry.actor.type !== 'system' && <div className="table-more">{actorWords[entry.actor.type]}</div>}
            </td>
            <td>{entry.address || '–'}</td>
            <td>
              <code>{entry.requestId}</code>
            </td>
            <td>
              <div className="table-actions">
                <Button
                  aria-label={`View ${entry.type} of ${momentText(entry.createdAt)}`}
                  onClick={() => setShown(entry)}
                >
                  View
                </Button>
              </div>
            </td>
          </tr>
        )}
      />
      {shown && (
        <Dialog title={shown.type} open onClose={() => setShown(undefined)} wide>
          <p>
            {momentText(shown.createdAt)}, by {shown.actor.name}
            {shown.userAgent && `, with ${shown.userAgent}`}
          </p>
          <JsonBody label="Payload" value={shown.data} />
        </Dialog>
      )}
    </>
  )
}
