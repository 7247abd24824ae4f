import type { Invoice, Jurisdiction, NewInvoice } from '@risiti/sdk'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useBlocker, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { risiti } from '../../../api/client.ts'
import { useOneKey } from '../../../api/one-key.ts'
import { wordsOf } from '../../../api/queries.ts'
import { useCountry } from '../../../session/country.ts'
import { today } from '../../../ui/dates.ts'
import { AreaField } from '../../../ui/field.tsx'
import { Button, money, Notice, SelectField, TextField } from '../../../ui/index.ts'
import { PageHead } from '../../../ui/page-head.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { say } from '../../../ui/toast.tsx'
import { useLater } from '../../../ui/use-later.ts'
import { BuyerField, type ChosenBuyer } from '../../buyers/buyer-field.tsx'
import { useCodes } from '../../items/use-codes.ts'
import { draftOf } from '../draft-of.ts'
import { ReadinessReport } from '../readiness-report.tsx'
import { type Texts, texts, textsWith } from '../texts.ts'
import { type DraftLine, isBlank, linesOf, newLine, sentLine } from './draft-lines.ts'
import { faultsByLine } from './faults-by-line.ts'
import { codeListId, itemListId, LineRow, moveByKey, type RowActs } from './line-row.tsx'
import './editor.css'

interface Head {
  readonly buyer: ChosenBuyer | undefined
  /** empty: follows from the buyer */
  readonly kind: string
  readonly invoiceDate: string
  readonly dueDate: string
  readonly currency: string
  readonly texts: Texts<string>
}

/** The content of the editor at one moment. */
interface DraftContent {
  readonly head: Head
  readonly lines: readonly DraftLine[]
}

const isSame = (one: DraftContent, other: DraftContent) => one.head === other.head && one.lines === other.lines

const headOf = (invoice: Invoice | undefined, currency: string): Head => ({
  buyer: invoice?.buyerId && invoice.buyer ? { id: invoice.buyerId, name: invoice.buyer.name } : undefined,
  kind: invoice?.invoiceKind ?? '',
  invoiceDate: invoice?.invoiceDate ?? today(),
  dueDate: invoice?.dueDate ?? '',
  currency: invoice?.currency ?? currency,
  texts: textsWith((name) => invoice?.[name] ?? ''),
})

const orNull = (typed: string) => typed.trim() || null

/** Merges the fields into the draft, because the page has no field for some of the draft's values. */
const bodyOf = (before: NewInvoice | undefined, head: Head, lines: readonly DraftLine[]): NewInvoice => ({
  ...before,
  buyerId: head.buyer?.id ?? null,
  // No check here: the service validates the values and names the fields.
  invoiceKind: (head.kind as NewInvoice['invoiceKind'] | '') || (head.buyer ? 'B2B' : 'B2C'),
  invoiceDate: head.invoiceDate,
  dueDate: orNull(head.dueDate),
  currency: head.currency.trim().toUpperCase() as NewInvoice['currency'],
  ...textsWith((name) => orNull(head.texts[name])),
  lineItems: lines.filter((line) => !isBlank(line)).map(sentLine),
})

