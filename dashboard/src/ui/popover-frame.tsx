import { Popover, PopoverProvider } from '@ariakit/react'
import type { ReactNode, RefObject } from 'react'

/** An open popup beside its button. */
export const PopoverFrame = ({
  beside,
  label,
  className,
  portal = false,
  onClose,
  children,
}: {
  readonly beside: RefObject<HTMLButtonElement | null>
  readonly label: string
  readonly className: string
  /** draws the popup at the end of the page, because a place with little room would cut it off */
  readonly portal?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}) => (
  <PopoverProvider open setOpen={(open) => !open && onClose()} placement="bottom-start">
    <Popover
      portal={portal}
      gutter={6}
      overflowPadding={12}
      className={className}
      aria-label={label}
      getAnchorRect={() => beside.current?.getBoundingClientRect() ?? null}
      finalFocus={beside}
      // The button itself closes the popup too.
      hideOnInteractOutside={({ target }) => !(target instanceof Node && beside.current?.contains(target))}
    >
      {children}
    </Popover>
  </PopoverProvider>
)
