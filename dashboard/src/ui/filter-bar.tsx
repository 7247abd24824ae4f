import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { type DayRange, presetsAt, rangeText } from './date-presets.ts'
import { TextField } from './field.tsx'
import { Icon } from './icons.tsx'
import { decimalOf, minorOf, money } from './money.ts'
import { Popover } from './popover.tsx'
import { SearchBox } from './search-box.tsx'
import './filter-bar.css'

interface Named {
  readonly name: string
}
interface ChoiceFilter extends Named {
  readonly kind: 'choice'
  readonly options: readonly (readonly [value: string, words: string])[]
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
  /** the text of the chip, if not name and value */
  readonly chip?: string | undefined
}
interface DaysFilter extends Named {
  readonly kind: 'days'
  readonly value: DayRange
  readonly onChange: (value: DayRange) => void
}
interface AmountsFilter extends Named {
  readonly kind: 'amounts'
  readonly value: AmountRange
  readonly currency: string
  readonly onChange: (value: AmountRange) => void
}
interface TextFilter extends Named {
  readonly kind: 'text'
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}
/** Set by a link from another page. A person can only remove it. */
interface FixedFilter extends Named {
  readonly kind: 'fixed'
  readonly onClear: () => void
}
/** In minor units, both inclusive. */
interface AmountRange {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export type Filter = ChoiceFilter | DaysFilter | AmountsFilter | TextFilter | FixedFilter

/** The value of a filter in words. `undefined` if the filter is not set. */
function wordsOf(filter: Filter): string | undefined {
  if (filter.kind === 'fixed') return ''
  if (filter.kind === 'days') return rangeText(filter.value)
  if (filter.kind === 'text') return filter.value
  if (filter.kind === 'choice')
    return filter.value && (filter.options.find(([value]) => value === filter.value)?.[1] ?? filter.value)
  const { from, to } = filter.value
  const [least, most] = [from, to].map((minor) => minor !== undefined && money(minor, filter.currency))
  if (least && most) return `${least} – ${most}`
  return least ? `from ${least}` : most ? `up to ${most}` : undefined
}

function chipOf(filter: Filter): string {
  if (filter.kind === 'fixed') return filter.name
  if (filter.kind === 'choice' && filter.chip !== undefined) return filter.chip
  return `${filter.name}: ${wordsOf(filter)}`
}

function clear(filter: Filter): void {
  if (filter.kind === 'fixed') filter.onClear()
  else if (filter.kind === 'choice' || filter.kind === 'text') filter.onChange(undefined)
  else filter.onChange({})
}

export interface FilterBarContent {
  readonly search?: {
    readonly label: string
    readonly placeholder?: string
    readonly value: string
    readonly onSearch: (text: string) => void
  }
  readonly filters: readonly Filter[]
  readonly onClear: () => void
  /** further controls of the list */
  readonly children?: ReactNode
}

/**
 * The search field of a list, a chip for each filter that is set, and a button that adds another one. Each change
 * applies at once.
 */
export function FilterBar({ search, filters, onClear, children }: FilterBarContent) {
  const set = filters.filter((filter) => wordsOf(filter) !== undefined)
  const others = filters.filter((filter) => !set.includes(filter))
  return (
    <search className="filter-bar">
      {search && <SearchBox {...search} />}
      <div className="filter-chips">
        {set.map((filter) => (
          <Chip key={filter.name} filter={filter} />
        ))}
        {others.length > 0 && <AddFilter filters={others} />}
        {set.length > 1 && (
          <Button kind="quiet" className="filter-clear" onClick={onClear}>
            Clear filters
          </Button>
        )}
      </div>
      {children && <div className="filter-tools">{children}</div>}
    </search>
  )
}

const Chip = ({ filter }: { readonly filter: Filter }) => {
  const words = chipOf(filter)
  return (
    <span className="filter-chip">
      {filter.kind === 'fixed' ? (
        <span className="filter-chip-words">{words}</span>
      ) : (
        <Popover buttonClass="filter-chip-words" button={words} label={filter.name}>
          {(close) => <Editor filter={filter} onDone={close} />}
        </Popover>
      )}
      <button
        type="button"
        className="filter-chip-remove"
        aria-label={`Remove filter: ${words}`}
        onClick={({ currentTarget }) => {
          // This button goes away with the filter.
          currentTarget.closest('.filter-chips')?.querySelector<HTMLElement>('.filter-add')?.focus()
          clear(filter)
        }}
      >
        <Icon name="close" />
      </button>
    </span>
  )
}

const AddFilter = ({ filters }: { readonly filters: readonly Filter[] }) => (
  <Popover
    buttonClass="button filter-add"
    button={
      <>
        <Icon name="filter" />
        Add filter
      </>
    }
    label="Add filter"
  >
    {(close) => <Choose filters={filters} onDone={close} />}
  </Popover>
)

/** First the filter, then its value. */
function Choose({ filters, onDone }: { readonly filters: readonly Filter[]; readonly onDone: () => void }) {
  const [chosen, setChosen] = useState<string>()
  const filter = filters.find(({ name }) => name === chosen)
  if (filter)
    return (
      <>
        <strong className="filter-name">{filter.name}</strong>
        <Editor filter={filter} onDone={onDone} />
      </>
    )
  return (
    <ul>
      {filters.map(({ name }) => (
        <li key={name}>
          <button type="button" className="popover-choice" onClick={() => setChosen(name)}>
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}

function Editor({ filter, onDone }: { readonly filter: Filter; readonly onDone: () => void }) {
  if (filter.kind === 'choice') return <ChoiceEditor filter={filter} onDone={onDone} />
  if (filter.kind === 'days') return <DaysEditor filter={filter} onDone={onDone} />
  if (filter.kind === 'text') return <TextEditor filter={filter} onDone={onDone} />
  if (filter.kind === 'amounts') return <AmountsEditor filter={filter} onDone={onDone} />
  return null
}

const ChoiceEditor = ({ filter, onDone }: { readonly filter: ChoiceFilter; readonly onDone: () => void }) => (
  <ul>
    {filter.options.map(([value, words], at) => (
      <li key={value}>
        <button
          type="button"
          className="popover-choice"
          aria-pressed={filter.value === value}
          // biome-ignore lint/a11y/noAutofocus: the popup just opened, or its list was replaced.
          autoFocus={at === 0}
          onClick={() => {
            onDone()
            filter.onChange(value)
          }}
        >
          {words}
          {filter.value === value && <Icon name="check" />}
        </button>
      </li>
    ))}
  </ul>
)

const DaysEditor = ({ filter, onDone }: { readonly filter: DaysFilter; readonly onDone: () => void }) => {
  const { from, to } = filter.value
  return (
    <>
      <ul className="filter-presets">
        {presetsAt().map(([name, range], at) => (
          <li key={name}>
            <button
              type="button"
              className="popover-choice"
              aria-pressed={range.from === from && range.to === to}
              // biome-ignore lint/a11y/noAutofocus: the popup just opened, or its list was replaced.
              autoFocus={at === 0}
              onClick={() => {
                onDone()
                filter.onChange(range)
              }}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
      <div className="filter-pair">
        <TextField
          label="From"
          type="date"
          value={from ?? ''}
          max={to}
          onChange={({ target }) => filter.onChange({ from: target.value || undefined, to })}
        />
        <TextField
          label="To"
          type="date"
          value={to ?? ''}
          min={from}
          onChange={({ target }) => filter.onChange({ from, to: target.value || undefined })}
        />
      </div>
    </>
  )
}

function AmountsEditor({ filter, onDone }: { readonly filter: AmountsFilter; readonly onDone: () => void }) {
  const { currency, value } = filter
  const textOf = (minor: number | undefined) => (minor === undefined ? '' : decimalOf(minor, currency))
  const [from, setFrom] = useState(textOf(value.from))
  const [to, setTo] = useState(textOf(value.to))
  const [isTried, setTried] = useState(false)
  const read = (typed: string) => (typed.trim() === '' ? undefined : (minorOf(typed, currency) ?? null))
  const [least, most] = [read(from), read(to)]
  const fault = (minor: number | null | undefined) =>
    isTried && minor === null ? `Enter an amount such as ${decimalOf(125_000, currency)}.` : undefined
  return (
    <form
      className="filter-form"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (least === null || most === null) return
        onDone()
        filter.onChange({ from: least, to: most })
      }}
    >
      <div className="filter-pair">
        <TextField
          label="From"
          inputMode="decimal"
          autoFocus
          value={from}
          fault={fault(least)}
          onChange={({ target }) => setFrom(target.value)}
        />
        <TextField
          label="To"
          inputMode="decimal"
          value={to}
          fault={fault(most)}
          onChange={({ target }) => setTo(target.value)}
        />
      </div>
      <Button kind="primary" type="submit">
        Apply
      </Button>
    </form>
  )
}

function TextEditor({ filter, onDone }: { readonly filter: TextFilter; readonly onDone: () => void }) {
  const [typed, setTyped] = useState(filter.value ?? '')
  return (
    <form
      className="filter-form"
      onSubmit={(event) => {
        event.preventDefault()
        onDone()
        filter.onChange(typed.trim() || undefined)
      }}
    >
      <TextField label={filter.name} autoFocus value={typed} onChange={({ target }) => setTyped(target.value)} />
      <Button kind="primary" type="submit">
        Apply
      </Button>
    </form>
  )
}
