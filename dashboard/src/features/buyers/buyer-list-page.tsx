import type { Buyer, BuyerTaxIdStatus } from '@risiti/sdk'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useMay } from '../../session/session.tsx'
import { ExportButton } from '../../ui/export-button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Badge, Button, ConfirmDialog, Dialog, EmptyState, PageHead } from '../../ui/index.ts'
import { ListFrame } from '../../ui/list-frame.tsx'
import { BulkDelete } from './bulk-delete.tsx'
import { BuyerForm } from './buyer-form.tsx'
import { taxIdWords } from './tax-id-words.ts'
import { VerificationDialog } from './verification-dialog.tsx'

/** The filter leaves out statuses that last only a moment. */
const statuses = [
  'unverified',
  'verified',
  'valid_off_network',
  'name_mismatch',
  'not_found',
  'unavailable',
] as const satisfies readonly BuyerTaxIdStatus[]

type OpenDialog = { readonly what: 'create' } | { readonly what: 'change' | 'delete' | 'verify'; readonly buyer: Buyer }

/** The address holds the search and the page. */
export function BuyerListPage() {
  const search = useSearch({ from: '/inside/buyers' })
  const navigate = useNavigate()
  const client = useQueryClient()
  const mayCreate = useMay('buyer.create')
  const [dialog, setDialog] = useState<OpenDialog>()
  const taxIdStatus = statuses.find((status) => status === search.taxIdStatus)
  const buyers = useQuery({
    queryKey: ['buyers', 'list', search],
    queryFn: async () => await risiti.buyers.list({ search: search.search, taxIdStatus, page: search.page, limit: 25 }),
    placeholderData: keepPreviousData,
  })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const onPage = buyers.data?.data ?? []
  const chosen = onPage.filter(({ id }) => selected.has(id))
  const select = (all: readonly Buyer[]) => setSelected(new Set(all.map(({ id }) => id)))
  const close = () => setDialog(undefined)
  const filter = (change: Partial<typeof search>) =>
    navigate({ to: '/buyers', search: { ...search, ...change, page: undefined }, replace: true })
  const changed = async () => {
    close()
    await client.invalidateQueries({ queryKey: ['buyers'] })
  }
  const add = mayCreate && (
    <Button kind="primary" onClick={() => setDialog({ what: 'create' })}>
      <Icon name="plus" />
      Add a buyer
    </Button>
  )
  return (
    <>
      <PageHead title="Buyers">{add}</PageHead>
      <ListFrame
        label="Buyers"
        list={buyers}
        filterBar={{
          search: {
            label: 'Search buyers',
            placeholder: 'Name, tax number or email',
            value: search.search ?? '',
            onSearch: (text) => filter({ search: text || undefined }),
          },
          filters: [
            {
              kind: 'choice',
              name: 'Tax number status',
              value: taxIdStatus,
              options: statuses.map((status) => [status, taxIdWords[status][1]] as const),
              onChange: (status) => filter({ taxIdStatus: status }),
            },
          ],
          onClear: () => filter({ search: undefined, taxIdStatus: undefined }),
        }}
        heads={['Name', 'Tax number', 'Tax number status', 'Email', 'actions']}
        tools={(total) => (
          <ExportButton
            name="buyers"
            heads={['Name', 'Tax number', 'Tax number status', 'Email', 'Phone', 'City', 'Country', 'Your reference']}
            total={total}
            entries={() => risiti.buyers.list({ search: search.search, taxIdStatus, limit: 100 })}
            row={(buyer) => [
              buyer.name,
              buyer.taxId,
              buyer.taxId === null ? null : taxIdWords[buyer.taxIdStatus][1],
              buyer.email,
              buyer.phone,
              buyer.address?.city ?? null,
              buyer.address?.country ?? null,
              buyer.reference,
            ]}
          />
        )}
        isFiltered={search.search !== undefined || taxIdStatus !== undefined}
        bulk={
          <BulkDelete
            chosen={chosen}
            onAll={chosen.length < onPage.length ? () => select(onPage) : undefined}
            onNone={() => select([])}
            onDone={async () => {
              select([])
              await changed()
            }}
          />
        }
        nothingYet={
          <EmptyState title="No buyers yet" action={add}>
            Save the buyers that you invoice often. Risiti checks the tax number once, and you do not have to type it
            again.
          </EmptyState>
        }
        nothingFound={
          <EmptyState
            title="No buyer found"
            action={
              <Link to="/buyers" search={{}}>
                Show all buyers
              </Link>
            }
          >
            {search.search === undefined
              ? 'No buyer has this tax number status.'
              : `No buyer has “${search.search}” in the name, tax number or email.`}
          </EmptyState>
        }
        link={(page, words, isCurrent) => (
          <Link to="/buyers" search={{ ...search, page }} aria-current={isCurrent ? 'page' : undefined}>
            {words}
          </Link>
        )}
        row={(buyer) => (
          <BuyerRow
            key={buyer.id}
            buyer={buyer}
            ask={(what) => setDialog({ what, buyer })}
            isPicked={selected.has(buyer.id)}
            onPick={(on) => select(on ? [...chosen, buyer] : chosen.filter(({ id }) => id !== buyer.id))}
          />
        )}
      />
      <Dialog title="Add a buyer" open={dialog?.what === 'create'} onClose={close} wide>
        <BuyerForm onDone={changed} />
      </Dialog>
      {dialog?.what === 'change' && (
        <Dialog title={`Edit ${dialog.buyer.name}`} open onClose={close} wide>
          <BuyerForm buyer={dialog.buyer} onDone={changed} />
        </Dialog>
      )}
      {dialog?.what === 'verify' && <VerificationDialog buyer={dialog.buyer} onClose={close} />}
      {dialog?.what === 'delete' && (
        <ConfirmDialog
          title={`Delete ${dialog.buyer.name}?`}
          action="Delete the buyer"
          open
          onClose={close}
          onConfirm={async () => {
            await risiti.buyers.delete(dialog.buyer.id)
            await changed()
          }}
        >
          Existing invoices stay unchanged. A buyer with invoices is archived instead of deleted.
        </ConfirmDialog>
      )}
    </>
  )
}

