import type { Item } from '@risiti/sdk'
import { type KeyboardEvent, memo, type ReactNode, useState } from 'react'
import { type DraftLine, withItem } from './draft-lines.ts'

export const itemListId = 'editor-items'
export const codeListId = 'editor-codes'

export interface RowActs {
  change(key: number, change: (line: DraftLine) => DraftLine): void
  remove(key: number): void
  /** the person types a description: find saved items */
  look(words: string): void
  itemNamed(name: string): Item | undefined
  /** the person searches for a code */
  lookForCode(kind: DraftLine['kind'], words: string): void
}

/** Memoised, because an invoice may have hundreds of lines. */
export const LineRow = memo(function LineRow({
  line,
  place,
  faults,
  taxes,
  acts,
}: {
  readonly line: DraftLine
  /** counted from 1 */
  readonly place: number
  /** by the name of the field */
  readonly faults: Readonly<Record<string, string>> | undefined
  readonly taxes: readonly (readonly [code: string, name: string])[]
  readonly acts: RowActs
}) {
  // Only the focused field has its list of choices. Lists in hundreds of lines would make the page slow.
  const [at, setAt] = useState<string>()
  const isIn = (name: string, list: string) => (at === name ? list : undefined)
  const set = (name: keyof DraftLine) => (value: string) =>
    acts.change(line.key, (before) => ({ ...before, [name]: value }))
  function describe(words: string) {
    acts.look(words)
    const item = acts.itemNamed(words)
    acts.change(line.key, (before) =>
      item ? withItem(before, item) : { ...before, description: words, itemId: undefined },
    )
  }
  const text = (name: 'quantity' | 'unitCode' | 'unitPrice', mode: 'decimal' | 'text', fault: string | undefined) => (
    <input
      data-field={name}
      inputMode={mode}
      autoComplete="off"
      value={line[name]}
      aria-invalid={fault !== undefined || undefined}
      onChange={({ target }) => set(name)(target.value)}
    />
  )
  const chosen = taxes.filter(([code]) => code === line.taxCategory)
  const codeFault = faults?.hsnCode ?? faults?.isicCode ?? faults?.serviceCode
  return (
    <li
      className="line-row"
      data-line={line.key}
      onFocus={({ target }) => setAt(target.dataset.field)}
      onBlur={() => setAt(undefined)}
    >
      <Cell
        name={`Line ${place}: description`}
        short="Description"
        fault={faults?.description ?? faults?.itemId}
        className="line-what"
      >
        <input
          data-field="description"
          list={isIn('description', itemListId)}
          autoComplete="off"
          value={line.description}
          aria-invalid={faults?.description !== undefined || undefined}
          onFocus={({ target }) => acts.look(target.value)}
          onChange={({ target }) => describe(target.value)}
        />
      </Cell>
      <Cell name={`Line ${place}: goods or service`} short="Kind">
        <select data-field="kind" value={line.kind} onChange={({ target }) => set('kind')(target.value)}>
          <option value="goods">Goods</option>
          <option value="service">Service</option>
        </select>
      </Cell>
      <Cell name={`Line ${place}: code`} short="Code" fault={codeFault}>
        <input
          data-field="code"
          list={isIn('code', codeListId)}
          autoComplete="off"
          placeholder={line.kind === 'goods' ? 'HS code' : 'Service code'}
          title="Type a word that describes the item, then choose a code"
          value={line.code}
          aria-invalid={codeFault !== undefined || undefined}
          onFocus={({ target }) => acts.lookForCode(line.kind, target.value || line.description)}
          onChange={({ target }) => {
            set('code')(target.value)
            acts.lookForCode(line.kind, target.value)
          }}
        />
      </Cell>
      <Cell name={`Line ${place}: quantity`} short="Quantity" fault={faults?.quantity} className="line-number">
        {text('quantity', 'decimal', faults?.quantity)}
      </Cell>
      <Cell name={`Line ${place}: unit`} short="Unit" fault={faults?.unitCode}>
        {text('unitCode', 'text', faults?.unitCode)}
      </Cell>
      <Cell name={`Line ${place}: price`} short="Price" fault={faults?.unitPrice} className="line-number">
        {text('unitPrice', 'decimal', faults?.unitPrice)}
      </Cell>
      <Cell name={`Line ${place}: tax`} short="Tax" fault={faults?.taxCategory}>
        <select
          data-field="taxCategory"
          value={line.taxCategory}
          // A press opens the list at once, so the choices must exist before.
          onPointerDown={() => setAt('taxCategory')}
          onChange={({ target }) => set('taxCategory')(target.value)}
        >
          {(at === 'taxCategory' ? taxes : chosen).map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
          {chosen.length === 0 && <option value={line.taxCategory}>{line.taxCategory}</option>}
        </select>
      </Cell>
      <button
        type="button"
        className="button button-quiet line-remove"
        aria-label={`Remove line ${place}`}
        onClick={() => acts.remove(line.key)}
      >
        <span aria-hidden="true">✕</span>
      </button>
    </li>
  )
})

const Cell = ({
  name,
  short,
  fault,
  className,
  children,
}: {
  readonly name: string
  readonly short: string
  readonly fault?: string | undefined
  readonly className?: string
  readonly children: ReactNode
}) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the label's field is one of its children.
  <label className={className ? `line-cell ${className}` : 'line-cell'}>
    <span className="visually-hidden">{name}</span>
    <span className="line-short" aria-hidden="true">
      {short}
    </span>
    {children}
    {fault && <span className="field-fault">{fault}</span>}
  </label>
)

/** Enter and the arrow keys move between lines in the same column. Enter on the last line adds a line. */
export function moveByKey(event: KeyboardEvent<HTMLElement>, addLine: () => void): void {
  const { key, target } = event
  if (!(target instanceof HTMLInputElement)) return
  const { field } = target.dataset
  // In fields with a list, the arrow keys choose from the list.
  const isArrow = (key === 'ArrowDown' || key === 'ArrowUp') && !target.list
  if (field === undefined || !(key === 'Enter' || isArrow) || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  const row = target.closest('[data-line]')
  const next = key === 'ArrowUp' ? row?.previousElementSibling : row?.nextElementSibling
  const there = next?.querySelector<HTMLInputElement>(`[data-field="${field}"]`)
  if (there) {
    there.focus()
    there.select()
  } else if (key === 'Enter') addLine()
}
