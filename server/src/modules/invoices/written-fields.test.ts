import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../test/harness/invoices.ts'
import { sampleOf } from '../../../../test/harness/written-fields.ts'
import { documentOf, line } from '../../../../test/ubl/documents.ts'
import { ublRules } from '../../jurisdictions/ng/ubl-rules.ts'
import { languageCodes } from '../../kernel/languages/languages.ts'
import { wordingOf } from '../../kernel/languages/wording.ts'
import {
  aboutField,
  everyField,
  labelOf,
  printedLines,
  textLengths,
  type WrittenFieldName,
  writtenFieldNames,
} from '../../kernel/written-fields.ts'
import { ublOf } from '../documents/ubl/ubl.ts'
import { matchColumns } from '../imports/columns.ts'

let app: TestApp
let own: Issuer
beforeAll(async () => {
  app = await startTestApp()
  own = await issuer(app)
})
afterAll(() => app.close())

const path = '/i/v1/invoices'
const isDay = (name: WrittenFieldName) => aboutField(name).kind === 'day'
/** Before every sample, so that a day may get it while later days are set. */
const earlyDay = '2026-10-01'
const days = writtenFieldNames.filter(isDay)
/** Each day that must not be before another one, with that one. */
const pairs = writtenFieldNames.flatMap((last) => {
  const about = aboutField(last)
  return about.kind === 'day' && about.notBefore !== undefined ? [{ first: about.notBefore, last }] : []
})
const faultsIn = (reply: { body: { error?: { details?: { path: string }[] } } }) =>
  reply.body.error?.details?.map((fault) => fault.path).sort()

describe.each(['A', 'B'] as const)('the written fields of an invoice, in form %s', (form) => {
  const isAccepted = (name: WrittenFieldName) => aboutField(name).forms.includes(form)
  const accepted = writtenFieldNames.filter(isAccepted)
  const written = (value: (name: WrittenFieldName) => string | null) =>
    Object.fromEntries(accepted.map((name) => [name, value(name)]))
  const create = (more: object) => app.client(form).post(path, { token: own.token, body: invoiceBody[form](own, more) })
  const change = (id: string, body: object) => app.client(form).patch(`${path}/${id}`, { token: own.token, body })

  test('are saved, changed and removed', async () => {
    const { status, data } = await create(written(sampleOf))
    expect([status, data]).toEqual([201, expect.objectContaining(written(sampleOf))])
    for (const name of accepted) {
      const other = isDay(name) ? earlyDay : 'Another'
      expect((await change(data.id, { [name]: other })).data[name]).toBe(other)
      expect((await change(data.id, { [name]: null })).data[name]).toBe(null)
    }
    expect((await app.client(form).get(`${path}/${data.id}`, { token: own.token })).data).toMatchObject(
      written(() => null),
    )
  })

  test('have a longest length if they are texts', async () => {
    const texts = textLengths.filter(([name]) => isAccepted(name))
    const ofLength = (more: number) =>
      create(Object.fromEntries(texts.map(([name, maxLength]) => [name, 'x'.repeat(maxLength + more)])))
    const longest = await ofLength(0)
    expect(longest.status, longest.text).toBe(201)
    expect(faultsIn(await ofLength(1))).toEqual(texts.map(([name]) => name).sort())
  })

  test('are days of the calendar if they are days', async () => {
    for (const name of days.filter(isAccepted))
      for (const value of ['2026-02-30', '2026-2-3', '31/10/2026', '', 20261031])
        expect([value, faultsIn(await create({ [name]: value }))]).toEqual([value, [name]])
  })

  test('are not before the day that they must follow', async () => {
    for (const { first, last } of pairs.filter((pair) => isAccepted(pair.first) && isAccepted(pair.last))) {
      const late = { [first]: '2026-10-31', [last]: '2026-10-30' }
      const refused = await create({ ...late, dueDate: '2026-11-01' })
      expect([refused.status, faultsIn(refused)]).toEqual([400, ['dueDate', last].sort()])
      expect(refused.body.error.details).toContainEqual(
        expect.objectContaining({ path: last, message: `must not be before ${first}, 2026-10-31` }),
      )
      const { data } = await create({ [first]: '2026-10-31', [last]: '2026-10-31' })
      expect(faultsIn(await change(data.id, { [last]: '2026-10-30' }))).toEqual([last])
      expect(faultsIn(await change(data.id, { [first]: '2026-11-01' }))).toEqual([last])
      expect((await change(data.id, { [first]: null, [last]: '2026-10-30' })).status).toBe(200)
      expect(faultsIn(await change(data.id, { [first]: '2026-10-31' }))).toEqual([last])
    }
  })

  test('are refused if the form does not have them', async () => {
    for (const name of writtenFieldNames.filter((one) => !accepted.includes(one)))
      expect((await create({ [name]: sampleOf(name) })).body.error.details).toMatchObject([{ path: name }])
  })
})

test('a credit note takes over the fields that the table says', async () => {
  const body = invoiceBody.A(own, everyField(sampleOf))
  const { id } = (await app.a.post(path, { token: own.token, body })).data
  expect((await app.a.post(`${path}/${id}/finalise`, { token: own.token })).status).toBe(200)
  const note = await app.a.post(`${path}/${id}/credit-notes`, { token: own.token, body: { reason: 'Returned' } })
  expect([note.status, note.data]).toEqual([
    201,
    expect.objectContaining(everyField((name) => (aboutField(name).isCopiedToCorrections ? sampleOf(name) : null))),
  ])
})

