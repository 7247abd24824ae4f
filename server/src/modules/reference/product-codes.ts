import type { LoadedList } from './loaded-list.ts'

/** A whole HS list has more than five thousand subheadings; what comes with the software has those that trade uses most. */
const wholeListSubheadings = 4_000

const isSubheading = (code: string): boolean => /^\d{4}\.\d{2}$/.test(code)

/**
 * A product code as its list spells it. As long as the list is not a whole one, a subheading that it lacks is taken when
 * its heading exists.
 */
export function findProductCode(list: LoadedList, code: string): string | undefined {
  const entry = list.find(code)
  if (entry) return entry.code
  const digits = code.replace(/[\s.]/g, '')
  if (!/^\d{6}$/.test(digits) || !list.find(digits.slice(0, 4))) return undefined
  const isWhole = list.entries.filter((one) => isSubheading(one.code)).length >= wholeListSubheadings
  return isWhole ? undefined : `${digits.slice(0, 4)}.${digits.slice(4)}`
}
