import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../test/harness/invoices.ts'
import { documentOf, line } from '../../../../test/ubl/documents.ts'
import { ublRules } from '../../jurisdictions/ng/ubl-rules.ts'
import { aboutField, everyField, writtenFieldNames } from '../../kernel/written-fields.ts'
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

describe.each(['A', 'B'] as const)('the texts of an invoice, in form %s', (form) => {
  const accepted = writtenFieldNames.filter((name) => aboutField(name).forms.includes(form))
  const written = (textOf: (name: (typeof accepted)[number]) => string | null) =>
    Object.fromEntries(accepted.map((name) => [name, textOf(name)]))
  const create = (more: object) => app.client(form).post(path, { token: own.token, body: invoiceBody[form](own, more) })

  test('are saved, changed and removed', async () => {
    const { status, data } = await create(written((name) => `The ${name}`))
    expect([status, data]).toEqual([201, expect.objectContaining(written((name) => `The ${name}`))])
    const edit = (body: object) => app.client(form).patch(`${path}/${data.id}`, { token: own.token, body })
    for (const name of accepted) {
      expect((await edit({ [name]: 'Another' })).data[name]).toBe('Another')
      expect((await edit({ [name]: null })).data[name]).toBe(null)
    }
    expect((await app.client(form).get(`${path}/${data.id}`, { token: own.token })).data).toMatchObject(
      written(() => null),
    )
  })

  test('have a longest length', async () => {
    const longest = await create(written((name) => 'x'.repeat(aboutField(name).maxLength)))
    expect(longest.status, longest.text).toBe(201)
    const tooLong = await create(written((name) => 'x'.repeat(aboutField(name).maxLength + 1)))
    expect(tooLong.body.error.details.map((fault: { path: string }) => fault.path).sort()).toEqual([...accepted].sort())
  })

  test('are refused if the form does not have them', async () => {
    for (const name of writtenFieldNames.filter((one) => !accepted.includes(one)))
      expect((await create({ [name]: 'Text' })).body.error.details).toMatchObject([{ path: name }])
  })
})

test('a credit note takes over the texts that the table says', async () => {
  const texts = everyField((name) => `The ${name}`)
  const { id } = (await app.a.post(path, { token: own.token, body: invoiceBody.A(own, texts) })).data
  expect((await app.a.post(`${path}/${id}/finalise`, { token: own.token })).status).toBe(200)
  const note = await app.a.post(`${path}/${id}/credit-notes`, { token: own.token, body: { reason: 'Returned' } })
  expect([note.status, note.data]).toEqual([
    201,
    expect.objectContaining(everyField((name) => (aboutField(name).isCopiedToCorrections ? texts[name] : null))),
  ])
})

test('every text is in the UBL document', () => {
  for (const type of ['standard', 'credit_note'] as const) {
    const xml = ublOf(documentOf({ type, lines: [line()], ...everyField((name) => `The ${name}`) }), ublRules)
    for (const name of writtenFieldNames) expect(xml).toContain(`The ${name}`)
  }
})

test('a column of an imported file is found by its label', () => {
  for (const name of writtenFieldNames) {
    const { importedAs } = aboutField(name)
    if (importedAs)
      expect(matchColumns('invoices', [importedAs[0]], undefined)).toEqual([{ column: importedAs[0], field: name }])
  }
})
