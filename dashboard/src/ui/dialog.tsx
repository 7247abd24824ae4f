import { Dialog as Base, DialogDismiss, DialogHeading } from '@ariakit/react'
import type { ReactNode } from 'react'
import './dialog.css'

/** A question or a small form in front of the page. Escape and the cross close it; focus goes back to where it was. */
export const Dialog = ({
  title,
  open,
  onClose,
  wide = false,
  children,
}: {
  readonly title: ReactNode
  readonly open: boolean
  readonly onClose: () => void
  readonly wide?: boolean
  readonly children: ReactNode
}) => (
  <Base
    open={open}
    onClose={onClose}
    unmountOnHide
    backdrop={<div className="dialog-backdrop" />}
    className={wide ? 'dialog dialog-wide' : 'dialog'}
  >
    <header className="dialog-head">
      <DialogHeading>{title}</DialogHeading>
    </header>
    {children}
    {/* Last, so that focus begins with the first field; it is seen beside the title. */}
    <DialogDismiss className="button button-quiet dialog-close" aria-label="Close">
      <span aria-hidden="true">✕</span>
    </DialogDismiss>
  </Base>
)

/** The buttons that end a dialog, the one that does it last. */
export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <footer className="dialog-actions">{children}</footer>
)
