/** What most things are counted in; any other code of the list is taken too. */
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

/** What people call a unit; its code where we have no word for it. */
export const unitName = (code: string): string => names.get(code) ?? code
