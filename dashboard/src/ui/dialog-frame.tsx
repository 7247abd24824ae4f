import { Dialog as Base, DialogDismiss, DialogHeading } from '@ariakit/react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { DialogActions, type DialogContent } from './dialog.tsx'

export function DialogFrame({ title, open, onClose, wide = false, returnTo, children }: DialogContent) {
  const written = useRef<Element>(undefined)
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    if (open) return
    written.current = undefined
    setAsking(false)
  }, [open])
  function close(event: Event) {
    // A form that is gone was saved.
    if (!written.current?.isConnected) return onClose()
    event.preventDefault()
    setAsking(true)
  }
  return (
    <Base
      open={open}
      onClose={close}
      onInput={({ target }: FormEvent) => {
        const form = target instanceof Element && target.closest('form')
        if (form) written.current = form
      }}
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
      <Base
        open={isAsking}
        onClose={() => setAsking(false)}
        unmountOnHide
        backdrop={<div className="dialog-backdrop" />}
        className="dialog"
      >
        <DialogHeading className="dialog-question">Discard what you wrote?</DialogHeading>
        <p>You have not saved it yet.</p>
        <DialogActions>
          <Button onClick={() => setAsking(false)}>Keep writing</Button>
          <Button
            kind="danger"
            onClick={() => {
              setAsking(false)
              onClose()
            }}
          >
            Discard
          </Button>
        </DialogActions>
      </Base>
    </Base>
  )
}
