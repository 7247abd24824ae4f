import { Dialog as Base, DialogDismiss, DialogHeading } from '@ariakit/react'
import type { ReactNode, RefObject } from 'react'
import './dialog.css'

/** Escape and the cross close the dialog, and the focus returns to its previous place. */
export const Dialog = ({
  title,
  open,
  onClose,
  wide = false,
  returnTo,
  children,
}: {
  readonly title: ReactNode
  readonly open: boolean
  readonly onClose: () => void
  readonly wide?: boolean
  /** gets the focus on closing, if the opening element is gone by then */
  readonly returnTo?: RefObject<HTMLElement | null>
  readonly children: ReactNode
}) => (
  <Base
    open={open}
    onClose={onClose}
    unmountOnHide
    {...(returnTo ? { finalFocus: returnTo } : {})}
    backdrop={<div className="dialog-backdrop" />}
    className={wide ? 'dialog dialog-wide' : 'dialog'}
  >
    <header className="dialog-head">
      <DialogHeading>{title}</DialogHeading>
    </header>
    {children}
    {/* Last in the markup, so that the first field gets the focus. Styles place it beside the title. */}
    <DialogDismiss className="button button-quiet dialog-close" aria-label="Close">
      <span aria-hidden="true">✕</span>
    </DialogDismiss>
  </Base>
)

/** The main action comes last. */
export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <footer className="dialog-actions">{children}</footer>
)
