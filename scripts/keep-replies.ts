import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as forms from '../server/src/http/forms.ts'
import { replyKey } from '../server/src/http/openapi/reply-examples.ts'

/**
 * Records real replies as examples for the API documents. Runs the named tests, or all, and their client saves every
 * reply. The fullest short reply of each kind is kept, and kinds without a new reply stay. If a folder with saved
 * replies is given, no test runs.
 */
const file = new URL('../server/src/http/openapi/replies.json', import.meta.url)
const longest = 1_600
const [first = '', ...others] = process.argv.slice(2)
const folder = first.startsWith('--gathered=') ? first.slice('--gathered='.length) : undefined

interface KeptReply {
  readonly form: 'A' | 'B'
  readonly id: string
  readonly data: unknown
}

const gatheredIn = folder ?? mkdtempSync(join(tmpdir(), 'risiti-replies-'))
if (folder === undefined)
  spawnSync('npx', ['vitest', 'run', ...[first, ...others].filter(Boolean)], {
    stdio: 'inherit',
    env: { ...process.env, GATHER_REPLIES: gatheredIn },
  })

const keys = new Map<string, string>(
  Object.values(forms).flatMap((form) =>
    form.routes.map((one) => [`${form.name} ${one.module}_${one.name}`, replyKey(one)] as const),
  ),
)

/** Replaces test values with realistic ones, and secrets with placeholders. */
const plain: readonly (readonly [RegExp, string])[] = [
  [/^p[0-9a-f]{12}@example\.test$/, 'ngozi@eze-stores.example.com'],
  [/example\.test\b/, 'example.com'],
  [/^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?/, 'https://api.example.com'],
  [/^127\.0\.0\.1$/, '203.0.113.7'],
  [/^(node|vitest)$/, 'Mozilla/5.0'],
  [/^n[0-9a-f-]{36}$/, 'bookkeeper'],
  [/^http:\/\/dashboard\.test/, 'https://app.example.com'],
  [/^(sk_(?:test|live)_)[\w-]+$/, '$1kT9vR2mQ8xLw4nZc'],
  [/^(whsec_)[\w-]+$/, '$1kT9vR2mQ8xLw4nZc'],
  [/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/, 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwMTk4In0.kT9vR2mQ8xLw4nZc'],
]
const secret = /^(refreshToken|secret|token|code|mfaToken|challenge)$/

/** A valid picture of one pixel. */
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function tidy(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, 3).map((one) => tidy(one, name))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, tidy(one, key)]))
  if (typeof value !== 'string') return value
  const told = plain.reduce((text, [pattern, words]) => text.replace(pattern, words), value)
  if (secret.test(name) && told.length > 24 && told === value) return 'kT9vR2mQ8xLw4nZcB6yH1sDf3gJp5aEu'
  if (name === 'base64') return onePixel
  return told.length > 300 ? `${told.slice(0, 60)}…` : told
}

/** Unrealistic test values: a single letter as a name, or one letter repeated. */
const isOdd = (value: unknown): boolean =>
  typeof value === 'string'
    ? /^[a-z]$|([^0])\1{11}|<\w/.test(value)
    : value !== null &&
      typeof value === 'object' &&
      // A mail in HTML has tags.
      Object.entries(value).some(([name, one]) => name !== 'html' && isOdd(one))

/** Number of values in a reply that carry information. */
function fullness(value: unknown): number {
  if (value === null || value === '') return 0
  if (Array.isArray(value)) return value.length === 0 ? 0 : 1 + Math.max(...value.map(fullness))
  if (typeof value === 'object')
    return Object.values(value as object).reduce((sum: number, one) => sum + fullness(one), 0)
  return 1
}

const kept = JSON.parse(readFileSync(file, 'utf8')) as Record<'A' | 'B', Record<string, unknown>>
const worthOf = (value: unknown, length = JSON.stringify(value).length): number =>
  isOdd(value) ? 0 : length > longest ? 1 / length : fullness(value)
const best = new Map<string, number>(
  Object.entries(kept).flatMap(([form, ofForm]) =>
    Object.entries(ofForm).map(([key, value]) => [`${form} ${key}`, worthOf(value)] as const),
  ),
)
for (const name of readdirSync(gatheredIn)) {
  for (const line of readFileSync(join(gatheredIn, name), 'utf8').split('\n').filter(Boolean)) {
    const { form, id, data } = JSON.parse(line) as KeptReply
    const key = keys.get(`${form} ${id}`)
    if (key === undefined) continue
    const value = tidy(data)
    const worth = worthOf(value)
    if (worth <= (best.get(`${form} ${key}`) ?? 0)) continue
    best.set(`${form} ${key}`, worth)
    kept[form][key] = value
  }
}
const known = new Set([...keys].map(([route, key]) => `${route.charAt(0)} ${key}`))
const sorted = Object.fromEntries(
  (['A', 'B'] as const).map((form) => [
    form,
    Object.fromEntries(
      Object.entries(kept[form])
        .filter(([key]) => known.has(`${form} ${key}`))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  ]),
)
const lines = Object.entries(sorted).map(
  ([form, ofForm]) =>
    `${JSON.stringify(form)}: {\n${Object.entries(ofForm)
      .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
      .join(',\n')}\n}`,
)
writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
if (folder === undefined) rmSync(gatheredIn, { recursive: true, force: true })
const missing = [...known].filter((one) => !(one.slice(2) in (sorted[one.charAt(0)] as object)))
console.log(`${known.size - missing.length} of ${known.size} kinds of answers are kept; without: ${missing.join(', ')}`)