/** The service calculates the totals. */
export function Editor({
  draft,
}: {
  readonly draft?: { readonly invoice: Invoice; readonly etag: string | undefined }
}) {
  const invoice = draft?.invoice
  const before = useMemo(() => invoice && draftOf(invoice), [invoice])
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { currency, invoiceKinds, taxCategories } = useCountry()
  const usualTax = taxCategories[0]?.code ?? ''
  const [head, setHead] = useState(() => headOf(invoice, currency))
  const [lines, setLines] = useState<readonly DraftLine[]>(() => (invoice ? linesOf(invoice) : [newLine(usualTax)]))
  const [isDirty, setDirty] = useState(false)
  const hasEnded = useRef(false)
  useBlocker({
    shouldBlockFn: () => isDirty && !hasEnded.current && !confirm('Leave without saving? Your changes are lost.'),
    enableBeforeUnload: () => isDirty && !hasEnded.current,
  })
  const change = (part: Partial<Head>) => {
    setHead((before) => ({ ...before, ...part }))
    setDirty(true)
  }

  const { items, look, itemNamed } = useItems()
  const { codes, lookForCode } = useCodes()
  const acts = useMemo<RowActs>(
    () => ({
      change: (key, changed) => {
        setLines((before) => before.map((line) => (line.key === key ? changed(line) : line)))
        setDirty(true)
      },
      remove: (key) => {
        setLines((before) => (before.length === 1 ? [newLine(usualTax)] : before.filter((line) => line.key !== key)))
        setDirty(true)
      },
      look,
      itemNamed,
      lookForCode,
    }),
    [look, itemNamed, lookForCode, usualTax],
  )
  const list = useRef<HTMLOListElement>(null)
  const added = useRef<number>(undefined)
  function addLine() {
    const line = newLine(usualTax)
    added.current = line.key
    setLines((before) => [...before, line])
  }
  useEffect(() => {
    if (added.current === undefined) return
    list.current?.querySelector<HTMLInputElement>(`[data-line="${added.current}"] [data-field]`)?.focus()
    added.current = undefined
  })

  const { totals, isChecking, told } = useCheck(before, head, lines)
  const { once } = useOneKey()
  const save = useMutation({
    mutationFn: async (written: DraftContent): Promise<Invoice> => {
      const body = bodyOf(before, written.head, written.lines)
      if (!draft) return await risiti.invoices.create(body, once(body))
      const { etag } = draft
      return await risiti.invoices.update(draft.invoice.id, body, etag === undefined ? {} : { ifMatch: etag })
    },
    onSuccess: async ({ id, invoiceNumber }) => {
      hasEnded.current = true
      say(`The draft ${invoiceNumber} was saved.`)
      await queries.invalidateQueries({ queryKey: ['invoices'] })
      await navigate({ to: '/invoices/$id', params: { id } })
    },
  })
  // After a failed save, all remaining faults are shown. While a person types, only faults of filled fields are shown.
  const saved = save.isError ? { error: save.error, of: save.variables } : undefined
  const isTold = saved === undefined || (told.at > save.submittedAt && !isSame(told.of, saved.of))
  const { error, of } = isTold ? told : saved
  const { ofHead, ofLines, others } = useMemo(
    () => faultsByLine(error, of.lines, save.isError),
    [error, of, save.isError],
  )
  const taxes = useTaxes(taxCategories)

  return (
    <form
      className="editor"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        save.mutate({ head, lines })
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          save.mutate({ head, lines })
        }
      }}
    >
      <PageHead title={invoice ? `Draft ${invoice.invoiceNumber}` : 'New invoice'}>
        {invoice ? (
          <Link to="/invoices/$id" params={{ id: invoice.id }} className="button">
            Back
          </Link>
        ) : (
          <Link to="/invoices" className="button">
            Back
          </Link>
        )}
        <Button kind="primary" type="submit" busy={save.isPending}>
          Save draft
        </Button>
      </PageHead>
      {save.isError && (
        <Notice tone="bad" title={wordsOf(save.error)}>
          {others.length > 0 && (
            <ul>
              {others.map((words) => (
                <li key={words}>{words}</li>
              ))}
            </ul>
          )}
        </Notice>
      )}
      <Panel title="Buyer and dates">
        <div className="editor-head">
          <BuyerField
            buyer={head.buyer}
            onChoose={(buyer) => change({ buyer })}
            nobody="No buyer chosen: the sale is to a consumer."
            fault={ofHead.buyerId}
          />
          <SelectField
            label="Kind of sale"
            value={head.kind}
            onChange={({ target }) => change({ kind: target.value })}
            options={[
              ['', head.buyer ? 'To a business' : 'To a consumer'],
              ...invoiceKinds.map(({ kind }) => [kind, kindWords[kind] ?? kind] as const),
            ]}
            fault={ofHead.invoiceKind}
          />
          <TextField
            label="Date"
            type="date"
            required
            value={head.invoiceDate}
            onChange={({ target }) => change({ invoiceDate: target.value })}
            fault={ofHead.invoiceDate}
          />
          <TextField
            label="Due"
            type="date"
            value={head.dueDate}
            onChange={({ target }) => change({ dueDate: target.value })}
            fault={ofHead.dueDate}
          />
          <TextField
            label="Currency"
            maxLength={3}
            required
            value={head.currency}
            onChange={({ target }) => change({ currency: target.value.toUpperCase() })}
            fault={ofHead.currency}
          />
        </div>
      </Panel>
      <Panel title="Lines">
        <div className="line-heads" aria-hidden="true">
          <span>Item or description</span>
          <span>Kind</span>
          <span>Code</span>
          <span className="line-number">Quantity</span>
          <span>Unit</span>
          <span className="line-number">Price</span>
          <span>Tax</span>
        </div>
        <ol ref={list} className="lines" aria-label="Lines" onKeyDown={(event) => moveByKey(event, addLine)}>
          {lines.map((line, index) => (
            <LineRow
              key={line.key}
              line={line}
              place={index + 1}
              faults={ofLines.get(line.key)}
              taxes={taxes}
              acts={acts}
            />
          ))}
        </ol>
        <ItemChoices items={items} />
        <datalist id={codeListId}>
          {codes.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </datalist>
        <div className="editor-below">
          <div>
            <Button onClick={addLine}>Add a line</Button>
            <p className="field-hint">Enter moves to the next line, or adds a line after the last. Ctrl+Enter saves.</p>
          </div>
          <dl className="editor-totals" aria-live="polite" aria-busy={isChecking || undefined}>
            <div>
              <dt>Net</dt>
              <dd>{totals ? money(totals.netMinor, head.currency) : '–'}</dd>
            </div>
            <div>
              <dt>Tax</dt>
              <dd>{totals ? money(totals.taxMinor, head.currency) : '–'}</dd>
            </div>
            <div>
              <dt>Total</dt>
              <dd>{totals ? money(totals.payableMinor, head.currency) : '–'}</dd>
            </div>
          </dl>
        </div>
      </Panel>
      <Panel title="More details">
        <div className="editor-head">
          {texts.map((text) => {
            if (!('field' in text)) return null
            const Field = text.field === 'line' ? TextField : AreaField
            return (
              <Field
                key={text.name}
                label={text.label}
                value={head.texts[text.name]}
                onChange={({ target }) => change({ texts: { ...head.texts, [text.name]: target.value } })}
                fault={ofHead[text.name]}
              />
            )
          })}
        </div>
      </Panel>
      {totals && (
        <section className="editor-readiness" aria-label="Check against the rules of the tax authority">
          <ReadinessReport readiness={totals} />
        </section>
      )}
    </form>
  )
}

