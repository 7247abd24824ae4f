import { hash } from 'node:crypto'
import type { CodeList, Jurisdictions, ListType } from '../../jurisdictions/port.ts'
import { businessDay } from '../../kernel/days.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/logger.ts'
import { findListsMark, listCurrentLists } from './code-lists.store.ts'
import { LoadedList } from './loaded-list.ts'

const pollMs = 5_000

/** Code lists of every country in memory: the built-in ones, and newer ones that replace them. */
export interface CodeLists {
  list(country: string, type: ListType): LoadedList
  all(country: string): readonly LoadedList[]
  /** Changes with any list of the country. */
  tag(country: string): string
  /** Reads lists that this or another node has loaded since. */
  refresh(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

declare module '../../platform/operations/ports.ts' {
  interface Ports {
    readonly codeLists: CodeLists
  }
}

export function createCodeLists(db: Queryable, jurisdictions: Jurisdictions, clock: Clock, log: Logger): CodeLists {
  const builtIn = new Map(jurisdictions.all.map((one) => [one.country, lists(one.builtInLists)]))
  let current: ReadonlyMap<string, ReadonlyMap<ListType, LoadedList>> = builtIn
  let mark = ''
  let polling: NodeJS.Timeout | undefined

  async function refresh(): Promise<void> {
    const now = clock.now()
    const days = jurisdictions.all.map(({ country, zone }) => ({ country, day: businessDay(now, zone) }))
    const found = `${days.map(({ day }) => day).join(' ')} ${await findListsMark(db)}`
    if (found === mark) return
    const rows = await listCurrentLists(db, days)
    const next = new Map<string, Map<ListType, LoadedList>>()
    for (const [country, own] of builtIn) next.set(country, new Map(own))
    for (const { country, ...list } of rows) next.get(country)?.set(list.type, new LoadedList(list))
    current = next
    mark = found
  }

  const of = (country: string): ReadonlyMap<ListType, LoadedList> => {
    const found = current.get(country)
    if (!found) throw new Error(`no country is called ${country}`)
    return found
  }

  return {
    list(country, type) {
      const found = of(country).get(type)
      if (!found) throw new Error(`${country} has no list of ${type}`)
      return found
    },
    all: (country) => [...of(country).values()],
    tag: (country) => hash('sha256', [...of(country).values()].map(({ tag }) => tag).join()).slice(0, 16),
    refresh,
    async start() {
      await refresh()
      polling = setInterval(() => {
        refresh().catch((error: unknown) => log.warn('code_lists.not_refreshed', { error }))
      }, pollMs)
      polling.unref()
    },
    async stop() {
      clearInterval(polling)
    },
  }
}

/** Built-in lists are prepared once per process. */
const gone = new WeakMap<CodeList, LoadedList>()
function loadedOnce(list: CodeList): LoadedList {
  const loaded = gone.get(list) ?? new LoadedList(list)
  gone.set(list, loaded)
  return loaded
}

const lists = (all: readonly CodeList[]): ReadonlyMap<ListType, LoadedList> =>
  new Map(all.map((list) => [list.type, loadedOnce(list)]))
