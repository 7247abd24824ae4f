import type { UseMutationResult } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useMemo, useState } from 'react'
import { faultsOf, wordsOf } from '../../../api/queries.ts'
import { useMay } from '../../../session/session.tsx'
import { Button, Notice, PageHead } from '../../../ui/index.ts'
import { say } from '../../../ui/toast.tsx'
import { BuyerField, type ChosenBuyer } from '../../buyers/buyer-field.tsx'
import { NewBuyerDialog } from '../../buyers/new-buyer-dialog.tsx'
import type { DraftLine } from './draft-lines.ts'
import { faultsByLine } from './faults-by-line.ts'

/** What was refused, by the field, the line, or the whole form that it belongs to. */
export function useFaults(error: unknown, lines: readonly DraftLine[]) {
  const { ofHead, ofLines, others } = useMemo(() => faultsByLine(error, lines, true), [error, lines])
  const faults = faultsOf(error)
  const ofForm = others.filter((words) => !Object.values(faults).includes(words))
  return { faults, ofHead, ofLines, ofForm }
}

/** A page with a form that is saved as a whole, such as a quote or a schedule. */
export function FormWithLines({
  title,
  back,
  notice,
  action,
  save,
  faults,
  isBlocked,
  children,
}: {
  readonly title: string
  readonly back: ReactNode
  readonly notice: ReactNode
  /** the words of the button that saves */
  readonly action: string
  readonly save: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'isError' | 'error'>
  /** what was refused and belongs to no field */
  readonly faults: readonly string[]
  /** something must be chosen before the form can be saved */
  readonly isBlocked: boolean
  readonly children: ReactNode
}) {
  const submit = () => {
    if (!save.isPending && !isBlocked) save.mutate()
  }
  return (
    <form
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
      <PageHead title={title}>
        {back}
        <Button kind="primary" type="submit" busy={save.isPending}>
          {action}
        </Button>
      </PageHead>
      {notice}
      {save.isError && (
        <Notice tone="bad" title={wordsOf(save.error)}>
          {faults.length > 0 && (
            <ul>
              {faults.map((words) => (
                <li key={words}>{words}</li>
              ))}
            </ul>
          )}
        </Notice>
      )}
      {children}
    </form>
  )
}

/** A field for the buyer, and the dialog that adds a buyer who is not in the list. */
export function useBuyerChoice(buyer: ChosenBuyer | undefined, onChoose: (buyer: ChosenBuyer | undefined) => void) {
  const mayAddBuyer = useMay('buyer.create')
  const [unknownBuyer, setUnknownBuyer] = useState('')
  const [isAdding, setAdding] = useState(false)
  const isUnknown = unknownBuyer !== '' && buyer === undefined
  return {
    isUnknown,
    field: (nobody: string, fault: string | undefined) => (
      <BuyerField
        buyer={buyer}
        onChoose={onChoose}
        typed={unknownBuyer}
        onType={setUnknownBuyer}
        onAdd={mayAddBuyer ? () => setAdding(true) : undefined}
        nobody={isUnknown ? `Choose “${unknownBuyer}” from the list, or add this buyer.` : nobody}
        fault={fault}
      />
    ),
    /** Stands outside of the form, because its own form must not submit it. */
    dialog: isAdding && (
      <NewBuyerDialog
        name={unknownBuyer}
        onClose={() => setAdding(false)}
        onDone={({ id, name }) => {
          setAdding(false)
          setUnknownBuyer('')
          onChoose({ id, name })
          say(`${name} was added.`)
        }}
      />
    ),
  }
}
