import type { ListsInForce } from '../../jurisdictions/port.ts'
import type { CodeLists } from './code-lists.ts'
import type { LoadedList } from './loaded-list.ts'

/** A whole HS list has more than five thousand subheadings; what comes with the software has those that trade uses most. */
const wholeListSubheadings = 4_000

const isSubheading = (code: string): boolean => /^\d{4}\.\d{2}$/.test(code)

const wholeLists = new WeakMap<LoadedList, boolean>()
/** A list does not change: it is looked through once. */
function isWhole(list: LoadedList): boolean {
  let known = wholeLists.get(list)
  if (known === undefined) {
    known = list.entries.filter(({ code }) => isSubheading(code)).length >= wholeListSubheadings
    wholeLists.set(list, known)
  }
  return known
}

/**
 * A product code as its list spells it. As long as the list is not a whole one, a subheading that it lacks is taken when
 * its heading exists.
 */
export function findProductCode(list: LoadedList, code: string): string | undefined {
  const entry = list.find(code)
  if (entry) return entry.code
  const digits = code.replace(/[\s.]/g, '')
  if (!/^\d{6}$/.test(digits) || !list.find(digits.slice(0, 4))) return undefined
  return isWhole(list) ? undefined : `${digits.slice(0, 4)}.${digits.slice(4)}`
}

/** A country's lists as its own rules ask for them. */
export const listsInForce = (codeLists: Pick<CodeLists, 'list'>, country: string): ListsInForce => ({
  has: (type, code) => {
    const list = codeLists.list(country, type)
    return (type === 'product-codes' ? findProductCode(list, code) : list.find(code)) !== undefined
  },
  entries: (type) => codeLists.list(country, type).entries,
})
