import { Popover as Base, PopoverDisclosure, PopoverProvider } from '@ariakit/react'
import { type ReactNode, useState } from 'react'
import './popover.css'

/** A button with a popup beside it. Escape and a press outside close the popup, and the focus returns to the button. */
export function Popover({
  button,
  buttonClass = 'button',
  label,
  children,
}: {
  readonly button: ReactNode
  readonly buttonClass?: string
  /** the name of the popup */
  readonly label: string
  readonly children: (close: () => void) => ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <PopoverProvider open={isOpen} setOpen={setOpen} placement="bottom-start">
      <PopoverDisclosure className={buttonClass}>{button}</PopoverDisclosure>
      <Base gutter={6} overflowPadding={12} unmountOnHide className="popover" aria-label={label}>
        {children(() => setOpen(false))}
      </Base>
    </PopoverProvider>
  )
}
