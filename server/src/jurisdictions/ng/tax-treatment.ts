/** Nigeria Tax Act 2025, ss. 186–187: from this day on, part of what had been exempt is zero-rated. */
const actFrom = '2026-01-01'

/** Kinds of goods on the list of exemptions that the Act zero-rates. The others stay exempt, baby products by its own words. */
const zeroRated: ReadonlySet<string> = new Set([
  'Basic food',
  'Medical and pharmaceutical',
  'Laboratory and educational',
  'Fertiliser',
])

/** The tax category of a kind of goods on the list of exemptions, on a day. */
export const treatmentOn = (kind: string, day: string): 'ZERO_VAT' | 'EXEMPTED' =>
  day >= actFrom && zeroRated.has(kind) ? 'ZERO_VAT' : 'EXEMPTED'
