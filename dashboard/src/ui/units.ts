/** Frequent units. The API accepts all other codes of the list too. */
export const units = [
  ['EA', 'each'],
  ['C62', 'one'],
  ['KGM', 'kilogram'],
  ['LTR', 'litre'],
  ['MTR', 'metre'],
  ['HUR', 'hour'],
  ['DAY', 'day'],
  ['MON', 'month'],
  ['BX', 'box'],
  ['XBX', 'box'],
  ['BG', 'bag'],
  ['XBG', 'bag'],
  ['TNE', 'tonne'],
] as const

const names = new Map<string, string>(units)

/** The name of a unit, or its code if we have no name. */
export const unitName = (code: string): string => names.get(code) ?? code

/** For a quantity: 1 box, 2 boxes. Codes and "each" have no plural. */
export function unitNameFor(quantity: string, code: string): string {
  const name = names.get(code)
  if (name === undefined || name === 'each' || name === 'one') return unitName(code)
  if (Number(quantity) === 1) return name
  return name.endsWith('x') ? `${name}es` : `${name}s`
}
