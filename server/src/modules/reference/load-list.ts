import { isDeepStrictEqual } from 'node:util'
import { AuthorityUnavailable, type CodeEntry, type ListType } from '../../jurisdictions/port.ts'
import type { Caller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { type Inside, type Outside, operation, reading } from '../../platform/operations/operation.ts'
import { saveCodeList } from './code-lists.store.ts'
import type { LoadedList } from './loaded-list.ts'

export interface NewList {
  readonly country: string
  readonly type: ListType
  readonly version: string
  readonly source: 'import' | 'authority'
  readonly effectiveFrom: string
  readonly entries: readonly CodeEntry[]
}

/** Replaces the built-in list as a whole. */
export const loadList = operation(
  { needs: [], refuses: [] },
  async ({ tx, now, log }: Inside<Caller>, { country, ...list }: NewList) => {
    await saveCodeList(tx, country, list, now)
    log.info('code_list.loaded', { reason: `${country} ${list.type} ${list.version}`, count: list.entries.length })
  },
)

const deadlineMs = 20_000
/**
 * Reads the authority's lists and returns those that differ. A list that is unavailable or implausible is skipped, so
 * that the last good copy stays.
 */
export const findNewerLists = reading(
  { needs: [], refuses: [] },
  async ({ ports, now, log }: Outside<Caller>, { country }: { country: string }): Promise<NewList[]> => {
    const jurisdiction = ports.jurisdictions.of(country)
    const authority =
      ports.jurisdictions.authority(country, 'live') ?? ports.jurisdictions.authority(country, 'sandbox')
    if (!jurisdiction || !authority) return []
    const newer: NewList[] = []
    for (const type of jurisdiction.refreshableLists) {
      const held = ports.codeLists.list(country, type)
      try {
        const entries = merged(held, await authority.readList(type, AbortSignal.timeout(deadlineMs)))
        if (isDeepStrictEqual(entries, held.entries)) continue
        const day = businessDay(now, jurisdiction.zone)
        newer.push({ country, type, version: `authority-${day}`, source: 'authority', effectiveFrom: day, entries })
      } catch (error) {
        if (!(error instanceof AuthorityUnavailable)) throw error
        log.warn('code_list.not_refreshed', { reason: `${country} ${type}`, error })
      }
    }
    return newer
  },
)

/**
 * Adds the authority's codes to ours. Our names stay, because people search in them. A new code joins the category of
 * the codes with the same beginning.
 */
function merged(held: LoadedList, entries: readonly CodeEntry[]): readonly CodeEntry[] {
  const categories = new Map(
    held.entries.flatMap(({ code, category }) => (category ? [[code.slice(0, 2), category]] : [])),
  )
  const added = entries
    .filter(({ code }) => !held.find(code))
    .map((entry) => {
      const category = entry.category ?? categories.get(entry.code.slice(0, 2))
      return category === undefined ? entry : { ...entry, category }
    })
  return added.length === 0 ? held.entries : [...held.entries, ...added]
}
