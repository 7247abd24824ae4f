import type { ComponentProps, ReactNode } from 'react'
import './button.css'

type Kind = 'primary' | 'plain' | 'quiet' | 'danger'

/**
 * While busy, the button shows it and cannot be pressed again. A disabled button keeps the focus, so that a person with a
 * keyboard does not lose the place.
 */
export function Button({
  kind = 'plain',
  busy = false,
  disabled = false,
  children,
  className,
  onClick,
  ...rest
}: ComponentProps<'button'> & { readonly kind?: Kind; readonly busy?: boolean; readonly children: ReactNode }) {
  const isOff = disabled || busy
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={isOff || undefined}
      aria-busy={busy || undefined}
      className={['button', `button-${kind}`, className].filter(Boolean).join(' ')}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
    >
      {children}
      {busy && <span className="button-spinner" aria-hidden="true" />}
    </button>
  )
}
