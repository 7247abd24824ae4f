import { hash } from 'node:crypto'
import type { CodeEntry, CodeList, ListType } from '../../jurisdictions/port.ts'
import { searchText, searchTextOf } from '../../kernel/search-text.ts'

/** One spelling per code, because people and authorities vary blanks, dots and case. */
const spelled = (code: string): string => code.replace(/[\s.]/g, '').toUpperCase()

/** A code list in use: lookup by code, search by words, and a tag that changes with its contents. */
export class LoadedList {
  readonly type: ListType
  readonly version: string
  readonly effectiveFrom: string
  readonly source: CodeList['source']
  readonly entries: readonly CodeEntry[]
  readonly tag: string
  readonly #bySpelling: ReadonlyMap<string, CodeEntry>
  readonly #byCode: ReadonlyMap<string, CodeEntry>
  readonly #texts: readonly string[]

  constructor(list: CodeList) {
    this.type = list.type
    this.version = list.version
    this.effectiveFrom = list.effectiveFrom
    this.source = list.source
    this.entries = list.entries
    this.tag = hash('sha256', JSON.stringify(list)).slice(0, 16)
    this.#bySpelling = new Map(list.entries.map((entry) => [spelled(entry.code), entry]))
    this.#byCode = new Map([...this.#bySpelling.values()].map((entry) => [entry.code, entry]))
    this.#texts = list.entries.map(({ code, name }) => searchTextOf(code, code.replace('.', ''), name))
  }

  /** Finds a code in any spelling. */
  find(code: string): CodeEntry | undefined {
    // The fast path: most callers use the spelling of the list.
    return this.#byCode.get(code) ?? this.#bySpelling.get(spelled(code))
  }

  search(words: string | undefined, category: string | undefined): CodeEntry[] {
    const wanted = words === undefined ? '' : searchText(words)
    const group = category?.toLowerCase()
    return this.entries.filter(
      (entry, at) =>
        (group === undefined || entry.category?.toLowerCase() === group) &&
        (this.#texts[at] as string).includes(wanted),
    )
  }

  /** In alphabetical order. */
  categories(): { name: string; count: number }[] {
    const counts = new Map<string, number>()
    for (const { category } of this.entries)
      if (category !== undefined) counts.set(category, (counts.get(category) ?? 0) + 1)
    return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => (a.name < b.name ? -1 : 1))
  }
}
