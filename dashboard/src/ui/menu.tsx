import { MenuButton, MenuItem, MenuProvider, Menu as Popup } from '@ariakit/react'
import type { ReactNode } from 'react'
import './menu.css'

/** Further things to do, behind one button. */
export const Menu = ({ label, children }: { readonly label: ReactNode; readonly children: ReactNode }) => (
  <MenuProvider placement="bottom-end">
    <MenuButton className="button button-plain">
      {label}
      <span aria-hidden="true">▾</span>
    </MenuButton>
    <Popup gutter={6} unmountOnHide className="menu">
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
}) => (
  <MenuItem className={danger ? 'menu-action menu-danger' : 'menu-action'} onClick={onChoose}>
    {children}
  </MenuItem>
)
