import { hash } from 'node:crypto'
import type { CodeEntry, CodeList, ListType } from '../../jurisdictions/port.ts'
import { searchText, searchTextOf } from '../../kernel/search-text.ts'

/** One spelling for each code: without blanks, dots and case, which people and authorities use as they like. */
const spelled = (code: string): string => code.replace(/[\s.]/g, '').toUpperCase()

/** A code list as it is used: found by code, searched by words, known by a tag that changes with its contents. */
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

  /** By its code, however it is spelled. */
  find(code: string): CodeEntry | undefined {
    // Most who send a code spell it as the list does.
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

  /** The groups that people browse by, in the order of the alphabet. */
  categories(): { name: string; count: number }[] {
    const counts = new Map<string, number>()
    for (const { category } of this.entries)
      if (category !== undefined) counts.set(category, (counts.get(category) ?? 0) + 1)
    return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => (a.name < b.name ? -1 : 1))
  }
}
