import type { Item } from '@risiti/sdk'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { useMay } from '../../session/session.tsx'
import { ExportButton } from '../../ui/export-button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Badge, Button, ConfirmDialog, Dialog, EmptyState, PageHead } from '../../ui/index.ts'
import { ListFrame } from '../../ui/list-frame.tsx'
import { decimalOfMinorText, priceText } from '../../ui/money.ts'
import { unitName } from '../../ui/units.ts'
import { ItemForm } from './item-form.tsx'

type OpenDialog = { readonly what: 'create' } | { readonly what: 'change' | 'delete'; readonly item: Item }

const sorts = { name: 'By name', '-useCount': 'Most used first', '-lastUsedAt': 'Last used first' } as const
type Sort = keyof typeof sorts

const kindWords = { goods: 'Goods', service: 'Service' } as const

/** Archived items can be restored. */
export function ItemListPage() {
  const search = useSearch({ from: '/inside/items' })
  const navigate = useNavigate()
  const client = useQueryClient()
  const mayCreate = useMay('item.create')
  const [dialog, setDialog] = useState<OpenDialog>()
  const showsArchived = search.archived === 'true'
  const sort = (Object.keys(sorts) as Sort[]).find((each) => each === search.sort) ?? 'name'
  const query = { q: search.q, archived: showsArchived ? ('true' as const) : ('false' as const), sort }
  const items = useQuery({
    queryKey: ['items', 'list', search],
    queryFn: async () => await risiti.items.list({ ...query, page: search.page, limit: 25 }),
    placeholderData: keepPreviousData,
  })
  const close = () => setDialog(undefined)
  const changed = async () => {
    close()
    await client.invalidateQueries({ queryKey: ['items'] })
  }
  const filter = (change: Partial<typeof search>) =>
    navigate({ to: '/items', search: { ...search, ...change, page: undefined }, replace: true })
  const add = mayCreate && (
    <Button kind="primary" onClick={() => setDialog({ what: 'create' })}>
      <Icon name="plus" />
      Add an item
    </Button>
  )
  return (
    <>
      <PageHead title="Items">{add}</PageHead>
      <ListFrame
        label="Items"
        list={items}
        filterBar={{
          search: {
            label: 'Search items',
            placeholder: 'Name or SKU',
            value: search.q ?? '',
            onSearch: (text) => filter({ q: text || undefined }),
          },
          filters: [],
          onClear: () => filter({ q: undefined, archived: undefined }),
          children: (
            <>
              <label className="filter-sort">
                Sort by
                <select value={sort} onChange={({ target }) => filter({ sort: target.value })}>
                  {Object.entries(sorts).map(([value, words]) => (
                    <option key={value} value={value}>
                      {words}
                    </option>
                  ))}
                </select>
              </label>
              <Link to="/items" search={{ ...search, page: undefined, archived: showsArchived ? undefined : 'true' }}>
                {showsArchived ? 'Show active items' : 'Show archived items'}
              </Link>
            </>
          ),
        }}
        heads={['Name', 'Kind', 'SKU', ['Price', 'amount'], 'Unit', 'actions']}
        tools={(total) => (
          <ExportButton
            name="items"
            heads={['Name', 'Kind', 'SKU', 'Description', 'Price', 'Currency', 'Unit', 'Category', 'Code']}
            total={total}
            entries={() => risiti.items.list({ ...query, limit: 100 })}
            row={(item) => [
              item.name,
              kindWords[item.itemType],
              item.sku,
              item.description,
              decimalOfMinorText(item.unitPriceMinor, item.currency),
              item.currency,
              unitName(item.unitCode),
              item.productCategory,
              item.hsnCode ?? item.serviceCode,
            ]}
          />
        )}
        isFiltered={search.q !== undefined || showsArchived}
        nothingYet={
          <EmptyState title="No items yet" action={add}>
            Save the items that you sell often, with price and tax, and add them to invoices quickly.
          </EmptyState>
        }
        nothingFound={
          <EmptyState
            title="Nothing found"
            action={
              <Link to="/items" search={{}}>
                Show all items
              </Link>
            }
          >
            {showsArchived ? 'No archived item matches.' : `No item has “${search.q}” in its name or SKU.`}
          </EmptyState>
        }
        link={(page, words, isCurrent) => (
          <Link to="/items" search={{ ...search, page }} aria-current={isCurrent ? 'page' : undefined}>
            {words}
          </Link>
        )}
        row={(item) => (
          <ItemRow key={item.id} item={item} ask={(what) => setDialog({ what, item })} onChanged={changed} />
        )}
      />
      <Dialog title="Add an item" open={dialog?.what === 'create'} onClose={close} wide>
        <ItemForm onDone={changed} />
      </Dialog>
      {dialog?.what === 'change' && (
        <Dialog title={`Edit ${dialog.item.name}`} open onClose={close} wide>
          <ItemForm item={dialog.item} onDone={changed} />
        </Dialog>
      )}
      {dialog?.what === 'delete' && (
        <ConfirmDialog
          title={`Delete ${dialog.item.name}?`}
          action="Delete the item"
          open
          onClose={close}
          onConfirm={async () => {
            await risiti.items.delete(dialog.item.id)
            await changed()
          }}
        >
          Existing invoices stay unchanged. This cannot be undone. To keep the item for later, archive the item instead.
        </ConfirmDialog>
      )}
    </>
  )
}

function ItemRow({
  item,
  ask,
  onChanged,
}: {
  readonly item: Item
  readonly ask: (what: 'change' | 'delete') => void
  readonly onChanged: () => Promise<void>
}) {
  const mayChange = useMay('item.update')
  const mayArchive = useMay('item.archive')
  const isAway = item.archivedAt !== null
  const archiving = useMutation({
    mutationFn: async () => (isAway ? await risiti.items.unarchive(item.id) : await risiti.items.archive(item.id)),
    onSuccess: onChanged,
  })
  return (
    <tr>
      <th scope="row">
        {item.name} {isAway && <Badge>Archived</Badge>}
      </th>
      <td>{kindWords[item.itemType]}</td>
      <td>{item.sku ?? '–'}</td>
      <td className="table-amount">
        {priceText(decimalOfMinorText(item.unitPriceMinor, item.currency), item.currency)}
      </td>
      <td>{unitName(item.unitCode)}</td>
      <td>
        <div className="table-actions">
          {archiving.isError && <span role="alert">{wordsOf(archiving.error)}</span>}
          {mayChange && (
            <Button aria-label={`Edit ${item.name}`} onClick={() => ask('change')}>
              Edit
            </Button>
          )}
          {mayArchive && (
            <>
              <Button
                aria-label={`${isAway ? 'Restore' : 'Archive'} ${item.name}`}
                busy={archiving.isPending}
                onClick={() => archiving.mutate()}
              >
                {isAway ? 'Restore' : 'Archive'}
              </Button>
              <Button kind="danger" aria-label={`Delete ${item.name}`} onClick={() => ask('delete')}>
                Delete
              </Button>
            </>
          )}
        </div>
      </td>
    </tr>
  )
}
