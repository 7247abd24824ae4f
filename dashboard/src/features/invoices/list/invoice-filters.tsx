import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCountry } from '../../../session/country.ts'
import { momentText } from '../../../ui/dates.ts'
import { type Filter, FilterBar } from '../../../ui/filter-bar.tsx'
import { type FilterName, filterOf, type ListSearch } from './list-search.ts'

/** In the order of "Add filter". A pair of names is a range. */
const offered: readonly (FilterName | readonly [name: string, from: FilterName, to: FilterName])[] = [
  'status',
  'paymentStatus',
  ['Date', 'invoiceDateFrom', 'invoiceDateTo'],
  ['Due', 'dueDateFrom', 'dueDateTo'],
  ['Amount', 'amountFromMinor', 'amountToMinor'],
  'overdue',
  'age',
  'invoiceType',
  'currency',
  'reporting',
  'delivery',
  'simpleStatus',
  'credited',
  'refundOwed',
  'counted',
  'createdByType',
  ['Created', 'createdAtFrom', 'createdAtTo'],
]
/** Set by links from other pages. */
const fixed: readonly FilterName[] = ['buyerId', 'sellerId', 'createdBy', 'reportDueTo']

/** Each change goes into the address at once and returns to the first page. */
export function InvoiceFilters({ search, children }: { readonly search: ListSearch; readonly children?: ReactNode }) {
  const navigate = useNavigate({ from: '/invoices' })
  const { authorityReferenceName, currency: ownCurrency, currencies } = useCountry()
  const change = (next: Partial<ListSearch>) =>
    void navigate({
      to: '/invoices',
      search: (before) => ({ ...before, page: undefined, ...next }),
      replace: 'search' in next,
      resetScroll: false,
    })
  const rangeOf = (name: string, from: FilterName, to: FilterName): Filter =>
    from === 'amountFromMinor'
      ? {
          kind: 'amounts',
          name,
          currency: search.currency ?? ownCurrency,
          value: { from: search.amountFromMinor, to: search.amountToMinor },
          onChange: ({ from: least, to: most }) => change({ amountFromMinor: least, amountToMinor: most }),
        }
      : {
          kind: 'days',
          name,
          value: { from: search[from] as string | undefined, to: search[to] as string | undefined },
          onChange: (range) => change({ [from]: range.from, [to]: range.to }),
        }
  const choiceOf = (name: FilterName): Filter => {
    const { kind, name: words, words: options = {} } = filterOf(name)
    const value = search[name]
    if (kind === 'flag')
      return {
        kind: 'choice',
        name: words,
        value: value === undefined ? undefined : String(value),
        options: [['true', 'Yes'], ...(name === 'overdue' ? [] : [['false', 'No'] as const])],
        chip: value === undefined ? undefined : value ? words : `Not ${words.toLowerCase()}`,
        onChange: (chosen) => change({ [name]: chosen === undefined ? undefined : chosen === 'true' }),
      }
    return {
      kind: 'choice',
      name: words,
      value: value === undefined ? undefined : String(value),
      options: name === 'currency' ? currencies.map(({ code }) => [code, code] as const) : Object.entries(options),
      onChange: (chosen) => change({ [name]: chosen }),
    }
  }
  const filters: readonly Filter[] = [
    ...fixed
      .filter((name) => search[name] !== undefined)
      .map((name): Filter => {
        const words = filterOf(name).name
        const chip = name === 'reportDueTo' ? `${words} ${momentText(String(search.reportDueTo))}` : words
        return { kind: 'fixed', name: chip, onClear: () => change({ [name]: undefined }) }
      }),
    ...offered.map((each) => (typeof each === 'string' ? choiceOf(each) : rangeOf(...each))),
  ]
  return (
    <FilterBar
      search={{
        label: 'Search',
        placeholder: `Number, buyer or ${authorityReferenceName}`,
        value: search.search ?? '',
        onSearch: (text) => change({ search: text || undefined }),
      }}
      filters={filters}
      onClear={() =>
        void navigate({
          to: '/invoices',
          search: { sortBy: search.sortBy, sortOrder: search.sortOrder, limit: search.limit },
          resetScroll: false,
        })
      }
    >
      {children}
    </FilterBar>
  )
}