test('a quote has every field, by the same rules, and gives it to its invoice', async () => {
  const { buyerId, currency, lineItems } = invoiceBody.A(own)
  const quote = (more: object) =>
    app.a.post('/i/v1/quotes', {
      token: own.token,
      body: { buyerId, currency, lineItems, ...everyField(sampleOf), ...more },
    })
  const { status, data } = await quote({})
  expect([status, data]).toEqual([201, expect.objectContaining(everyField(sampleOf))])
  for (const { last } of pairs) expect(faultsIn(await quote({ [last]: earlyDay }))).toEqual([last])
  const copy = await app.a.post(`/i/v1/quotes/${data.id}/duplicate`, { token: own.token })
  for (const name of days) expect([name, copy.data[name]]).toEqual([name, null])
  for (const { last } of pairs)
    expect(faultsIn(await quote({ [last]: earlyDay, validUntil: '2000-01-01' }))).toEqual([last, 'validUntil'].sort())
  const sent = await app.a.post(`/i/v1/quotes/${data.id}/send`, { token: own.token, body: { mail: false } })
  expect(sent.status, sent.text).toBe(200)
  const converted = await app.a.post(`/i/v1/quotes/${data.id}/convert`, { token: own.token, body: {} })
  expect(converted.status, converted.text).toBe(200)
  const invoice = await app.a.get(`${path}/${converted.data.results[0].invoiceId}`, { token: own.token })
  expect(invoice.data).toMatchObject({ ...everyField(sampleOf), quoteReference: data.quoteNumber })
})

test('a schedule of recurring invoices has every text, and no day', async () => {
  const { buyerId, currency, lineItems } = invoiceBody.A(own)
  const texts = writtenFieldNames.filter((name) => !isDay(name))
  const written = Object.fromEntries(texts.map((name) => [name, sampleOf(name)]))
  const schedule = (more: object) =>
    app.a.post('/i/v1/recurring-invoices', {
      token: own.token,
      body: {
        name: 'Service',
        unit: 'month',
        startsOn: '2030-01-01',
        policy: 'draft',
        invoice: { buyerId, currency, lineItems, ...written, ...more },
      },
    })
  const { status, data } = await schedule({})
  expect([status, data]).toEqual([201, expect.objectContaining({ invoice: expect.objectContaining(written) })])
  for (const name of days) expect(faultsIn(await schedule({ [name]: earlyDay }))).toEqual([`invoice.${name}`])
})

test('every field is in the UBL document', () => {
  for (const type of ['standard', 'credit_note'] as const) {
    const xml = ublOf(documentOf({ type, lines: [line()], ...everyField(sampleOf) }), ublRules)
    for (const name of writtenFieldNames) expect(xml).toContain(sampleOf(name))
  }
})

test.each(languageCodes)('days are printed as dates are written, in %s', (code) => {
  const wording = wordingOf(code)
  const printed = printedLines(everyField(sampleOf), wording)
  for (const name of days) expect(printed).toContainEqual([labelOf(name, wording), wording.day(sampleOf(name))])
  expect(
    printedLines(
      everyField(() => null),
      wording,
    ).filter(([, value]) => value !== null),
  ).toEqual([])
})

const imported = writtenFieldNames.flatMap((name) => {
  const { importedAs } = aboutField(name)
  return importedAs ? [{ name, label: importedAs[0] }] : []
})

test('a column of an imported file is found by its label', () => {
  for (const { name, label } of imported)
    expect(matchColumns('invoices', [label], undefined)).toEqual([{ column: label, field: name }])
})

/** The day first, as people write it. */
const inFile = (name: WrittenFieldName, value: string) =>
  isDay(name) ? value.split('-').toReversed().join('/') : value

test('an imported file fills the fields, and its days are read and checked as other dates', async () => {
  const row = (number: string, value: (name: WrittenFieldName) => string) =>
    [number, '31/01/2026', 'Milling', '1', '100', 'STANDARD_VAT', 'EA']
      .concat(imported.map(({ name }) => inFile(name, value(name))))
      .join(',')
  const header = ['Invoice number', 'Date', 'Description', 'Qty', 'Unit price', 'VAT', 'Unit']
  const faulty = [
    ...days.map((day) => ({ day, value: '2026-02-30' })),
    ...pairs.map(({ last }) => ({ day: last, value: earlyDay })),
  ].filter(({ day }) => imported.some(({ name }) => name === day))
  const content = [
    header.concat(imported.map(({ label }) => label)).join(','),
    row('IMPWF1', sampleOf),
    ...faulty.map(({ day, value }, at) => row(`IMPWF${at + 2}`, (name) => (name === day ? value : sampleOf(name)))),
  ].join('\n')
  const body = { kind: 'invoices', fileName: 'invoices.csv', format: 'csv', content }
  const { id } = (await app.a.post('/i/v1/imports', { token: own.token, body })).data
  const report = async () => (await app.a.get(`/i/v1/imports/${id}`, { token: own.token })).data
  await eventually(async () => expect((await report()).status).toBe('checked'))
  const { counts, faults } = await report()
  expect(counts).toMatchObject({ ready: 1, faulty: faulty.length })
  const labels = faulty.map(({ day }) => imported.find(({ name }) => name === day)?.label)
  expect(faults.map((fault: { row: number; column: string }) => [fault.row, fault.column])).toEqual(
    labels.map((label, at) => [at + 3, label]),
  )
  await app.a.post(`/i/v1/imports/${id}/run`, { token: own.token })
  await eventually(async () => expect((await report()).status).toBe('done'))
  const [made] = (await app.a.get(`${path}?search=IMPWF1`, { token: own.token })).data
  expect(made).toMatchObject(Object.fromEntries(imported.map(({ name }) => [name, sampleOf(name)])))
})

test('a day follows a day in a row above', () => {
  for (const { first, last } of pairs) {
    expect(days).toContain(first)
    expect(days.indexOf(first)).toBeLessThan(days.indexOf(last))
  }
})
