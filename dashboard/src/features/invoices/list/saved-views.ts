import { useState } from 'react'
import { useSession } from '../../../session/session.tsx'
import { filterNames, type ListSearch, readListSearch } from './list-search.ts'

export interface SavedView {
  readonly name: string
  readonly search: ListSearch
}

const most = 12

function read(place: string): readonly SavedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '[]')
    if (!Array.isArray(kept)) return []
    return kept
      .filter((view): view is SavedView => typeof view?.name === 'string' && typeof view.search === 'object')
      .map(({ name, search }) => ({ name, search: readListSearch(search as Record<string, unknown>) }))
      .slice(0, most)
  } catch {
    return []
  }
}

function write(place: string, views: readonly SavedView[]): void {
  try {
    localStorage.setItem(place, JSON.stringify(views))
  } catch {
    // Without storage, views last until the page is closed.
  }
}

/** Named views, stored in this browser for each organisation. */
export function useSavedViews() {
  const { organizationId } = useSession()
  const place = `risiti-views ${organizationId}`
  const [views, setViews] = useState(() => read(place))
  const change = (next: readonly SavedView[]) => {
    write(place, next)
    setViews(next)
  }
  return {
    views,
    /** A view of the same name is replaced. */
    save: (name: string, search: ListSearch) => {
      const filters = Object.fromEntries(
        filterNames.filter((each) => search[each] !== undefined).map((each) => [each, search[each]]),
      )
      change([...views.filter((view) => view.name !== name), { name, search: filters as ListSearch }].slice(-most))
    },
    remove: (name: string) => change(views.filter((view) => view.name !== name)),
  }
}
