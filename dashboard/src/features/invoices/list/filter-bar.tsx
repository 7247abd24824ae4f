import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useCountry } from '../../../session/country.ts'
import { FilterRow } from '../../../ui/filter-row.tsx'
import { dayText, momentText, SelectField, TextField } from '../../../ui/index.ts'
import { decimalOf, minorOf } from '../../../ui/money.ts'
import { useLater } from '../../../ui/use-later.ts'
import { asOtherView, type FilterName, filterOf, type ListSearch, setFilters } from './list-search.ts'

const always: readonly FilterName[] = ['status', 'paymentStatus', 'invoiceDateFrom', 'invoiceDateTo']
const more: readonly FilterName[] = [
  'invoiceType',
  'reporting',
  'simpleStatus',
  'delivery',
  'dueDateFrom',
  'dueDateTo',
  'createdAtFrom',
  'createdAtTo',
  'amountFromMinor',
  'amountToMinor',
  'currency',
  'createdByType',
  'overdue',
  'credited',
  'refundOwed',
]

/** Each change goes into the address at once and returns to the first page. */
export function FilterBar({ search }: { readonly search: ListSearch }) {
  const navigate = useNavigate({ from: '/invoices' })
  const change = (name: FilterName, value: unknown) =>
    void navigate({
      to: '/invoices',
      search: (before) => ({ ...before, page: undefined, [name]: value === '' ? undefined : value }),
      replace: name === 'search',
      resetScroll: false,
    })
  const country = useCountry()
  const currency = search.currency ?? country.currency
  const set = setFilters(search)
  const hidden = set.filter((name) => more.includes(name)).length
  return (
    <search className="filter-bar">
      <FilterRow>
        <SearchField value={search.search ?? ''} onChange={(words) => change('search', words)} />
        {always.map((name) => (
          <FilterField key={name} name={name} search={search} onChange={(value) => change(name, value)} />
        ))}
      </FilterRow>
      <details className="filter-more">
        <summary>More filters{hidden > 0 && ` (${hidden} set)`}</summary>
        <FilterRow>
          {more.map((name) => (
            <FilterField key={name} name={name} search={search} onChange={(value) => change(name, value)} />
          ))}
        </FilterRow>
      </details>
      {set.length > 0 && (
        <ul className="filter-chips" aria-label="Active filters">
          {set.map((name) => (
            <li key={name}>
              <button type="button" className="filter-chip" onClick={() => change(name, undefined)}>
                {chipWords(name, search, currency)}
                <span aria-hidden="true"> ✕</span>
                <span className="visually-hidden">: remove</span>
              </button>
            </li>
          ))}
          <li>
            <Link to="/invoices" search={{ sortBy: search.sortBy, sortOrder: search.sortOrder }} {...asOtherView}>
              Clear filters
            </Link>
          </li>
        </ul>
      )}
    </search>
  )
}

/** Searches after a pause in typing. */
function SearchField({ value, onChange }: { readonly value: string; readonly onChange: (words: string) => void }) {
  const { authorityReferenceName } = useCountry()
  const [words, setWords] = useState(value)
  const last = useRef(value)
  const later = useLater((typed: string) => {
    last.current = typed.trim()
    onChange(last.current)
  }, 250)
  useEffect(() => {
    // Changed from outside: by the back button, or by "clear filters".
    if (value !== last.current) {
      last.current = value
      setWords(value)
    }
  }, [value])
  return (
    <TextField
      label="Search"
      type="search"
      placeholder={`Number, buyer or ${authorityReferenceName}`}
      value={words}
      onChange={({ target }) => {
        setWords(target.value)
        later(target.value)
      }}
    />
  )
}

function FilterField({
  name,
  search,
  onChange,
}: {
  readonly name: FilterName
  readonly search: ListSearch
  readonly onChange: (value: unknown) => void
}) {
  const country = useCountry()
  const currency = search.currency ?? country.currency
  const filter = filterOf(name)
  const value = search[name]
  if (filter.kind === 'choice')
    return (
      <SelectField
        label={filter.name}
        value={String(value ?? '')}
        onChange={({ target }) => onChange(target.value)}
        options={[['', 'Any'], ...Object.entries(filter.words ?? {})]}
      />
    )
  if (filter.kind === 'flag')
    return (
      <SelectField
        label={filter.name}
        value={String(value ?? '')}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value === 'true')}
        options={[['', 'Any'], ['true', 'Yes'], ...(name === 'overdue' ? [] : [['false', 'No'] as const])]}
      />
    )
  if (filter.kind === 'day')
    return (
      <TextField
        label={filter.name}
        type="date"
        value={String(value ?? '')}
        onChange={({ target }) => onChange(target.value)}
      />
    )
  return (
    <TextField
      // A typed value applies when it is complete. A value from the address replaces the typed one.
      key={String(value)}
      label={filter.name}
      inputMode={filter.kind === 'minor' ? 'decimal' : 'text'}
      placeholder={
        filter.kind === 'minor' ? decimalOf(0, currency) : name === 'currency' ? country.currency : undefined
      }
      defaultValue={
        filter.kind === 'minor' && typeof value === 'number' ? decimalOf(value, currency) : String(value ?? '')
      }
      onBlur={({ target }) => commit(target.value)}
      onKeyDown={(event) => event.key === 'Enter' && commit(event.currentTarget.value)}
    />
  )
  function commit(typed: string) {
    const next = filter.kind === 'minor' ? minorOf(typed, currency) : typed.trim().toUpperCase() || undefined
    if (next !== value) onChange(next)
  }
}

/** `currency`: that of the amounts. */
function chipWords(name: FilterName, search: ListSearch, currency: string): string {
  const filter = filterOf(name)
  const value = search[name]
  if (filter.kind === 'flag') return value === true ? filter.name : `Not ${filter.name.toLowerCase()}`
  if (filter.kind === 'choice') return `${filter.name}: ${filter.words?.[String(value)] ?? value}`
  if (filter.kind === 'day') return `${filter.name} ${dayText(String(value))}`
  if (filter.kind === 'moment') return `${filter.name} ${momentText(String(value))}`
  if (filter.kind === 'minor') return `${filter.name} ${decimalOf(Number(value), currency)}`
  return name.endsWith('Id') || name === 'createdBy' ? filter.name : `${filter.name}: ${value}`
}
