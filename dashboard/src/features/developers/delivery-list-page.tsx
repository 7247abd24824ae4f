import type { Delivery } from '@risiti/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { FilterRow } from '../../ui/filter-row.tsx'
import { Badge, Button, EmptyState, momentText, SelectField } from '../../ui/index.ts'
import { ListFrame } from '../../ui/list-frame.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { deliveryWords } from './delivery-words.ts'
import { DevelopersHead } from './developers-head.tsx'
import './developers.css'

const statuses = Object.keys(deliveryWords) as Delivery['status'][]

/** The address holds the filters. */
export function DeliveryListPage() {
  const search = useSearch({ from: '/inside/developers/deliveries' })
  const navigate = useNavigate()
  const [shown, setShown] = useState<string>()
  const { status, endpointId, page } = search
  const deliveries = useQuery({
    queryKey: ['webhooks', 'deliveries', search],
    queryFn: async () =>
      await risiti.webhooks.listDeliveries({ endpointId, page, status: statuses.find((each) => each === status) }),
    placeholderData: keepPreviousData,
  })
  const endpoints = useQuery({
    queryKey: ['webhooks', 'endpoints'],
    queryFn: async () => await risiti.webhooks.list({ limit: 100 }),
  })
  const filter = (change: { status?: string | undefined; endpointId?: string | undefined }) =>
    navigate({ to: '/developers/deliveries', search: { ...search, ...change, page: undefined } })
  return (
    <>
      <DevelopersHead />
      <FilterRow>
        <SelectField
          label="Endpoint"
          value={endpointId ?? ''}
          onChange={({ target }) => filter({ endpointId: target.value || undefined })}
          options={[['', 'All'], ...(endpoints.data?.data.map(({ id, url }) => [id, url] as const) ?? [])]}
        />
        <SelectField
          label="Status"
          value={status ?? ''}
          onChange={({ target }) => filter({ status: target.value || undefined })}
          options={[['', 'All'], ...statuses.map((each) => [each, deliveryWords[each][1]] as const)]}
        />
      </FilterRow>
      <ListFrame
        label="Deliveries"
        list={deliveries}
        heads={['Event', 'Status', 'Response', ['Attempts', 'amount'], 'When', 'actions']}
        isFiltered={status !== undefined || endpointId !== undefined}
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
      {shown !== undefined && <DeliveryDialog id={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
