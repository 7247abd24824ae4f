import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/harness/app.ts'

const run = promisify(execFile)
const sdk = new URL('..', import.meta.url)
/** Users have one of these versions. */
const [newer, older] = ['typescript', 'typescript-5'].map((name) =>
  join(createRequire(import.meta.url).resolve(`${name}/package.json`), '../bin/tsc'),
) as [string, string]
const patience = 120_000
let folder: string
let app: TestApp

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'risiti-sdk-'))
  await run('npm', ['pack', '--pack-destination', folder], { cwd: sdk })
  const [tarball] = await readdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder })
  app = await startTestApp()
}, patience)
afterAll(async () => {
  await app?.close()
  await rm(folder, { recursive: true, force: true })
})

const installed = (...path: string[]) => join(folder, 'node_modules', '@risiti', 'sdk', ...path)

/** All files that a program loads from an entry point. */
async function loaded(file: string, seen = new Map<string, string>()): Promise<ReadonlyMap<string, string>> {
  if (seen.has(file)) return seen
  const text = await readFile(installed('dist', file), 'utf8')
  seen.set(file, text)
  for (const [, path] of text.matchAll(/from '([^']+)'/g)) {
    expect(path, `${file} needs nothing but its own files`).toMatch(/^\.\/[\w.-]+\.js$/)
    await loaded((path as string).slice(2), seen)
  }
  return seen
}

test('the package has no dependencies, and holds nothing but programs and types', async () => {
  const about = JSON.parse(await readFile(installed('package.json'), 'utf8'))
  expect(about).not.toHaveProperty('dependencies')
  expect(about).toMatchObject({
    license: 'MIT',
    homepage: expect.stringMatching(/^https:/),
    repository: { directory: 'sdk' },
    keywords: expect.arrayContaining(['e-invoicing']),
  })
  expect(await readFile(installed('LICENSE'), 'utf8')).toBe(
    await readFile(new URL('../../LICENSE', import.meta.url), 'utf8'),
  )
  const files = await readdir(installed('dist'))
  expect(files.filter((file) => !/\.(js|d\.ts)$/.test(file))).toEqual([])
})

test.each(['@risiti/sdk', '@risiti/sdk/form-b'])(
  'a bundle that only verifies webhooks of %s has no client',
  async (from) => {
    const entry = join(folder, 'receiver.js')
    await writeFile(entry, `import { webhooks } from '${from}'\nconsole.log(webhooks.verify)\n`)
    const bundle = await rolldown({ input: entry, cwd: folder })
    const { output } = await bundle.generate({ minify: true })
    await bundle.close()
    expect(output).toHaveLength(1)
    expect(output[0].code).not.toContain('/i/v1/')
    expect(output[0].code.length).toBeLessThan(4_000)
  },
)

test.each(['index.js', 'form-b.js'])('%s is small, however it is loaded', async (entry) => {
  const text = [...(await loaded(entry)).values()].join('\n')
  expect(text).not.toMatch(/\b(process|Buffer|require)\b/)
  expect(gzipSync(text, { level: 9 }).length).toBeLessThan(12_000)
})

const program = `
const risiti = new Risiti({ baseUrl: URL_OF_THE_SERVICE, apiKey: KEY_OF_THE_SERVICE })
const { id, payableMinor } = await risiti.invoices.create({
  invoiceKind: 'B2C',
  invoiceDate: '2026-11-16',
  currency: 'NGN',
  lineItems: [{ description: 'Palm oil', quantity: 2, unitCode: 'LTR', unitPrice: '1950.50', taxCategory: 'standard' }],
})
for await (const invoice of risiti.invoices.list({ limit: 1 })) if (invoice.id === id) console.log(invoice.status, payableMinor)
`

const theirs = async () => {
  const { organisationId } = await app.person()
  await app.openAccount(organisationId)
  const key = await app.key(organisationId)
  return program.replace('URL_OF_THE_SERVICE', `'${app.url}'`).replace('KEY_OF_THE_SERVICE', `'${key}'`)
}

