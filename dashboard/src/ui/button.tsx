import { Button as Base } from '@ariakit/react'
import type { ComponentProps, ReactNode } from 'react'
import './button.css'

type Kind = 'primary' | 'plain' | 'quiet' | 'danger'

/** A button that says when it is at work, and cannot be pressed a second time meanwhile. */
export function Button({
  kind = 'plain',
  busy = false,
  children,
  className,
  ...rest
}: ComponentProps<typeof Base> & { readonly kind?: Kind; readonly busy?: boolean; readonly children: ReactNode }) {
  return (
    <Base
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      accessibleWhenDisabled
      aria-busy={busy || undefined}
      className={['button', `button-${kind}`, className].filter(Boolean).join(' ')}
    >
      {children}
      {busy && <span className="button-spinner" aria-hidden="true" />}
    </Base>
  )
}
