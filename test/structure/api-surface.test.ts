import { expect, test } from 'vitest'
import { logged, surfaceOf } from '../../scripts/api-surface.ts'
import { formA } from '../../server/src/http/form-a/index.ts'
import { formB } from '../../server/src/http/form-b/index.ts'
import type { OpenApiDocument } from '../../server/src/http/openapi/index.ts'
import { openApiOf } from '../../server/src/http/openapi/index.ts'
import { changesOf } from '../../server/src/http/reference/changes.ts'
import { readCommitted } from './source-tree.ts'

const now = openApiOf(formA)
type Loose = Record<string, { properties?: Record<string, unknown> }>
function without(change: (paths: Loose, schemas: Loose) => void): OpenApiDocument {
  const copy = structuredClone(now)
  change(copy.paths as unknown as Loose, copy.components.schemas as Loose)
  return copy
}
const invoicePath = '/i/v1/invoices/{id}'
const noInvoices = without((paths) => delete paths[invoicePath])
const noSku = without((_, { Item }) => delete Item?.properties?.sku)

test('a new operation is one line in the log, with any fields and refusals', () => {
  expect(logged('', '2026-03-01', 'A', noInvoices, now)).toBe(
    ['DELETE', 'GET', 'PATCH'].map((verb) => `2026-03-01\tA\t+\t${verb} ${invoicePath}\n`).join(''),
  )
})

test('a removed and restored field is logged if this happened on two days, and not if on one', () => {
  const gone = logged('', '2026-03-01', 'A', now, noSku)
  expect(gone).toBe('2026-03-01\tA\t-\tItem.sku\n')
  const back = logged(gone, '2026-03-02', 'A', noSku, now)
  expect(back).toBe(`${gone}2026-03-02\tA\t+\tItem.sku\n`)
  expect(logged(gone, '2026-03-01', 'A', noSku, now)).toBe('\n')
})

test('an entry that another branch logged is not logged again', () => {
  const theirs = logged('', '2026-03-01', 'A', noSku, now)
  expect(logged(theirs, '2026-03-02', 'A', noSku, now)).toBe(theirs)
})

test.each([formA, formB])('the committed log knows every operation of $title', (form) => {
  const log = readCommitted('server/src/http/reference/api-changes.tsv')
  const known = new Map(
    log
      .split('\n')
      .map((line) => line.split('\t') as [string, string, string, string])
      .map(([, name, sign, subject]) => [`${name} ${subject}`, sign]),
  )
  const operations = [...surfaceOf(openApiOf(form))].filter((line) => /^[A-Z]+ \S+$/.test(line))
  expect(operations.length).toBeGreaterThan(100)
  expect(
    operations.filter((line) => known.get(`${form.name} ${line}`) !== '+'),
    'run: npm run openapi',
  ).toEqual([])
})

test('the page groups related entries, newest day first', () => {
  const log = [
    '2026-03-01\tA\t+\tGET /x',
    '2026-03-02\tA\t+\tBuyer.email',
    '2026-03-02\tA\t+\tBuyer.name',
    '2026-03-02\tA\t-\tGET /x query page',
    '2026-03-02\tB\t+\tGET /y',
  ].join('\n')
  expect(changesOf(formA, log)).toEqual([
    {
      day: '2026-03-02',
      added: [{ subject: 'Buyer', parts: ['email', 'name'] }],
      removed: [{ subject: 'GET /x', parts: ['query page'] }],
    },
    { day: '2026-03-01', added: [{ subject: 'GET /x', parts: [] }], removed: [] },
  ])
})
