import type { Seller, SellersUpdateBody } from '@risiti/sdk'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { useMay } from '../../session/session.tsx'
import { ExportButton } from '../../ui/export-button.tsx'
import {
  Badge,
  Button,
  Dialog,
  DialogActions,
  EmptyState,
  fieldsOf,
  Notice,
  PageHead,
  TextField,
} from '../../ui/index.ts'
import { ListFrame } from '../../ui/list-frame.tsx'
import { taxIdWords } from '../buyers/tax-id-words.ts'

/** Names and tax numbers of sellers come from the connection to the authority. */
export function SellerListPage() {
  const search = useSearch({ from: '/inside/sellers' })
  const navigate = useNavigate()
  const client = useQueryClient()
  const mayChange = useMay('seller.update')
  const [changing, setChanging] = useState<Seller>()
  const sellers = useQuery({
    queryKey: ['sellers', 'list', search],
    queryFn: async () => await risiti.sellers.list({ search: search.search, page: search.page, limit: 25 }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHead title="Sellers" />
      <ListFrame
        label="Sellers"
        list={sellers}
        filterBar={{
          search: {
            label: 'Search sellers',
            placeholder: 'Name or tax number',
            value: search.search ?? '',
            onSearch: (text) => navigate({ to: '/sellers', search: { search: text || undefined }, replace: true }),
          },
          filters: [],
          onClear: () => navigate({ to: '/sellers', search: {}, replace: true }),
        }}
        heads={['Name', 'Tax number', 'Tax number status', 'VAT number', 'Registration', 'actions']}
        tools={(total) => (
          <ExportButton
            name="sellers"
            heads={['Name', 'Trading name', 'Tax number', 'Tax number status', 'VAT number', 'Registration', 'Email']}
            total={total}
            entries={() => risiti.sellers.list({ search: search.search, limit: 100 })}
            row={(seller) => [
              seller.name,
              seller.tradingName,
              seller.taxId,
              taxIdWords[seller.taxIdStatus][1],
              seller.vatNumber,
              seller.registrationNumber,
              seller.email,
            ]}
          />
        )}
        isFiltered={search.search !== undefined}
        nothingYet={
          <EmptyState title="No seller yet" action={<Link to="/settings/tax">Connect to the tax authority</Link>}>
            After you connect to the tax authority, your organisation appears here with its tax number.
          </EmptyState>
        }
        nothingFound={
          <EmptyState
            title="No seller found"
            action={
              <Link to="/sellers" search={{}}>
                Show all sellers
              </Link>
            }
          >
            No seller has “{search.search}” in the name or tax number.
          </EmptyState>
        }
        link={(page, words, isCurrent) => (
          <Link to="/sellers" search={{ ...search, page }} aria-current={isCurrent ? 'page' : undefined}>
            {words}
          </Link>
        )}
        row={(seller) => {
          const [tone, words] = taxIdWords[seller.taxIdStatus]
          return (
            <tr key={seller.id}>
              <th scope="row">{seller.tradingName ?? seller.name}</th>
              <td>{seller.taxId ?? '–'}</td>
              <td>
                <Badge tone={tone}>{words}</Badge>
              </td>
              <td>{seller.vatNumber ?? '–'}</td>
              <td>{seller.registrationNumber ?? '–'}</td>
              <td>
                <div className="table-actions">
                  {mayChange && (
                    <Button aria-label={`Edit ${seller.name}`} onClick={() => setChanging(seller)}>
                      Edit
                    </Button>
                  )}
                </div>
              </td>
            </tr>
          )
        }}
      />
      {changing && (
        <Dialog title={`Edit ${changing.name}`} open onClose={() => setChanging(undefined)}>
          <SellerForm
            seller={changing}
            onDone={async () => {
              setChanging(undefined)
              await client.invalidateQueries({ queryKey: ['sellers'] })
            }}
          />
        </Dialog>
      )}
    </>
  )
}

function SellerForm({ seller, onDone }: { readonly seller: Seller; readonly onDone: () => void }) {
  const saving = useMutation({
    mutationFn: (given: SellersUpdateBody) => risiti.sellers.update(seller.id, given),
    onSuccess: onDone,
  })
  const faults = faultsOf(saving.error)
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        const { maybe } = fieldsOf(event)
        saving.mutate({
          tradingName: maybe('tradingName') ?? null,
          vatNumber: maybe('vatNumber') ?? null,
          registrationNumber: maybe('registrationNumber') ?? null,
        })
      }}
    >
      {saving.isError && <Notice tone="bad">{wordsOf(saving.error)}</Notice>}
      <TextField
        label="Trading name"
        name="tradingName"
        defaultValue={seller.tradingName ?? ''}
        hint={`The name that buyers know, if not ${seller.name}.`}
        fault={faults.tradingName}
      />
      <TextField label="VAT number" name="vatNumber" defaultValue={seller.vatNumber ?? ''} fault={faults.vatNumber} />
      <TextField
        label="Registration number"
        name="registrationNumber"
        defaultValue={seller.registrationNumber ?? ''}
        fault={faults.registrationNumber}
      />
      <DialogActions>
        <Button kind="primary" type="submit" busy={saving.isPending}>
          Save
        </Button>
      </DialogActions>
    </form>
  )
}
