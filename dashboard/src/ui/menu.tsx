import { MenuButton, MenuItem, MenuProvider, Menu as Popup, useMenuContext } from '@ariakit/react'
import type { ReactNode } from 'react'
import './menu.css'

export const Menu = ({ label, children }: { readonly label: ReactNode; readonly children: ReactNode }) => (
  <MenuProvider placement="bottom-end">
    <MenuButton className="button button-plain">
      {label}
      <span aria-hidden="true">▾</span>
    </MenuButton>
    {/* In a portal, because a table would cut the menu off. Inside the page's main part, where screen readers look. */}
    <Popup
      portal
      portalElement={() => document.querySelector<HTMLElement>('main')}
      preserveTabOrder={false}
      gutter={6}
      unmountOnHide
      className="menu"
    >
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
        // A dialog returns the focus to the button, because the menu is closed by then.
        menu?.getState().disclosureElement?.focus()
        onChoose()
      }}
    >
      {children}
    </MenuItem>
  )
}
