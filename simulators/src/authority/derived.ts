import { createHash } from 'node:crypto'

/** Invented details. The same input gives the same details, so nothing is stored. */

const hexOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const numberFrom = (text: string): number => Number.parseInt(hexOf(text).slice(0, 12), 16)

export const hexFrom = (text: string, length: number): string => hexOf(text).slice(0, length)

export const digitsFrom = (text: string, length: number): string =>
  String(numberFrom(text) % 10 ** length).padStart(length, '0')

export function uuidFrom(text: string): string {
  const hex = hexOf(text)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export function pick<T>(choice: readonly T[], text: string): T {
  return choice[numberFrom(text) % choice.length] as T
}

const places = ['ZUMA', 'OLUMO', 'IDANRE', 'KAJURU', 'OGBUNIKE', 'YANKARI', 'OBUDU', 'MAMBILLA', 'EREKO', 'NKISI']
const trades = ['FARMS', 'TEXTILES', 'LOGISTICS', 'FOODS', 'PRINTWORKS', 'HARDWARE', 'SYSTEMS', 'CERAMICS', 'TIMBER']
const kinds = ['LIMITED', 'NIGERIA LIMITED', 'ENTERPRISES', 'PLC']

export const companyNameFrom = (text: string): string =>
  `${pick(places, `place ${text}`)} ${pick(trades, `trade ${text}`)} ${pick(kinds, `kind ${text}`)}`

const streets = ['Marina Road', 'Station Road', 'Market Street', 'Harbour Lane', 'Independence Way']
const towns = ['Lagos', 'Ibadan', 'Enugu', 'Kano', 'Port Harcourt', 'Abuja']

export const addressFrom = (text: string): string =>
  `${1 + Number(digitsFrom(`house ${text}`, 2))} ${pick(streets, `street ${text}`)}, ${pick(towns, `town ${text}`)}`

/** The tax number of a business, by its id. Never one with a special ending. */
export const tinOf = (id: string): string => `${1 + (Number(digitsFrom(id, 1)) % 3)}${digitsFrom(`tin ${id}`, 7)}-0001`
