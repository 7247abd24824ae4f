import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { ok, invoicesPath as path } from '../../../../test/harness/issued.ts'
import { reporter } from '../../../../test/harness/reporters.ts'
import { reportingDouble } from '../../../../test/harness/reporting-authority.ts'
import { minorUnitsOf } from './verify.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    now: '2026-11-15T09:00:00Z',
    authority: ['sandbox', 'live'],
    authorityThrough: reportingDouble().through,
  })
})
afterAll(() => app.close())

async function ask(irn: string, total: string) {
  const answer = await fetch(`${app.url}/verify?${new URLSearchParams({ irn, total })}`)
  return { status: answer.status, text: await answer.text() }
}

test('whoever holds a reported document learns that it is, and nobody else learns anything', async () => {
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
  for (const words of ['It is a test', invoiceNumber, 'Eze Stores', irn]) expect(found.text).toContain(words)

  const wrongTotal = await ask(irn, '1.00')
  const wrongIrn = await ask(irn.replace(/^[^-]+/, 'NOBODYS1'), total)
  for (const answer of [wrongTotal, wrongIrn]) {
    expect(answer.status).toBe(404)
    expect(answer.text).toContain('Nothing is known of it here')
    expect(answer.text).not.toContain('Eze Stores')
  }
  // Not yet reported is not known either.
  const issued = await own.life.issued()
  const itsIrn = irn.replace(/^[^-]+/, String(issued.invoiceNumber).replace(/[^A-Z0-9]/gi, ''))
  expect((await ask(itsIrn, total)).status).toBe(404)
})

test('what cannot be read is said at its field, and what was typed stays, without becoming markup', async () => {
  const { status, text } = await ask('"><script>', 'much')
  expect(status).toBe(400)
  expect(text).toContain('value="&quot;&gt;&lt;script&gt;"')
  expect(text.match(/aria-invalid="true"/g)).toHaveLength(2)
  expect(text).not.toContain('<script')
})

test('a link brings the IRN along; the page loads nothing but its own style', async () => {
  const answer = await fetch(`${app.url}/verify?irn=INV1-94ND90NR-20261115`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  )
  const text = await answer.text()
  expect(text).toContain('value="INV1-94ND90NR-20261115"')
  const style = await fetch(app.url + (/href="(\/s\/page\.css[^"]*)"/.exec(text)?.[1] as string))
  expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
})

test('those who guess are held back', async () => {
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
])('the total %s is %s in minor units', (text, minor) => expect(minorUnitsOf(text)).toBe(minor))
