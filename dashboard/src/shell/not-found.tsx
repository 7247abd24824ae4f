import { Link } from '@tanstack/react-router'
import { EmptyState } from '../ui/empty-state.tsx'

export const NotFound = () => (
  <EmptyState
    title="Page not found"
    isPage
    action={
      <Link to="/" className="button">
        Go to the overview
      </Link>
    }
  >
    The address may be misspelled, or the page was deleted.
  </EmptyState>
)
