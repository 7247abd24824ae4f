import { invalid, notFound, unavailable } from './envelope.ts'

/** Of the authority, of the states' revenue boards, the tax id of 2026, and a company's registration in place of one. */
const shapes = [/^\d{8}-\d{4}$/, /^\d{10}$/, /^\d{13}$/, /^RN-\w{1,32}$/]

/** Last four digits that stand for something, as test cards do. */
export const endings = {
  unknown: '9404',
  inactive: '9405',
  otherName: '9409',
  unavailable: '9503',
} as const

/** The same for the buyer of an invoice that is signed. */
export const buyerEndings = {
  rejected: '9001',
  neverAnswered: '9002',
  answeredTwice: '9003',
  answeredLate: '9004',
  lostReply: '9005',
  failsTwice: '9006',
} as const

export const buyerIs = (tin: string | undefined, ending: keyof typeof buyerEndings): boolean =>
  tin?.endsWith(buyerEndings[ending]) ?? false

export const endsIn = (tin: string, ending: keyof typeof endings): boolean => tin.endsWith(endings[ending])

/** A tax id that the authority can look up; everything well-formed is known unless its ending says no. */
export function knownTin(value: unknown): string {
  if (value === undefined || value === null || value === '') throw invalid('tin is required')
  if (typeof value !== 'string' || !shapes.some((shape) => shape.test(value)))
    throw invalid('tin is not a valid tax identification number')
  if (endsIn(value, 'unknown')) throw notFound('taxpayer')
  if (endsIn(value, 'unavailable')) throw unavailable()
  return value
}
