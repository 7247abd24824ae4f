import { Button as Base } from '@ariakit/react'
import type { ComponentProps, ReactNode } from 'react'
import './button.css'

type Kind = 'primary' | 'plain' | 'quiet' | 'danger'

/** While busy, the button shows it and cannot be pressed again. */
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
