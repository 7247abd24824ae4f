import type { Delivery } from '@risiti/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useMay } from '../../session/session.tsx'
import { ExportButton } from '../../ui/export-button.tsx'
import { Badge, Button, EmptyState, momentText } from '../../ui/index.ts'
import { ListFrame } from '../../ui/list-frame.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { deliveryWords, endpointName } from './delivery-words.ts'
import { DevelopersHead } from './developers-head.tsx'
import { familyWords } from './event-choice.tsx'
import { eventTypesQuery } from './event-types.ts'
import { ResendDialog } from './resend-dialog.tsx'
import './developers.css'

const statuses = Object.keys(deliveryWords) as Delivery['status'][]

/** The address holds the filters. */
export function DeliveryListPage() {
  const search = useSearch({ from: '/inside/developers/deliveries' })
  const navigate = useNavigate()
  const mayResend = useMay('webhook.delivery.redeliver')
  const [shown, setShown] = useState<string>()
  const [isResending, setIsResending] = useState(false)
  const { status, endpointId, type, page } = search
  const query = { endpointId, type, status: statuses.find((each) => each === status) }
  const deliveries = useQuery({
    queryKey: ['webhooks', 'deliveries', search],
    queryFn: async () => await risiti.webhooks.listDeliveries({ ...query, page }),
    placeholderData: keepPreviousData,
  })
  const endpoints = useQuery({
    queryKey: ['webhooks', 'endpoints'],
    queryFn: async () => await risiti.webhooks.list({ limit: 100 }),
  })
  const types = useQuery(eventTypesQuery)
  const families = [...Map.groupBy(types.data ?? [], ({ family }) => family)]
  const known = endpoints.data?.data ?? []
  const working = known.filter(({ enabled }) => enabled)
  const filter = (change: Partial<typeof search>) =>
    navigate({ to: '/developers/deliveries', search: { ...search, ...change, page: undefined } })
  const nameOf = (id: string): string => {
    const endpoint = known.find((each) => each.id === id)
    return endpoint ? endpointName(endpoint) : 'Deleted'
  }
  return (
    <>
      <DevelopersHead>
        {mayResend && working.length > 0 && <Button onClick={() => setIsResending(true)}>Send all failed again</Button>}
      </DevelopersHead>
      <ListFrame
        label="Deliveries"
        list={deliveries}
        filterBar={{
          filters: [
            {
              kind: 'choice',
              name: 'Endpoint',
              value: endpointId,
              options: known.map((each) => [each.id, endpointName(each)] as const),
              onChange: (chosen) => filter({ endpointId: chosen }),
            },
            {
              kind: 'choice',
              name: 'Event',
              value: type,
              options: families.flatMap(([family, members]) => [
                [`${family}.*`, `Every ${familyWords(family)} event`] as const,
                ...members.map((each) => [each.type, each.type] as const),
              ]),
              onChange: (chosen) => filter({ type: chosen }),
            },
            {
              kind: 'choice',
              name: 'Status',
              value: status,
              options: statuses.map((each) => [each, deliveryWords[each][1]] as const),
              onChange: (chosen) => filter({ status: chosen }),
            },
          ],
          onClear: () => navigate({ to: '/developers/deliveries', search: {} }),
        }}
        tools={(total) => (
          <ExportButton
            name="deliveries"
            heads={['When', 'Event', 'Endpoint', 'Status', 'Response', 'Attempts', 'Event id', 'Delivery id']}
            total={total}
            entries={() => risiti.webhooks.listDeliveries({ ...query, limit: 100 })}
            row={(delivery) => [
              delivery.createdAt,
              delivery.type,
              nameOf(delivery.endpointId),
              deliveryWords[delivery.status][1],
              delivery.lastStatusCode,
              delivery.attemptCount,
              delivery.eventId,
              delivery.id,
            ]}
          />
        )}
        heads={['Event', 'Endpoint', 'Status', 'Response', ['Attempts', 'amount'], 'When', 'actions']}
        isFiltered={[status, endpointId, type].some((chosen) => chosen !== undefined)}
        nothingYet={
          <EmptyState title="No deliveries yet" action={<Link to="/developers/webhooks">Go to the endpoints</Link>}>
            This list shows each event sent to your endpoints, and the response of the endpoint.
          </EmptyState>
        }
        nothingFound={
          <EmptyState
            title="Nothing found"
            action={
              <Link to="/developers/deliveries" search={{}}>
                Show all deliveries
              </Link>
            }
          >
            No delivery matches your filters.
          </EmptyState>
        }
        link={(to, words, isCurrent) => (
          <Link
            to="/developers/deliveries"
            search={{ ...search, page: to }}
            aria-current={isCurrent ? 'page' : undefined}
          >
            {words}
          </Link>
        )}
        row={(delivery) => {
          const [tone, words] = deliveryWords[delivery.status]
          return (
            <tr key={delivery.id}>
              <th scope="row">
                <code>{delivery.type}</code> {delivery.test && <Badge>Test</Badge>}
              </th>
              <td className="developers-url">{nameOf(delivery.endpointId)}</td>
              <td>
                <Badge tone={tone}>{words}</Badge>
              </td>
              <td>{delivery.lastStatusCode ?? '–'}</td>
              <td className="table-amount">{delivery.attemptCount}</td>
              <td>{momentText(delivery.createdAt)}</td>
              <td>
                <div className="table-actions">
                  <Button onClick={() => setShown(delivery.id)}>View</Button>
                </div>
              </td>
            </tr>
          )
        }}
      />
      {isResending && <ResendDialog endpoints={working} onClose={() => setIsResending(false)} />}
      {shown !== undefined && <DeliveryDialog id={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