/** Asks the service for totals and faults after a pause in typing. The reply belongs to the text of that moment. */
function useCheck(before: NewInvoice | undefined, head: Head, lines: readonly DraftLine[]) {
  const [settled, setSettled] = useState<DraftContent>({ head, lines })
  const settle = useLater((now: DraftContent) => setSettled(now), 350)
  const settleRef = useRef(settle)
  settleRef.current = settle
  useEffect(() => settleRef.current({ head, lines }), [head, lines])
  const body = useMemo(() => bodyOf(before, settled.head, settled.lines), [before, settled])
  const check = useQuery({
    queryKey: ['check', body],
    queryFn: async ({ signal }) =>
      await risiti.invoices.validate(body, { signal, idempotencyKey: crypto.randomUUID() }),
    enabled: body.lineItems.length > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  // The last reply stays until the next one, so that messages do not flicker.
  const told = useRef({ error: check.error, of: settled, at: 0 })
  if (!check.isFetching)
    told.current = { error: check.error, of: settled, at: Math.max(check.dataUpdatedAt, check.errorUpdatedAt) }
  return { totals: check.data, isChecking: check.isFetching, told: told.current }
}

/** Saved items that match the text. The functions are stable, so that lines are not rendered again. */
function useItems() {
  const [words, setWords] = useState('')
  const later = useLater(setWords, 200)
  const found = useQuery({
    queryKey: ['items', 'search', words],
    queryFn: async ({ signal }) =>
      (await risiti.items.list({ limit: 10, sort: '-useCount', ...(words ? { q: words } : {}) }, { signal })).data,
    placeholderData: keepPreviousData,
  })
  const items = found.data ?? none
  const latest = useRef({ items, later })
  latest.current = { items, later }
  const look = useCallback((typed: string) => latest.current.later(typed.trim()), [])
  const itemNamed = useCallback((name: string) => latest.current.items.find((item) => item.name === name), [])
  return { items, look, itemNamed }
}
const none: readonly [] = []

const ItemChoices = ({ items }: { readonly items: readonly { readonly id: string; readonly name: string }[] }) => (
  <datalist id={itemListId}>
    {items.map(({ id, name }) => (
      <option key={id} value={name} />
    ))}
  </datalist>
)

const kindWords: Readonly<Record<string, string>> = {
  B2B: 'B2B: to a business',
  B2C: 'B2C: to a consumer',
  B2G: 'B2G: to government',
  G2B: 'G2B: from government',
}

/** The country's usual taxes with their rates, then all others. */
function useTaxes(usual: Jurisdiction['taxCategories']): readonly (readonly [code: string, name: string])[] {
  const { data } = useQuery({
    queryKey: ['reference', 'tax-categories'],
    queryFn: async () => await risiti.reference.readList('tax-categories'),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return useMemo(() => {
    const usualTaxes = usual.map(
      ({ code, label, rate }) => [code, rate === null ? label : `${label} ${rate} %`] as const,
    )
    const others = (data?.entries ?? []).filter(({ code }) => !usual.some((one) => one.code === code))
    return [...usualTaxes, ...others.map(({ code, name }) => [code, name] as const)]
  }, [data, usual])
}
