import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useMay } from '../../session/session.tsx'
import { secondText } from '../../ui/dates.ts'
import { ExportButton } from '../../ui/export-button.tsx'
import { Badge, Button, EmptyState } from '../../ui/index.ts'
import { ListFrame } from '../../ui/list-frame.tsx'
import { DevelopersHead } from './developers-head.tsx'
import { RequestDialog } from './request-dialog.tsx'
import { toneOf } from './request-texts.ts'
import './developers.css'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const classes = [
  ['2xx', 'Succeeded (2xx)'],
  ['3xx', 'Not modified (3xx)'],
  ['4xx', 'Refused (4xx)'],
  ['5xx', 'Server error (5xx)'],
] as const
const oneOf = <Value extends string>(values: readonly Value[], text: string | undefined): Value | undefined =>
  values.find((value) => value === text)

/** Recent API requests and replies. The address holds the filters, and new requests appear without a reload. */
export function RequestListPage() {
  const search = useSearch({ from: '/inside/developers/requests' })
  const navigate = useNavigate()
  const mayRead = useMay('api_key.read')
  const [shown, setShown] = useState<string>()
  const { status, method, by, keyId, path, requestId, page } = search
  const query = {
    status: oneOf(
      classes.map(([value]) => value),
      status,
    ),
    method: oneOf(methods, method),
    // Requests from the dashboard are many and rarely useful to developers, so they are hidden by default.
    by: by === 'all' || requestId !== undefined ? undefined : by === 'user' ? ('user' as const) : ('api_key' as const),
    keyId,
    path,
    requestId,
  }
  const requests = useQuery({
    queryKey: ['request-log', search],
    queryFn: async () => await risiti.requestLog.list({ ...query, page, limit: 50 }),
    placeholderData: keepPreviousData,
    refetchInterval: page === undefined || page === 1 ? 3_000 : false,
    enabled: mayRead,
  })
  const keys = useQuery({
    queryKey: ['api-keys'],
    queryFn: async () => await risiti.apiKeys.list({ limit: 100 }),
    enabled: mayRead,
  })
  const filter = (change: Partial<typeof search>) =>
    navigate({ to: '/developers/requests', search: { ...search, ...change, page: undefined }, replace: true })
  return (
    <>
      <DevelopersHead />
      <ListFrame
        label="Requests"
        list={requests}
        filterBar={{
          search: {
            label: 'Path contains',
            placeholder: 'Part of a path',
            value: path ?? '',
            onSearch: (text) => text !== (path ?? '') && filter({ path: text || undefined }),
          },
          filters: [
            {
              kind: 'choice',
              name: 'Response',
              value: status,
              options: classes,
              onChange: (chosen) => filter({ status: chosen }),
            },
            {
              kind: 'choice',
              name: 'Method',
              value: method,
              options: methods.map((each) => [each, each] as const),
              onChange: (chosen) => filter({ method: chosen }),
            },
            {
              kind: 'choice',
              name: 'Caller',
              value: keyId ?? by,
              options: [
                ['user', 'People, in the dashboard'],
                ['all', 'Keys and people'],
                ...(keys.data?.data.map(({ id, name, hint }) => [id, `${name} ${hint}`] as const) ?? []),
              ],
              onChange: (chosen) =>
                filter(
                  chosen === undefined || chosen === 'user' || chosen === 'all'
                    ? { by: chosen, keyId: undefined }
                    : { by: undefined, keyId: chosen },
                ),
            },
            {
              kind: 'text',
              name: 'Request id',
              value: requestId,
              onChange: (text) => filter({ requestId: text }),
            },
          ],
          onClear: () => navigate({ to: '/developers/requests', search: { path }, replace: true }),
        }}
        tools={(total) => (
          <ExportButton
            name="requests"
            heads={['When', 'Method', 'Path', 'Status', 'Reason', 'Duration in ms', 'Caller', 'Request id']}
            total={total}
            entries={() => risiti.requestLog.list({ ...query, limit: 100 })}
            row={(request) => [
              request.answeredAt,
              request.method,
              request.path,
              request.status,
              request.reason,
              request.durationMs,
              request.actor.name,
              request.requestId,
            ]}
          />
        )}
        heads={['Request', 'Response', ['Duration', 'amount'], 'When', 'Caller', 'actions']}
        isFiltered={[status, method, by, keyId, path, requestId].some((chosen) => chosen !== undefined)}
        nothingYet={
          <EmptyState title="No requests yet" action={<Link to="/developers">Go to the API keys</Link>}>
            Every request with one of your API keys appears here within a second and stays for seven days: the request,
            the response and, if it was refused, the reason.
          </EmptyState>
        }
        nothingFound={
          <EmptyState
            title="Nothing found"
            action={
              <Link to="/developers/requests" search={{}}>
                Show all API key requests
              </Link>
            }
          >
            No request of the last seven days matches your filters.
          </EmptyState>
        }
        link={(to, words, isCurrent) => (
          <Link
            to="/developers/requests"
            search={{ ...search, page: to }}
            aria-current={isCurrent ? 'page' : undefined}
          >
            {words}
          </Link>
        )}
        row={(request) => (
          <tr key={request.id}>
            <th scope="row" className="developers-path">
              <code>
                {request.method} {request.path}
              </code>
            </th>
            <td>
              <Badge tone={toneOf(request.status)}>{request.status}</Badge>
              {request.reason && (
                <div className="table-more">
                  <code>{request.reason}</code>
                </div>
              )}
            </td>
            <td className="table-amount">{request.durationMs} ms</td>
            <td>{secondText(request.answeredAt)}</td>
            <td>
              {request.actor.name}
              <div className="table-more">{request.actor.hint}</div>
            </td>
            <td>
              <div className="table-actions">
                <Button
                  aria-label={`View ${request.method} ${request.path}, ${secondText(request.answeredAt)}`}
                  onClick={() => setShown(request.id)}
                >
                  View
                </Button>
              </div>
            </td>
          </tr>
        )}
      />
      {shown !== undefined && <RequestDialog id={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
