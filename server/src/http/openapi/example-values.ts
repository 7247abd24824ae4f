import type { JsonSchema } from './document.ts'
import { variantsOf } from './schema-fields.ts'

export const examples = {
  uuid: '0198c5a2-7b1e-7c3d-9f4a-5e6b7c8d9e0f',
  date: '2026-01-31',
  'date-time': '2026-01-31T09:00:00.000Z',
  email: 'ada@example.com',
  uri: 'https://example.com/risiti',
  byte: 'iVBORw0KGgo=',
  country: 'NG',
  'uuid-or-me': 'me',
}

export const exampleMeta = {
  requestId: 'KQjtDtZNYLtq-j',
  timestamp: examples['date-time'],
  mode: 'sandbox',
}

export const examplePagination = { page: 1, limit: 20, total: 1, totalPages: 1, hasMore: false, nextCursor: null }

/** Plausible values by the name of their field; the first name that fits wins. */
const namedExamples: readonly (readonly [RegExp, string | number])[] = [
  // The token's organisation, and the token's owner.
  [/^(orgId|userId)$/, 'me'],
  [/^(q|search)$/, 'Adebayo'],
  [/^value$/, '12345678-0001'],
  [/email/i, examples.email],
  [/returnPath/, '/billing'],
  [/^id$/, examples.uuid],
  [/^amount$/, '1500.00'],
  [/^exchangeRate$/, '1536.25'],
  [/^exchangeRate$/, 1536.25],
  [/^event$/, 'invoice.*'],
  [/firstName/i, 'Ada'],
  [/lastName/i, 'Obi'],
  [/phone/i, '+2348012345678'],
  [/password/i, 'correct horse battery'],
  [/(taxId|taxNumber|taxNo|^tin)$/i, '12345678-0001'],
  [/^(key|apiKey)$/, 'sk_test_kT9vR2mQ8xLw4nZc'],
  [/(secret|token)$/i, 'kT9vR2mQ8xLw4nZc'],
  [/country/i, 'NG'],
  [/currency/i, 'NGN'],
  [/(invoice)?number$/i, 'INV000001'],
  [/(partyName|businessName|organi[sz]ationName|sellerName|buyerName)/i, 'Adaeze Foods Ltd'],
  [/^(name|label|title)$/, 'Adaeze Foods Ltd'],
  [/(street|line1|address)/i, '12 Marina'],
  [/(city|town)/i, 'Lagos'],
  [/(state|region)/i, 'Lagos'],
  [/(postal|zip)/i, '101001'],
  [/(url|link)$/i, examples.uri],
  [/(description|note|message)/i, 'Consulting in January'],
  [/reason/i, 'Wrong quantity'],
  [/(hsn|hs)Code/i, '100630'],
  [/unit(Code)?$/i, 'C62'],
  [/code$/i, '123456'],
  [/(At|On|Date)$/, examples.date],
  [/(total|amount|price|minor)/i, 1500],
  [/(quantity|count)/i, 2],
  [/(expiresIn|seconds)/i, 900],
  [/(limit|pageSize)/i, 20],
  [/(percent|rate)/i, 7.5],
]

const spareTexts = [
  'As agreed',
  'Lagos',
  '123456',
  '12345678-0001',
  'NG',
  'NGN',
  '+2348012345678',
  examples.date,
  examples.uuid,
  '1',
]

/** A value that fits the schema; with `whole`, optional fields are included. */
export function exampleOf(schema: JsonSchema, name = '', whole = false): unknown {
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if ('default' in schema) return schema.default
  if (schema.enum) return schema.enum[0]
  const [variant] = variantsOf(schema)
  if (variant === undefined) return null
  if (variant !== schema) return exampleOf(variant, name, whole)
  const [type] = [schema.type].flat()
  if (type === 'array') return schema.items ? [exampleOf(schema.items, name.replace(/s$/, ''), whole)] : []
  if (type === 'object') return exampleObject(schema, whole)
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return exampleNumber(schema, name, type)
  if (type === 'null') return null
  return exampleText(schema, name)
}

function exampleObject(schema: JsonSchema, whole: boolean): unknown {
  const { properties = {}, required = [] } = schema
  const all = Object.keys(properties)
  // An update with only optional fields would be empty: its example has the first two.
  const shown = whole ? all : required.length > 0 ? all.filter((key) => required.includes(key)) : all.slice(0, 2)
  return Object.fromEntries(shown.map((key) => [key, exampleOf(properties[key] as JsonSchema, key, whole)]))
}

function exampleNumber(schema: JsonSchema, name: string, type: string): number {
  const named = namedExamples.find(([pattern, value]) => typeof value === 'number' && pattern.test(name))?.[1] ?? 1
  const value = type === 'integer' ? Math.floor(Number(named)) : Number(named)
  const { minimum = value, maximum = value } = schema as { minimum?: number; maximum?: number }
  return Math.min(Math.max(value, minimum), maximum)
}

function exampleText(schema: JsonSchema, name: string): string {
  const ofFormat = examples[schema.format as keyof typeof examples]
  if (ofFormat) return ofFormat
  const named = namedExamples.filter(([pattern, value]) => typeof value === 'string' && pattern.test(name))
  const candidates = [...named.map(([, value]) => String(value)), ...spareTexts]
  return candidates.find((candidate) => fits(candidate, schema)) ?? 'As agreed'.slice(0, schema.maxLength as number)
}

function fits(text: string, schema: JsonSchema): boolean {
  const {
    pattern = '',
    minLength = 0,
    maxLength = Infinity,
  } = schema as { pattern?: string; minLength?: number; maxLength?: number }
  return text.length >= minLength && text.length <= maxLength && new RegExp(pattern, 'u').test(text)
}
