import { Link } from '@tanstack/react-router'
import { Icon } from '../ui/icons.tsx'
import { closePopups, Popup } from '../ui/popup.tsx'
import { type Page, pagesFor } from './pages.ts'

/** The menu beside the page. A narrow window shows the bar below instead. */
export const SideMenu = ({ capabilities }: { readonly capabilities: readonly string[] }) => (
  <nav className="shell-pages" aria-label="Pages">
    <ul>
      {pagesFor(capabilities).all.map((page) => (
        <PageLink key={page.to} page={page} />
      ))}
    </ul>
  </nav>
)

/** The bar at the lower edge of a phone, within reach of a thumb. */
export function BottomBar({ capabilities }: { readonly capabilities: readonly string[] }) {
  const { all, first } = pagesFor(capabilities)
  const others = all.filter((page) => !first.includes(page))
  return (
    <nav className="shell-bottom" aria-label="Pages">
      <ul>
        {first.map((page) => (
          <PageLink key={page.to} page={page} />
        ))}
        <li>
          <button type="button" aria-label="More pages" popoverTarget="more-pages">
            <Icon name="more" />
            More
          </button>
        </li>
      </ul>
      <Popup id="more-pages" label="More pages" className="shell-more">
        <ul>
          {others.map((page) => (
            <PageLink key={page.to} page={page} />
          ))}
        </ul>
      </Popup>
    </nav>
  )
}

const PageLink = ({ page: { to, name, icon } }: { readonly page: Page }) => (
  <li>
    <Link to={to} activeProps={{ 'aria-current': 'page' }} onClick={closePopups}>
      <Icon name={icon} />
      {name}
    </Link>
  </li>
)
