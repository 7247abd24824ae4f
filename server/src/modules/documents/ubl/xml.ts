import { spelled } from '../../../kernel/decimal.ts'
import { currencyDigits } from '../../../kernel/money-words.ts'

const unfit = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u
const markup = /[&<>"']/
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/**
 * The text as XML 1.0 can hold it. Control characters except line breaks and tabs are dropped, and half characters
 * are replaced. Line breaks become what a reader would make of them.
 */
export function holdable(text: string): string {
  if (!unfit.test(text)) return text.trim()
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\uFFFE\uFFFF]/gu, '')
    .toWellFormed()
    .trim()
}

export const escaped = (text: string): string =>
  markup.test(text) ? text.replace(/[&<>"']/g, (sign) => entities[sign] as string) : text

/** An element with a text, or nothing: Peppol allows no empty elements. */
export function optional(name: string, text: string | null | undefined): string {
  if (text === null || text === undefined) return ''
  const kept = holdable(text)
  return kept === '' ? '' : `<${name}>${escaped(kept)}</${name}>`
}

/** A required element, even if its value is unknown. */
export const required = (name: string, text: string): string => optional(name, text) || `<${name}>-</${name}>`

/** An element around others, or nothing if they are empty. */
export const around = (name: string, inner: string): string => (inner === '' ? '' : `<${name}>${inner}</${name}>`)

export const amount = (name: string, minor: bigint, currency: string): string =>
  `<${name} currencyID="${currency}">${spelled(minor, currencyDigits(currency))}</${name}>`
