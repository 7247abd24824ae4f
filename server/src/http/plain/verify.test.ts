import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { ok, invoicesPath as path } from '../../../../test/harness/issued.ts'
import { connectToSandbox, reporter } from '../../../../test/harness/reporters.ts'
import { reportingDouble } from '../../../../test/harness/reporting-authority.ts'
import { words as country } from '../../jurisdictions/ng/words.ts'
import { minorOf } from '../../kernel/money-words.ts'
import { verifyPage } from '../shared-page/verify-page.ts'
import { amountOf } from './verify.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    now: '2026-11-15T09:00:00Z',
    authority: ['sandbox', 'live'],
    authorityThrough: reportingDouble().through,
    trustProxy: { hops: 1 },
  })
})
afterAll(() => app.close())

async function ask(irn: string, total: string, from = '192.0.2.99') {
  const answer = await fetch(`${app.url}/verify?${new URLSearchParams({ irn, total })}`, {
    headers: { 'x-forwarded-for': from },
  })
  return { status: answer.status, text: await answer.text() }
}

test('a visitor with the IRN and the total sees that the document was reported, and others learn nothing', async () => {
  const own = await reporter(app)
  const { id } = await own.submitted()
  const { report } = await own.until(id, 'accepted')
  const irn = report.reference as string
  const { invoiceNumber, payableMinor } = ok(await app.a.get(`${path}/${id}`, { token: own.token }))
  const total = (Number(payableMinor) / 100).toFixed(2)

  const found = await ask(
    ` ${irn.toLowerCase()} `,
    `₦${Number(total).toLocaleString('en', { minimumFractionDigits: 2 })}`,
  )
  expect(found.status).toBe(200)
  for (const words of ['This is a test document', invoiceNumber, 'Eze Stores', irn]) expect(found.text).toContain(words)

  const wrongTotal = await ask(irn, '1.00')
  const wrongIrn = await ask(irn.replace(/^[^-]+/, 'NOBODYS1'), total)
  for (const answer of [wrongTotal, wrongIrn]) {
    expect(answer.status).toBe(404)
    expect(answer.text).toContain('This document was not found')
    expect(answer.text).not.toContain('Eze Stores')
  }
  // Not yet reported is not known either.
  const issued = await own.life.issued()
  const itsIrn = irn.replace(/^[^-]+/, String(issued.invoiceNumber).replace(/[^A-Z0-9]/gi, ''))
  expect((await ask(itsIrn, total)).status).toBe(404)

  // The number stays what it was, whatever the business is connected under since then.
  ok(await app.a.delete('/i/v1/tax-connection', { token: own.token }))
  await connectToSandbox(app, own.token)
  const later = await own.submitted()
  const latest = (await own.until(later.id, 'accepted')).report.reference as string
  expect(latest.split('-')[1]).not.toBe(irn.split('-')[1])
  for (const one of [irn, latest]) expect(await ask(one, total)).toMatchObject({ status: 200 })
})