function BuyerRow({
  buyer,
  ask,
  isPicked,
  onPick,
}: {
  readonly buyer: Buyer
  readonly ask: (what: 'change' | 'delete' | 'verify') => void
  readonly isPicked: boolean
  readonly onPick: (on: boolean) => void
}) {
  const mayChange = useMay('buyer.update')
  const mayDelete = useMay('buyer.delete')
  const mayVerify = useMay('buyer.verify_tax_id')
  const [tone, words] = taxIdWords[buyer.taxIdStatus]
  return (
    <tr>
      <th scope="row">
        {mayDelete && (
          <input
            type="checkbox"
            className="table-pick"
            aria-label={`Select ${buyer.name}`}
            checked={isPicked}
            onChange={({ target }) => onPick(target.checked)}
          />
        )}
        <Link to="/buyers/$id" params={{ id: buyer.id }}>
          {buyer.name}
        </Link>
      </th>
      <td>{buyer.taxId ?? '–'}</td>
      <td>{buyer.taxId === null ? '–' : <Badge tone={tone}>{words}</Badge>}</td>
      <td className="table-long">{buyer.email ?? '–'}</td>
      <td>
        <div className="table-actions">
          {mayVerify && buyer.taxId !== null && (
            <Button aria-label={`Check the tax number of ${buyer.name}`} onClick={() => ask('verify')}>
              Check
            </Button>
          )}
          {mayChange && (
            <Button aria-label={`Edit ${buyer.name}`} onClick={() => ask('change')}>
              Edit
            </Button>
          )}
          {mayDelete && (
            <Button kind="danger" aria-label={`Delete ${buyer.name}`} onClick={() => ask('delete')}>
              Delete
            </Button>
          )}
        </div>
      </td>
    </tr>
  )
}
