import { type Invoice, Refused } from '@risiti/sdk'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { isSignedOut } from '../../../api/client.ts'
import { wordsOf } from '../../../api/queries.ts'
import { useCountry } from '../../../session/country.ts'
import { useMay } from '../../../session/session.tsx'
import { Button, money, Notice } from '../../../ui/index.ts'
import { PageHead } from '../../../ui/page-head.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { say } from '../../../ui/toast.tsx'
import { NewBuyerDialog } from '../../buyers/new-buyer-dialog.tsx'
import { NewItemDialog } from '../../items/new-item-dialog.tsx'
import { HomeTaxRow } from '../detail/amounts.tsx'
import { draftOf } from '../draft-of.ts'
import { ReadinessReport } from '../readiness-report.tsx'
import { WrittenFieldInput } from '../written-field-input.tsx'
import { editedFields } from '../written-fields.ts'
import { BuyerAndDates } from './buyer-and-dates.tsx'
import { ConflictDialog, DeletedDialog, FinalisedDialog } from './conflict-dialog.tsx'
import { type DraftContent, type Head, headOf, isSame } from './draft-content.ts'
import { type DraftLine, isBlank, linesOf, newLine } from './draft-lines.ts'
import { DraftPreview } from './draft-preview.tsx'
import { faultsByLine } from './faults-by-line.ts'
import { InstalmentRows } from './instalment-rows.tsx'
import { LineList } from './line-list.tsx'
import { UnknownBuyerDialog } from './unknown-buyer-dialog.tsx'
import { isPassing, useAutosave } from './use-autosave.ts'
import { useCheck } from './use-check.ts'
import { type Conflict, useDraftSaving } from './use-draft-saving.ts'
import { type LocalDraft, useLeaving, useLocalSaving } from './use-local-draft.ts'
import { useNewItem } from './use-new-item.ts'
import './editor.css'