/** This runtime, and those in RUNTIMES, separated by semicolons: `RUNTIMES="node20;bun;deno run -A"`. */
const runtimes = [process.execPath, ...(process.env.RUNTIMES?.split(';') ?? [])]

test.each(runtimes)('plain JavaScript creates an invoice with it: %s', { timeout: patience }, async (runtime) => {
  await writeFile(join(folder, 'plain.js'), `import { Risiti } from '@risiti/sdk'\n${await theirs()}`)
  const [program = '', ...options] = runtime.split(' ')
  const { stdout } = await run(program, [...options, 'plain.js'], { cwd: folder })
  expect(stdout).toBe('draft 419358\n')
})

test('strict TypeScript knows what it takes and gives, with and without a browser', { timeout: patience }, async () => {
  const good = `import { Refused, Risiti, webhooks, type Invoice } from '@risiti/sdk'
import { Risiti as RisitiB } from '@risiti/sdk/form-b'
${await theirs()}
const invoice: Invoice = await risiti.invoices.finalise(id)
const due: number = invoice.dueMinor
try {
  await new RisitiB({ baseUrl: 'https://api.example.com', token: () => undefined }).buyers.get(id)
} catch (error) {
  if (error instanceof Refused && error.is('credits.insufficient')) {
    const reason: 'credits.insufficient' = error.reason
    console.log(reason, due)
  }
}
const event = await webhooks.verify('', {}, 'whsec_x')
if (event.type === 'buyer.created') console.log(event.data.object.taxIdStatus)
// @ts-expect-error an unknown status
await risiti.invoices.list({ status: 'lost' })
await risiti.invoices.list({ overdue: true })
await risiti.invoices.finalize(id)
await risiti.invoices.update(id, { lineItems: [{ itemId: id, quantity: 1 }] })
const line = { description: 'Soap', quantity: 1, unitCode: 'EA', unitPrice: '10', taxCategory: 'standard' }
// @ts-expect-error an unknown kind
await risiti.invoices.create({ invoiceKind: 'B2X', invoiceDate: '2026-11-16', currency: 'NGN', lineItems: [line] })
// @ts-expect-error an unknown currency
await risiti.invoices.create({ invoiceKind: 'B2C', invoiceDate: '2026-11-16', currency: 'XXX', lineItems: [line] })
// @ts-expect-error a line without an item needs its unit, price and tax category
await risiti.invoices.update(id, { lineItems: [{ description: 'Soap', quantity: 1 }] })
// @ts-expect-error the currency is required
await risiti.invoices.create({ invoiceKind: 'B2C', invoiceDate: '2026-11-16', lineItems: [] })
export { risiti }
`
  await writeFile(join(folder, 'good.ts'), good)
  await writeFile(join(folder, 'console.d.ts'), 'declare const console: { log(...told: unknown[]): void }\n')
  const settings = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext']
  const strictest = [
    '--exactOptionalPropertyTypes',
    '--noUncheckedIndexedAccess',
    '--noPropertyAccessFromIndexSignature',
  ]
  const check = (tsc: string, ...more: string[]) =>
    run(process.execPath, [tsc, ...settings, ...more], { cwd: folder }).catch(({ stdout }) => ({
      stdout: String(stdout),
    }))
  expect((await check(newer, ...strictest, '--lib', 'es2022', 'good.ts', 'console.d.ts')).stdout).toBe('')
  expect((await check(older, '--lib', 'es2022,dom', 'good.ts')).stdout).toBe('')
  // Editors show the description of each name.
  const types = await readFile(installed('dist', 'form-a.gen.d.ts'), 'utf8')
  expect(types).toMatch(/@throws \{Refused\} [^\n]*`invoice\.finalise\.incomplete`[^\n]*\n\s+\*\/\s+finalise\(/)
  expect(types).toMatch(/\/\*\* The total of the document with tax, in minor units\. \*\/\s+payableMinor: number/)
})
