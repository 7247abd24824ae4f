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
