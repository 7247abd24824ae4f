import { businessDay } from './days.ts'
import type { Decimal } from './decimal.ts'
import { type Wording, wordingOf } from './languages/wording.ts'

/** Words for the reader of a document: those of the reader's language, and those of the country for its codes. */
export interface DocumentWords {
  readonly wording: Wording
  unitName(code: string): string
  taxName(category: string, rate: Decimal): string
  /** short name of a kind of tax number */
  taxIdName(type: string): string
  /** short name of the authority reference */
  readonly referenceName: string
  /** whether the law of the country wants the English title on a document in another language */
  readonly keepsEnglishTitle: boolean
}

/** The English title beside the translated one; `undefined` if the document needs none. */
export const englishTitle = (
  { wording, keepsEnglishTitle }: DocumentWords,
  document: Parameters<Wording['titleOf']>[0],
): string | undefined => (keepsEnglishTitle && wording.language !== 'en' ? titleOf(document) : undefined)

/** For people of an organisation, who read English. Buyers read their own language: `wordingOf(buyer.language)`. */
export const { amount, money, quantity, unitPrice, day: dayInWords, countryName, titleOf } = wordingOf('en')

/** `18 November 2026, 09:05 UTC`. With a time zone such as `Europe/Paris`: `18 November 2026, 10:05 Paris time`. */
export function momentInWords(moment: Date, zone = 'UTC'): string {
  const digits = { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const time = new Intl.DateTimeFormat('en-GB', digits).format(moment)
  const clock = zone === 'UTC' ? zone : `${zone.split('/').at(-1)?.replaceAll('_', ' ')} time`
  return `${dayInWords(businessDay(moment, zone))}, ${time} ${clock}`
}
