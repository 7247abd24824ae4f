/**
 * Words of buyers, suppliers, members and authorities may try to give a language model orders. Every such text leaves as
 * `{ "untrusted": "…" }`. JSON escapes what it contains, so no text can end its own marking or look like another field.
 */
export interface OutsideWords {
  readonly untrusted: string
}
/** Our own words, or those of others. */
export type Text = string | OutsideWords
export const outside = (untrusted: string): OutsideWords => ({ untrusted })

interface Shape {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly listed?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
}

/** Formats that leave no room for words. */
const wordlessFormats: ReadonlySet<string | undefined> = new Set(['uuid', 'date', 'date-time'])
/**
 * Amounts, tax numbers, days and times; hashes; and codes in capitals, such as document numbers. Each part of a code has a digit: words in
 * capitals with hyphens between them are an order as well.
 */
const wordlessValues: readonly RegExp[] = [
  /^[\d\s.,:+/%-]{0,40}(T[\d:.]+Z)?$/,
  /^[0-9a-f]{64}$/,
  /^[A-Z]{1,8}-?\d{1,12}(-(?=[A-Z]*\d)[A-Z0-9]{1,12}){0,3}$/,
  /^[A-Z0-9]{1,4}$/,
]
/** Texts that Risiti writes, by the name of their field. Inside the words of others these names do not count. */
const ownFields: ReadonlySet<string> = new Set([
  'code',
  'path',
  'rule',
  'message',
  'label',
  'url',
  'contentType',
  'nextCursor',
  'taxCategory',
  'suggestedTaxCategory',
  'action',
  'limitsInWords',
])
/** Whole objects that others wrote: every text in them is marked, under any name. */
const foreignFields: ReadonlySet<string> = new Set(['refusals', 'attempts', 'document', 'told'])

const branchesOf = (shape: Shape | undefined): readonly Shape[] => (shape ? (shape.anyOf ?? [shape]) : [])

const isWordless = (text: string, shape: Shape | undefined): boolean =>
  wordlessValues.some((pattern) => pattern.test(text)) ||
  branchesOf(shape).some(
    ({ enum: words, listed, const: word, format }) =>
      words?.includes(text) || listed?.includes(text) || word === text || wordlessFormats.has(format ?? 'none'),
  )

interface RawJson {
  isRawJSON(value: unknown): boolean
}

/** A value that a route replied with, where every text that the schema of the reply leaves free is marked as data. */
export function asData(value: unknown, shape?: unknown, field = '', isForeign = false): unknown {
  const known = shape as Shape | undefined
  if (typeof value === 'string')
    return isWordless(value, known) || (!isForeign && ownFields.has(field)) ? value : outside(value)
  if (value === null || typeof value !== 'object') return value
  // Amounts beyond the integers that JSON numbers hold exactly.
  if ((JSON as unknown as RawJson).isRawJSON(value)) return JSON.stringify(value)
  const inside = isForeign || foreignFields.has(field)
  if (Array.isArray(value)) {
    const items = branchesOf(known).find((branch) => branch.items)?.items
    return value.map((one) => asData(one, items, field, inside))
  }
  const properties = branchesOf(known).find((branch) => branch.properties)?.properties
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, asData(one, properties?.[name], name, inside)]),
  )
}
