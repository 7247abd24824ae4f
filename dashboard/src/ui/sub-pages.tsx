import { Link, type LinkProps } from '@tanstack/react-router'
import './sub-pages.css'

export const SubPages = ({
  label,
  pages,
}: {
  readonly label: string
  readonly pages: readonly (readonly [to: NonNullable<LinkProps['to']>, name: string])[]
}) => (
  <nav className="sub-pages" aria-label={label}>
    {pages.map(([to, name]) => (
      <Link
        key={to}
        to={to}
        activeOptions={{ exact: true, includeSearch: false }}
        activeProps={{ 'aria-current': 'page' }}
      >
        {name}
      </Link>
    ))}
  </nav>
)
