import { Popover, PopoverHeading, PopoverProvider } from '@ariakit/react'
import type { ReactNode, RefObject } from 'react'

/** The explanation of a term, beside its question mark. */
export const HelpText = ({
  beside,
  term,
  onClose,
  children,
}: {
  readonly beside: RefObject<HTMLButtonElement | null>
  readonly term: string
  readonly onClose: () => void
  readonly children: ReactNode
}) => (
  <PopoverProvider open setOpen={(open) => !open && onClose()} placement="bottom-start">
    <Popover
      portal
      gutter={6}
      className="help-text"
      getAnchorRect={() => beside.current?.getBoundingClientRect() ?? null}
      finalFocus={beside}
      // The question mark itself closes the text too.
      hideOnInteractOutside={({ target }) => !(target instanceof Node && beside.current?.contains(target))}
    >
      <PopoverHeading className="help-term">{term}</PopoverHeading>
      <p>{children}</p>
    </Popover>
  </PopoverProvider>
)
