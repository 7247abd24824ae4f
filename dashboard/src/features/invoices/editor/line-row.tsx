import type { Item } from '@risiti/sdk'
import { type KeyboardEvent, memo, type ReactNode } from 'react'
import { type DraftLine, withItem } from './draft-lines.ts'

export const itemListId = 'editor-items'

export interface RowActs {
  change(key: number, change: (line: DraftLine) => DraftLine): void
  remove(key: number): void
  /** somebody writes what is sold: which saved items may be meant */
  look(words: string): void
  itemNamed(name: string): Item | undefined
}

/** One line. It is drawn again only when it has changed itself: an invoice may have hundreds. */
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
  const set = (name: keyof DraftLine) => (value: string) =>
    acts.change(line.key, (before) => ({ ...before, [name]: value }))
  function describe(words: string) {
    acts.look(words)
    const item = acts.itemNamed(words)
    acts.change(line.key, (before) =>
      item ? withItem(before, item) : { ...before, description: words, itemId: undefined },
    )
  }
  const text = (
    name: 'code' | 'quantity' | 'unitCode' | 'unitPrice',
    mode: 'decimal' | 'text',
    fault: string | undefined,
  ) => (
    <input
      data-field={name}
      inputMode={mode}
      autoComplete="off"
      value={line[name]}
      aria-invalid={fault !== undefined || undefined}
      onChange={({ target }) => set(name)(target.value)}
    />
  )
  const codeFault = faults?.hsnCode ?? faults?.isicCode
  return (
    <li className="line-row" data-line={line.key}>
      <Cell
        name={`Line ${place}: what is sold`}
        short="What is sold"
        fault={faults?.description ?? faults?.itemId}
        className="line-what"
      >
        <input
          data-field="description"
          list={itemListId}
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
        {text('code', 'text', codeFault)}
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
          onChange={({ target }) => set('taxCategory')(target.value)}
        >
          {taxes.map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
          {!taxes.some(([code]) => code === line.taxCategory) && (
            <option value={line.taxCategory}>{line.taxCategory}</option>
          )}
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
  // biome-ignore lint/a11y/noLabelWithoutControl: the field is among the children.
  <label className={className ? `line-cell ${className}` : 'line-cell'}>
    <span className="visually-hidden">{name}</span>
    <span className="line-short" aria-hidden="true">
      {short}
    </span>
    {children}
    {fault && <span className="field-fault">{fault}</span>}
  </label>
)

/** Enter and the arrows go from line to line in the same column; below the last line Enter makes a new one. */
export function moveByKey(event: KeyboardEvent<HTMLElement>, addLine: () => void): void {
  const { key, target } = event
  if (!(target instanceof HTMLInputElement)) return
  const { field } = target.dataset
  // In the field of what is sold the arrows choose among saved items.
  const isArrow = (key === 'ArrowDown' || key === 'ArrowUp') && field !== 'description'
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
