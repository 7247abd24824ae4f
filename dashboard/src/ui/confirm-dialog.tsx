import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { wordsOf } from '../api/queries.ts'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { Notice } from './notice.tsx'

/** Asks before an action that cannot be undone, and describes its effect. */
export function ConfirmDialog({
  title,
  action,
  kind = 'danger',
  dismiss = 'Not now',
  open,
  onClose,
  onConfirm,
  wordsFor = (error) => [wordsOf(error)],
  instead,
  children,
}: {
  readonly title: string
  /** the button's text: the action itself, never "OK" */
  readonly action: string
  /** `primary` for wanted actions that cannot be undone */
  readonly kind?: 'danger' | 'primary'
  /** the text of the button that changes nothing */
  readonly dismiss?: string
  readonly open: boolean
  readonly onClose: () => void
  readonly onConfirm: () => Promise<unknown>
  /** the messages of a refusal */
  readonly wordsFor?: (error: unknown) => readonly string[]
  /** an alternative after a refusal */
  readonly instead?: ReactNode
  readonly children: ReactNode
}) {
  const confirmed = useMutation({ mutationFn: onConfirm, onSuccess: onClose })
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      <div>{children}</div>
      {confirmed.isError && <Refusal all={wordsFor(confirmed.error)} />}
      <DialogActions>
        {confirmed.isError && instead}
        <Button onClick={onClose}>{dismiss}</Button>
        <Button kind={kind} busy={confirmed.isPending} onClick={() => confirmed.mutate()}>
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
