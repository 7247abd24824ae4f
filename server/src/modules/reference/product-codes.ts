import type { CodeEntry, ListsInForce } from '../../jurisdictions/port.ts'
import type { CodeLists } from './code-lists.ts'
import type { LoadedList } from './loaded-list.ts'

/** A complete HS list has more than 5,000 subheadings; the built-in list has the most used ones. */
const wholeListSubheadings = 4_000

const isSubheading = (code: string): boolean => /^\d{4}\.\d{2}$/.test(code)

const wholeLists = new WeakMap<LoadedList, boolean>()
/** Cached, because a loaded list never changes. */
function isWhole(list: LoadedList): boolean {
  let known = wholeLists.get(list)
  if (known === undefined) {
    known = list.entries.filter(({ code }) => isSubheading(code)).length >= wholeListSubheadings
    wholeLists.set(list, known)
  }
  return known
}

const headingOf = (code: string): string => code.slice(0, 4)

/**
 * The codes among these that the authority accepts on a line: subheadings, and for each heading its subheadings on the
 * list. Headings only group codes.
 */
export function subheadingsOf(list: LoadedList, found: readonly CodeEntry[]): CodeEntry[] {
  const own = new Set(found)
  const headings = new Set(found.filter(({ code }) => !isSubheading(code)).map(({ code }) => code))
  const ofHeadings = list.entries.filter(
    (entry) => isSubheading(entry.code) && !own.has(entry) && headings.has(headingOf(entry.code)),
  )
  return [...found.filter(({ code }) => isSubheading(code)), ...ofHeadings]
}

/**
 * A product code in the spelling of its list. While the list is incomplete, a missing subheading is accepted if its
 * heading exists.
 */
export function findProductCode(list: LoadedList, code: string): string | undefined {
  const entry = list.find(code)
  if (entry) return entry.code
  const digits = code.replace(/[\s.]/g, '')
  if (!/^\d{6}$/.test(digits) || !list.find(digits.slice(0, 4))) return undefined
  return isWhole(list) ? undefined : `${digits.slice(0, 4)}.${digits.slice(4)}`
}

/** Code lists in the form that a country's rules use. */
export const listsInForce = (codeLists: Pick<CodeLists, 'list'>, country: string): ListsInForce => ({
  has: (type, code) => {
    const list = codeLists.list(country, type)
    return (type === 'product-codes' ? findProductCode(list, code) : list.find(code)) !== undefined
  },
  entries: (type) => codeLists.list(country, type).entries,
})
