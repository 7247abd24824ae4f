import { MenuButton, MenuItem, MenuProvider, Menu as Popup, useMenuContext } from '@ariakit/react'
import type { ReactNode } from 'react'
import './menu.css'

/** Further things to do, behind one button. */
export const Menu = ({ label, children }: { readonly label: ReactNode; readonly children: ReactNode }) => (
  <MenuProvider placement="bottom-end">
    <MenuButton className="button button-plain">
      {label}
      <span aria-hidden="true">▾</span>
    </MenuButton>
    {/* In front of everything: a table would cut it off. */}
    <Popup portal preserveTabOrder={false} gutter={6} unmountOnHide className="menu">
      {children}
    </Popup>
  </MenuProvider>
)

export const MenuAction = ({
  danger = false,
  onChoose,
  children,
}: {
  readonly danger?: boolean
  readonly onChoose: () => void
  readonly children: ReactNode
}) => {
  const menu = useMenuContext()
  return (
    <MenuItem
      className={danger ? 'menu-action menu-danger' : 'menu-action'}
      onClick={() => {
        // What it opens gives focus back to where it was: to the button, for the menu is gone by then.
        menu?.getState().disclosureElement?.focus()
        onChoose()
      }}
    >
      {children}
    </MenuItem>
  )
}