test('the total cannot be guessed, from any network and for any IRN', async () => {
  const irn = 'INV9-NOBODYS1-20261115'
  const statuses: number[] = []
  // Twice as many, for the hour may end between two of them.
  for (let total = 0; total < 21 && statuses.at(-1) !== 429; total++)
    statuses.push((await ask(irn, `${total}.00`)).status)
  expect(statuses.at(-1)).toBe(429)
  expect(statuses.length).toBeGreaterThan(10)
  const held = await fetch(`${app.url}/verify?irn=${irn.toLowerCase()}&total=1`, {
    headers: { 'x-forwarded-for': '192.0.2.99' },
  })
  expect([held.status, Number(held.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect(await held.text()).toMatch(/again in (\d+ (minutes|seconds)|a second)/)
  expect((await ask('INV8-NOBODYS1-20261115', '1')).status).toBe(404)
})

test('guesses lock nobody else out, and many networks get few tries each', async () => {
  const irn = 'INV7-NOBODYS1-20261115'
  /** how many tries a network gets before it is held back */
  const triesOf = async (network: string): Promise<number> => {
    for (let tries = 0; tries < 21; tries++) if ((await ask(irn, `${tries}.00`, network)).status === 429) return tries
    return expect.fail('it was never held back')
  }
  const inAnHour: number[] = []
  for (const network of ['192.0.2.1', '198.51.100.1', '203.0.113.1', '192.88.99.1', '192.88.98.1'])
    inAnHour.push(await triesOf(network))
  // The hour may end between two of them, and then a network has as many again.
  expect(inAnHour.slice(0, 2).every((tries) => tries >= 10)).toBe(true)
  expect(Math.min(...inAnHour.slice(3))).toBe(3)
  // A holder of the document on another network gets a reply.
  expect((await ask(irn, '1.00', '127.9.9.9')).status).toBe(404)
})

test.each([
  ['live', false, 'good', 'This document was reported to the tax authority'],
  ['live', true, 'warn', 'This document was reported, and cancelled later'],
  ['sandbox', false, 'warn', 'This is a test document'],
  ['sandbox', true, 'warn', 'This is a test document'],
] as const)('a document of the %s mode, cancelled: %s, reads "%s"', (mode, isCancelled, tone, words) => {
  const page = verifyPage(
    { reference: 'INV1-94ND90NR-20261115', total: '1' },
    {
      kind: 'known',
      facts: {
        ...{ type: 'standard', number: 'INV-1', mode, issueDate: '2026-11-15', currency: 'NGN', isCancelled },
        ...{ taxMinor: 0n, payableMinor: 100n, reference: 'INV1-94ND90NR-20261115' },
        sellerName: '</dd><script>alert(1)</script>',
      },
    },
    country.reference,
  )
  expect(page).toContain(`class="answer ${tone}"`)
  expect(page).toContain(words)
  expect(page).not.toContain('<script')
})

test('an unreadable value is reported at its field, and the typed text stays, escaped', async () => {
  const { status, text } = await ask('"><script>', 'much')
  expect(status).toBe(400)
  expect(text).toContain('value="&quot;&gt;&lt;script&gt;"')
  expect(text.match(/aria-invalid="true"/g)).toHaveLength(2)
  expect(text).not.toContain('<script')
  const long = await fetch(`${app.url}/verify?irn=${'A'.repeat(5_000)}&total=${'1'.repeat(5_000)}`)
  expect([long.status, (await long.text()).length < 6_000]).toEqual([400, true])
  expect((await fetch(`${app.url}/verify?irn=A&irn=B&total=1&total=2`)).status).toBe(400)
})

test('a link fills in the IRN, and the page loads only its own style', async () => {
  const answer = await fetch(`${app.url}/verify?irn=INV1-94ND90NR-20261115`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  )
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('x-robots-tag')).toBe('noindex')
  const text = await answer.text()
  expect(text).toContain('value="INV1-94ND90NR-20261115"')
  const style = await fetch(app.url + (/href="(\/s\/page\.css[^"]*)"/.exec(text)?.[1] as string))
  expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
})

test('guesses are limited', async () => {
  const strict = await startTestApp({ limits: { address: 2 } })
  const statuses: number[] = []
  for (let guess = 0; guess < 4; guess++) statuses.push((await fetch(`${strict.url}/verify`)).status)
  expect(statuses).toContain(429)
  await strict.close()
})

test.each([
  ['45,150.00', 4_515_000n],
  ['₦45150', 4_515_000n],
  ['NGN 45,150.5', 4_515_050n],
  ['45150.00 NGN', 4_515_000n],
  ['45,15.00', undefined],
  ['-1', undefined],
  ['1.234', undefined],
  ['', undefined],
])('the total %s is %s in minor units', (text, minor) => {
  const read = amountOf(text)
  expect(read && minorOf(read, 'NGN')).toBe(minor)
})
