import type { Entry } from './lists.ts'

/** `<Data>` once for each entry, with its fields in PascalCase. */
export const xmlOf = (entries: readonly Entry[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Response>${entries.map((entry) => `<Data>${fieldsOf(entry)}</Data>`).join('')}</Response>`

const fieldsOf = (entry: Entry): string =>
  Object.entries(entry)
    .map(([name, value]) => `<${tagOf(name)}>${escaped(textOf(value))}</${tagOf(name)}>`)
    .join('')

/** `state_code` is `StateCode`, `iso_3166_2` is `Iso31662`. */
const tagOf = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
    .replace(/^(?=\d|$)/, '_')

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
}

/** Characters that XML has no way to write become the replacement character. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replace(/[&<>"']/g, (character) => entities[character] as string)
