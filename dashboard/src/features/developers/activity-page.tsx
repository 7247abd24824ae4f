import type { AuditEntry } from '@risiti/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { startOfDay } from '../../ui/dates.ts'
import { ExportButton } from '../../ui/export-button.tsx'
import { Badge, Button, Dialog, EmptyState, momentText } from '../../ui/index.ts'
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
  const query = { type, from: from && startOfDay(from), to: to && startOfDay(to, 1) }
  const entries = useQuery({
    queryKey: ['activity', search],
    queryFn: async () => await risiti.organisations.auditLog({ ...query, page, limit: 25 }),
    placeholderData: keepPreviousData,
  })
  const filter = (change: Partial<typeof search>) =>
    navigate({ to: '/developers/activity', search: { ...search, ...change, page: undefined }, replace: true })
  return (
    <>
      <DevelopersHead />
      <ListFrame
        label="Activity"
        list={entries}
        filterBar={{
          filters: [
            {
              kind: 'choice',
              name: 'Event type',
              value: type,
              options: types.data?.map((each) => [each.type, each.type] as const) ?? [],
              onChange: (chosen) => filter({ type: chosen }),
            },
            {
              kind: 'days',
              name: 'Date',
              value: { from, to },
              onChange: (range) => filter({ from: undefined, to: undefined, ...range }),
            },
          ],
          onClear: () => filter({ type: undefined, from: undefined, to: undefined }),
        }}
        tools={(total) => (
          <ExportButton
            name="activity"
            heads={['When', 'Event', 'Who', 'Kind', 'Mode', 'IP address', 'Request id']}
            total={total}
            entries={() => risiti.organisations.auditLog({ ...query, limit: 100 })}
            row={(entry) => [
              entry.createdAt,
              entry.type,
              entry.actor.name,
              actorWords[entry.actor.type],
              entry.mode,
              entry.address,
              entry.requestId,
            ]}
          />
        )}
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
