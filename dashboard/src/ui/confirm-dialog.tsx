import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { wordsOf } from '../api/queries.ts'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { Notice } from './notice.tsx'

/** Asks before something that cannot be undone, and says what it will do. */
export function ConfirmDialog({
  title,
  action,
  kind = 'danger',
  dismiss = 'Keep it',
  open,
  onClose,
  onConfirm,
  wordsFor = (error) => [wordsOf(error)],
  instead,
  children,
}: {
  readonly title: string
  /** what the button says: the deed itself, never "OK" */
  readonly action: string
  /** a deed that is wanted, although it is for good, is no danger */
  readonly kind?: 'danger' | 'primary'
  /** what the button says that leaves everything as it is */
  readonly dismiss?: string
  readonly open: boolean
  readonly onClose: () => void
  readonly onConfirm: () => Promise<unknown>
  /** what to say where it was refused, each thing by itself */
  readonly wordsFor?: (error: unknown) => readonly string[]
  /** what to do instead where it was refused */
  readonly instead?: ReactNode
  readonly children: ReactNode
}) {
  const deed = useMutation({ mutationFn: onConfirm, onSuccess: onClose })
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      <div>{children}</div>
      {deed.isError && <Refusal all={wordsFor(deed.error)} />}
      <DialogActions>
        {deed.isError && instead}
        <Button onClick={onClose}>{dismiss}</Button>
        <Button kind={kind} busy={deed.isPending} onClick={() => deed.mutate()}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Refusal({ all }: { readonly all: readonly string[] }) {
  const [first, ...rest] = all
  return (
    <Notice tone="bad">
      {rest.length === 0 ? (
        first
      ) : (
        <ul>
          {all.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
    </Notice>
  )
}