/** The service calculates the totals. The draft is saved while a person writes, as soon as the service would take it. */
export function Editor({
  draft,
  localKey,
  restored,
  onStartAgain,
}: {
  readonly draft?: { readonly invoice: Invoice; readonly etag: string | undefined }
  /** the key of the local draft in this browser */
  readonly localKey: string
  /** the local draft: what was written earlier and not saved */
  readonly restored: LocalDraft | undefined
  /** opens the editor again without what was written earlier */
  readonly onStartAgain: () => void
}) {
  const invoice = draft?.invoice
  /** the version that the values without a field come from */
  const [base, setBase] = useState(invoice)
  const before = useMemo(() => base && draftOf(base), [base])
  const navigate = useNavigate()
  const { currency, taxCategories } = useCountry()
  const usualTax = taxCategories[0]?.code ?? ''
  const [head, setHead] = useState((): Head => ({ ...headOf(invoice, currency), ...restored?.head }))
  const [lines, setLines] = useState<readonly DraftLine[]>(
    () => restored?.lines ?? (invoice ? linesOf(invoice) : [newLine(usualTax)]),
  )
  const content = useMemo<DraftContent>(() => ({ head, lines }), [head, lines])
  /** the content that the service has */
  const [stored, setStored] = useState(() => (restored ? undefined : content))
  const isDirty = stored === undefined || !isSame(content, stored)
  const first = restored?.saved ?? (draft && { ...draft.invoice, etag: draft.etag })
  const { saved, save: write, conflict, isDeleted, settle, closeConflict, startAnother } = useDraftSaving(first, before)
  /** the content for which the person left the question about another version open */
  const [leftOpenFor, setLeftOpenFor] = useState<DraftContent>()
  const { forget, isForgotten } = useLocalSaving(localKey, { ...content, saved }, isDirty, draft === undefined)
  const change = (part: Partial<Head>) => setHead((before) => ({ ...before, ...part }))
  const [dialog, setDialog] = useState<'unknown-buyer' | 'new-buyer' | 'new-item'>()
  const close = () => setDialog(undefined)
  const mayAddBuyer = useMay('buyer.create')

  const newItem = useNewItem(lines)

  const { totals, isChecking, lastCheck } = useCheck(before, content)
  const save = useMutation({
    mutationFn: async (written: DraftContent) => {
      const done = isDirty || saved === undefined ? await write(written) : saved
      return { id: done.id, invoiceNumber: done.invoiceNumber }
    },
    onSuccess: async ({ id, invoiceNumber }) => {
      await forget()
      say(`The draft ${invoiceNumber} was saved.`)
      await navigate({ to: '/invoices/$id', params: { id } })
    },
  })
  const mayAutosave = useMay('invoice.create', 'invoice.update_draft')
  const hasLines = lines.some((line) => !isBlank(line))
  const isConflicting = conflict !== undefined || isDeleted || leftOpenFor === content
  const mayBeSaved = mayAutosave && isDirty && head.unknownBuyer === '' && hasLines && !isConflicting && !save.isPending
  const isChecked = !isChecking && isSame(lastCheck.of, content)
  const isRefused = isChecked && lastCheck.error !== null && !isPassing(lastCheck.error)
  const autosave = useAutosave(content, write, { isSavable: mayBeSaved && isChecked && !isRefused, onSaved: setStored })

  // Without this save, the next page shows the draft without the last changes, and somebody may finalise that version.
  useLeaving(localKey, () => {
    if (!isDirty || isForgotten() || save.isPending || !(hasLines || saved)) return
    const sayUnsaved = () =>
      say(
        saved
          ? `Your last changes to ${saved.invoiceNumber} are not saved. Edit the draft to continue.`
          : 'The invoice is not saved yet. Open a new invoice to continue.',
      )
    if (mayBeSaved && !isRefused) write(content).then(forget, sayUnsaved)
    else sayUnsaved()
  })

  function submit() {
    if (head.unknownBuyer !== '') setDialog('unknown-buyer')
    else if (!save.isPending) save.mutate(content)
  }
  function takeTheirs() {
    if (!conflict) return
    const theirs = { head: headOf(conflict.invoice, currency), lines: linesOf(conflict.invoice) }
    setHead(theirs.head)
    setLines(theirs.lines)
    setStored(theirs)
    setBase(conflict.invoice)
    settle(conflict)
    save.reset()
  }
  function keepMine() {
    if (!conflict) return
    settle(conflict)
    if (save.isError) save.mutate(content)
    else autosave.saveNow(content)
  }
  function leaveOpen() {
    setLeftOpenFor(content)
    closeConflict()
    save.reset()
  }
  async function discard() {
    await forget()
    await navigate({ to: '/invoices' })
  }
  async function showFinalised({ invoice: { id } }: Conflict) {
    await forget()
    await navigate({ to: '/invoices/$id', params: { id } })
  }
  function saveAnother() {
    startAnother()
    save.mutate(content)
  }
  // After a failed save, all remaining faults are shown. While a person types, only faults of filled fields are shown.
  const failed =
    save.isError && !isDeleted && !isStale(save.error) ? { error: save.error, of: save.variables } : undefined
  const showsLastCheck = failed === undefined || (lastCheck.at > save.submittedAt && !isSame(lastCheck.of, failed.of))
  const { error, of } = showsLastCheck ? lastCheck : failed
  const { ofHead, ofLines, others } = useMemo(
    () => faultsByLine(error, of.lines, save.isError),
    [error, of, save.isError],
  )
  const hasEnded = [save.error, autosave.error, lastCheck.error].some(isSignedOut)
  const [showsPreview, setShowsPreview] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (save.isError) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [save.isError])

  return (
    <div className="editor-frame" data-preview={showsPreview || undefined}>
      <form
        ref={form}
        className="editor"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          submit()
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault()
            submit()
          }
        }}
      >
        <PageHead title={saved ? `Draft ${saved.invoiceNumber}` : 'New invoice'}>
          <span className="editor-state" role="status">
            {autosave.words ?? (isDirty ? 'Not saved yet' : saved ? 'Saved' : '')}
          </span>
          {saved ? (
            <Link to="/invoices/$id" params={{ id: saved.id }} className="button">
              Back
            </Link>
          ) : (
            <Link to="/invoices" className="button">
              Back
            </Link>
          )}
          <Button aria-pressed={showsPreview} onClick={() => setShowsPreview(!showsPreview)}>
            Preview
          </Button>
          <Button kind="primary" type="submit" busy={save.isPending}>
            Save draft
          </Button>
        </PageHead>
        {restored && (
          <Notice title="What you wrote earlier is back.">
            <Button onClick={() => forget().then(onStartAgain)}>
              {draft ? 'Discard my changes' : 'Start a new invoice'}
            </Button>
          </Notice>
        )}
        {hasEnded && (
          <Notice tone="bad" title="You were signed out.">
            <p>Sign in again. What you wrote is kept in this browser.</p>
            <a className="button" href={`/sign-in?next=${encodeURIComponent(location.pathname)}&ended=true`}>
              Sign in again
            </a>
          </Notice>
        )}
        {failed && !isSignedOut(failed.error) && (
          <Notice tone="bad" title={wordsOf(failed.error)}>
            {others.length > 0 && (
              <ul>
                {others.map((words) => (
                  <li key={words}>{words}</li>
                ))}
              </ul>
            )}
          </Notice>
        )}
        <BuyerAndDates
          head={head}
          change={change}
          faults={ofHead}
          onAddBuyer={mayAddBuyer ? () => setDialog('new-buyer') : undefined}
        />
        <Panel title="Lines">
          <LineList
            lines={lines}
            onChange={setLines}
            faults={ofLines}
            onFocus={newItem.noteFocus}
            more={
              newItem.line && (
                <Button kind="quiet" onClick={() => setDialog('new-item')}>
                  Save “{newItem.line.description.trim()}” as an item
                </Button>
              )
            }
          >
            <dl className="editor-totals" aria-live="polite" aria-busy={isChecking || undefined}>
              <div>
                <dt>Net</dt>
                <dd>{totals ? money(totals.netMinor, head.currency) : '–'}</dd>
              </div>
              <div>
                <dt>Tax</dt>
                <dd>{totals ? money(totals.taxMinor, head.currency) : '–'}</dd>
              </div>
              <div data-sum>
                <dt>Total</dt>
                <dd>{totals ? money(totals.payableMinor, head.currency) : '–'}</dd>
              </div>
              {totals && head.currency !== currency && <HomeTaxRow homeTax={totals.homeTax} home={currency} />}
            </dl>
          </LineList>
        </Panel>
        <InstalmentRows head={head} change={change} faults={ofHead} />
        <Panel title="More details">
          <div className="editor-head">
            {editedFields.map((one) => (
              <WrittenFieldInput
                key={one.name}
                of={one}
                value={head.texts[one.name] ?? ''}
                onChange={(value) => change({ texts: { ...head.texts, [one.name]: value } })}
                fault={ofHead[one.name]}
              />
            ))}
          </div>
        </Panel>
        {totals && (
          <section className="editor-readiness" aria-label="Check against the rules of the tax authority">
            <ReadinessReport readiness={totals} buyerId={head.buyer?.id} />
          </section>
        )}
      </form>
      {/* Outside of the form, because their own forms must not submit it. */}
      {showsPreview && <DraftPreview saved={saved} />}
      {conflict && conflict.invoice.status !== 'draft' && (
        <FinalisedDialog conflict={conflict} onShow={() => showFinalised(conflict)} onAnother={saveAnother} />
      )}
      {conflict?.invoice.status === 'draft' && (
        <ConflictDialog conflict={conflict} onMine={keepMine} onTheirs={takeTheirs} onClose={leaveOpen} />
      )}
      {isDeleted && saved && (
        <DeletedDialog
          invoiceNumber={saved.invoiceNumber}
          onDiscard={discard}
          onAnother={saveAnother}
          onClose={leaveOpen}
        />
      )}
      {dialog === 'unknown-buyer' && (
        <UnknownBuyerDialog
          name={head.unknownBuyer}
          onAdd={mayAddBuyer ? () => setDialog('new-buyer') : undefined}
          onConsumer={() => {
            close()
            const consumer = { ...head, unknownBuyer: '' }
            setHead(consumer)
            save.mutate({ head: consumer, lines })
          }}
          onClose={close}
        />
      )}
      {dialog === 'new-buyer' && (
        <NewBuyerDialog
          name={head.unknownBuyer}
          onClose={close}
          onDone={({ id, name }) => {
            close()
            change({ buyer: { id, name }, unknownBuyer: '' })
            say(`${name} was added.`)
          }}
        />
      )}
      {dialog === 'new-item' && newItem.line && (
        <NewItemDialog
          defaults={{
            name: newItem.line.description.trim(),
            itemType: newItem.line.kind,
            code: newItem.line.code,
            price: newItem.line.unitPrice,
            unitCode: newItem.line.unitCode,
            taxCategory: newItem.line.taxCategory,
            currency: head.currency,
          }}
          onClose={close}
          onDone={(item) => {
            close()
            newItem.take(setLines, item)
          }}
        />
      )}
    </div>
  )
}

const isStale = (error: unknown): boolean => error instanceof Refused && error.is('version.stale')
