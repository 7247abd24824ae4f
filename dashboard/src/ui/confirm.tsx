import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { Notice } from './notice.tsx'

/** Asks before what cannot be undone, in words that say what will happen. */
export const Confirm = ({
  title,
  children,
  action,
  danger = false,
  busy,
  fault,
  onConfirm,
  onClose,
}: {
  readonly title: string
  readonly children: ReactNode
  readonly action: string
  readonly danger?: boolean
  readonly busy: boolean
  readonly fault?: ReactNode
  readonly onConfirm: () => void
  readonly onClose: () => void
}) => (
  <Dialog title={title} open onClose={onClose}>
    {fault && <Notice tone="bad">{fault}</Notice>}
    <div>{children}</div>
    <DialogActions>
      <Button onClick={onClose}>Not now</Button>
      <Button kind={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
        {action}
      </Button>
    </DialogActions>
  </Dialog>
)
