import { lazy, type ReactNode, type RefObject, Suspense, useState } from 'react'
import './dialog.css'

/** A separate chunk, because most pages have dialogs and few visits open one. */
const DialogFrame = lazy(async () => ({ default: (await import('./dialog-frame.tsx')).DialogFrame }))

export interface DialogContent {
  readonly title: ReactNode
  readonly open: boolean
  readonly onClose: () => void
  readonly wide?: boolean
  /** gets the focus on closing, if the opening element is gone by then */
  readonly returnTo?: RefObject<HTMLElement | null>
  readonly children: ReactNode
}

/**
 * Escape and the cross close the dialog, and the focus returns to its previous place. If a person has written in a form
 * of the dialog, the dialog asks before it throws that away.
 */
export function Dialog(content: DialogContent) {
  const [wasOpen, setWasOpen] = useState(content.open)
  if (content.open && !wasOpen) setWasOpen(true)
  if (!wasOpen) return null
  return (
    <Suspense>
      <DialogFrame {...content} />
    </Suspense>
  )
}

/** The main action comes last. */
export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <footer className="dialog-actions">{children}</footer>
)
