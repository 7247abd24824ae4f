import type { Store } from '../shared/json-store.ts'
import type { Entry, ListName } from './resources/lists.ts'

/** A taxpayer that somebody asked for; all else about it follows from its id. */
export interface KnownEntity {
  readonly id: string
  readonly createdAt: string
}

export interface State {
  /** in the order in which they were first asked for */
  readonly entities: KnownEntity[]
  /** those that were replaced */
  readonly lists: Partial<Record<ListName, readonly Entry[]>>
}

export const emptyState = (): State => ({ entities: [], lists: {} })

/** What every group of routes works with. */
export interface Authority {
  readonly store: Store<State>
  now(): Date
}
