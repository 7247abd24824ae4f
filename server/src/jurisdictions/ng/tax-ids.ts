import type { TaxIdRules, TaxIdType } from '../port.ts'

/**
 * Tax numbers have several generations: the old TIN of the revenue service (eight digits and four, with or without a
 * dash), ten digits of the joint tax board, and since 2026 a tax ID of thirteen digits. No check digit is public.
 */
const tin = /^(\d{8}-?\d{4}|\d{10}|\d{13})$/
/** A company's registration number, by which the authority knows businesses without a tax number. */
const registration = /^(?:RN-?)?(?:RC|BN|IT)?-?(\d{1,12})$/
const foreign = /^[A-Z0-9][A-Z0-9 ./-]{1,63}$/

const compact = (text: string): string => text.trim().toUpperCase().replace(/\s+/g, ' ')

function normaliseTin(text: string): string | undefined {
  const given = compact(text).replaceAll(' ', '')
  return tin.test(given) ? given.replace('-', '') : undefined
}

function normaliseRegistration(text: string): string | undefined {
  const number = registration.exec(compact(text).replaceAll(' ', ''))?.[1]
  return number === undefined ? undefined : `RN-${number}`
}

function normaliseForeign(text: string): string | undefined {
  const given = compact(text)
  const bare = given.replace(/[ ./-]/g, '')
  return foreign.test(given) && bare.length > 1 ? bare : undefined
}

const normalisers: Readonly<Record<TaxIdType, (text: string) => string | undefined>> = {
  national: normaliseTin,
  registration: normaliseRegistration,
  foreign: normaliseForeign,
  none: () => undefined,
}

/** As the authority writes it: the old form has a dash after eight digits. */
export function asAuthorityWrites(normal: string): string {
  return /^\d{12}$/.test(normal) ? `${normal.slice(0, 8)}-${normal.slice(8)}` : normal
}

export const taxIds: TaxIdRules = {
  types: [
    { type: 'national', label: 'Tax identification number', example: '20198222-0002' },
    { type: 'registration', label: 'Company registration number', example: 'RC1401999' },
    { type: 'foreign', label: 'Tax number of another country', example: 'GB123456789' },
    { type: 'none', label: 'No tax number', example: null },
  ],
  normalise: (type, text) => normalisers[type](text),
  written: asAuthorityWrites,
  canBeChecked: (type) => type === 'national' || type === 'registration',
}
