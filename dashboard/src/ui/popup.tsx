import type { ReactNode } from 'react'
import './popup.css'

/**
 * A popup of the browser itself, for the frame of the page: it needs no script. A button opens it by `popoverTarget`.
 * Escape and a press outside close it, and the focus returns to the button.
 */
export const Popup = ({
  id,
  label,
  className,
  children,
}: {
  readonly id: string
  readonly label: string
  readonly className: string
  readonly children: ReactNode
}) => (
  <div id={id} popover="auto" role="dialog" aria-label={label} className={`popup ${className}`}>
    {children}
  </div>
)

/** For actions inside a popup that lead elsewhere. The focus returns to the button first. */
export function closePopups(): void {
  for (const popup of document.querySelectorAll<HTMLElement>(':popover-open')) popup.hidePopover()
}
