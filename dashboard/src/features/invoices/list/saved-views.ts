import { useState } from 'react'
import { useSession } from '../../../session/session.tsx'
import { recallList, remember } from '../../../ui/browser-memory.ts'
import { filterNames, type ListSearch, readListSearch } from './list-search.ts'

export interface SavedView {
  readonly name: string
  readonly search: ListSearch
}

const most = 12

const isView = (view: unknown): view is SavedView => {
  const { name, search } = (view ?? {}) as Partial<SavedView>
  return typeof name === 'string' && typeof search === 'object' && search !== null
}

const viewsIn = (key: string): readonly SavedView[] =>
  recallList(key)
    .filter(isView)
    .map(({ name, search }) => ({ name, search: readListSearch(search as Record<string, unknown>) }))
    .slice(0, most)

/** Named views, stored in this browser for each organisation. */
export function useSavedViews() {
  const { organizationId } = useSession()
  const key = `risiti-views ${organizationId}`
  const [views, setViews] = useState(() => viewsIn(key))
  const change = (next: readonly SavedView[]) => {
    remember(key, JSON.stringify(next))
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
