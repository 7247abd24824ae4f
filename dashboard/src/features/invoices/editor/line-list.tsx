import {
  type Dispatch,
  type FocusEventHandler,
  type ReactNode,
  type SetStateAction,
  useEffect,
  useMemo,
  useRef,
} from 'react'
import { useCountry } from '../../../session/country.ts'
import { Help } from '../../../ui/help.tsx'
import { Button } from '../../../ui/index.ts'
import { useCodes } from '../../items/use-codes.ts'
import { type DraftLine, newLine } from './draft-lines.ts'
import type { Faults } from './faults-by-line.ts'
import { codeListId, itemListId, LineRow, moveByKey, type RowActs } from './line-row.tsx'
import { useItems } from './use-items.ts'
import { useTaxes } from './use-taxes.ts'
import './editor.css'

export type SetLines = Dispatch<SetStateAction<readonly DraftLine[]>>

/** The lines of a document as fields, with saved items, codes and taxes to choose from. */
export function LineList({
  lines,
  onChange,
  faults,
  onFocus,
  more,
  children,
}: {
  readonly lines: readonly DraftLine[]
  /** a stable function, so that unchanged lines are not rendered again */
  readonly onChange: SetLines
  readonly faults: Faults['ofLines']
  readonly onFocus?: FocusEventHandler
  /** buttons beside "Add a line" */
  readonly more?: ReactNode
  /** shown beside the buttons, such as the totals */
  readonly children?: ReactNode
}) {
  const { taxCategories } = useCountry()
  const usualTax = taxCategories[0]?.code ?? ''
  const taxes = useTaxes(taxCategories)
  const { items, look, itemNamed } = useItems()
  const { codes, advice, lookForCode } = useCodes()
  const acts = useMemo<RowActs>(
    () => ({
      change: (key, changed) => onChange((before) => before.map((line) => (line.key === key ? changed(line) : line))),
      remove: (key) =>
        onChange((before) => (before.length === 1 ? [newLine(usualTax)] : before.filter((line) => line.key !== key))),
      look,
      itemNamed,
      lookForCode,
    }),
    [look, itemNamed, lookForCode, usualTax, onChange],
  )
  const list = useRef<HTMLOListElement>(null)
  const added = useRef<number>(undefined)
  function addLine() {
    const line = newLine(usualTax)
    added.current = line.key
    onChange((before) => [...before, line])
  }
  useEffect(() => {
    if (added.current === undefined) return
    list.current?.querySelector<HTMLInputElement>(`[data-line="${added.current}"] [data-field]`)?.focus()
    added.current = undefined
  })
  return (
    <>
      {/* Each field of a line has its own label, so that only the explanations are read here. */}
      <div className="line-heads">
        <span aria-hidden="true">Item or description</span>
        <span aria-hidden="true">Kind</span>
        <span>
          <span aria-hidden="true">Code</span>
          <Help of="hsCode" />
        </span>
        <span aria-hidden="true" className="line-number">
          Quantity
        </span>
        <span>
          <span aria-hidden="true">Unit</span>
          <Help of="unit" />
        </span>
        <span aria-hidden="true" className="line-number">
          Price
        </span>
        <span aria-hidden="true">Tax</span>
      </div>
      <ol
        ref={list}
        className="lines"
        aria-label="Lines"
        onKeyDown={(event) => moveByKey(event, addLine)}
        onFocus={onFocus}
      >
        {lines.map((line, index) => (
          <LineRow
            key={line.key}
            line={line}
            place={index + 1}
            faults={faults.get(line.key)}
            taxes={taxes}
            acts={acts}
          />
        ))}
      </ol>
      <datalist id={itemListId}>
        {items.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      <datalist id={codeListId}>
        {codes.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </datalist>
      <div className="editor-below">
        <div>
          {/* Always there, so that a screen reader reads a new text. */}
          <p className="field-hint" role="status">
            {advice}
          </p>
          <div className="editor-line-actions">
            <Button onClick={addLine}>Add a line</Button>
            {more}
          </div>
          <p className="field-hint">Enter moves to the next line, or adds a line after the last. Ctrl+Enter saves.</p>
        </div>
        {children}
      </div>
    </>
  )
}
