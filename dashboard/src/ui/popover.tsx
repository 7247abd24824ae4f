import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import './popover.css'

/** A separate chunk, because every list has filters and few visits change them. */
const PopoverFrame = lazy(async () => ({ default: (await import('./popover-frame.tsx')).PopoverFrame }))

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
  const opener = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={buttonClass}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && (
        <Suspense>
          <PopoverFrame beside={opener} label={label} className="popover" onClose={() => setOpen(false)}>
            {children(() => setOpen(false))}
          </PopoverFrame>
        </Suspense>
      )}
    </>
  )
}
