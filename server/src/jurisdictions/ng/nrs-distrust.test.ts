import { createCipheriv } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { business, documentOf, lists } from '../../../../test/harness/authority-documents.ts'
import { outbound } from '../../../../test/harness/outbound.ts'
import { type StubAnswer, StubServer } from '../../../../test/harness/stub-server.ts'
import type { Authority } from '../port.ts'
import { nrsAuthority } from './nrs-client.ts'
import { reporting } from './reporting.ts'

const keys = { apiKey: '3f0c7a52-5d0e-4b7e-9d55-0f3f5a1f2b10', apiSecret: 'secret-that-nobody-may-read' }
const patience = new AbortController().signal
const stub = new StubServer()
let authority: Required<Authority>
beforeAll(async () => {
  await stub.start()
  authority = nrsAuthority({ outbound, ...keys, baseUrl: stub.url })
})
afterAll(() => stub[Symbol.asyncDispose]())

const { reference, bytes } = reporting.documentFor(documentOf(), business, lists)
const otherReference = reference.replace('INV000049', 'INV000050')
const standing = { issue_date: '2026-11-14', payment_status: 'PENDING', transmitted: true, delivered: true }

function sealed(text: string, apiKey = keys.apiKey) {
  const [pub, iv] = ['a'.repeat(24), Buffer.alloc(16, 7)]
  const cipher = createCipheriv('aes-256-cfb', Buffer.from(pub + apiKey.split('-')[0]), iv)
  return { iv_hex: iv.toString('hex'), pub, data: cipher.update(text, 'utf8').toString('base64url') }
}

const questions: Readonly<Record<string, () => Promise<{ readonly kind: string }>>> = {
  validateReference: () => authority.validateReference({ reference, businessId: business.businessId }, patience),
  validate: () => authority.validate(bytes, patience),
  sign: () => authority.sign(bytes, patience),
  lookup: () => authority.lookup(reference, patience),
  transmit: () => authority.transmit(reference, patience),
  lookupExchange: () => authority.lookupExchange(reference, patience),
  download: () => authority.download(reference, patience),
  updatePaymentStatus: () => authority.updatePaymentStatus(reference, { status: 'paid' }, patience),
  pull: () => authority.pull({ from: '2026-11-01', to: '2026-11-02' }, patience),
  acknowledge: () => authority.acknowledge(reference, patience),
}
const hear = (method: string, answer: StubAnswer) => {
  stub.answer = () => answer
  return questions[method]?.() as Promise<{ readonly kind: string }>
}
const no = (error: object, status = 400): StubAnswer => ({
  status,
  body: { code: status, data: null, message: 'error has occurred', error },
})
const tryLater = 'unable to complete this operation at this time, kindly try again later'
const generic = 'validation failed: we are unable to process your request. also confirm this is not a duplicate request'

describe.each(Object.keys(questions))('%s treats as unclear:', (method) => {
  test.each<[string, StubAnswer, string, boolean]>([
    ['a web page', { headers: { 'content-type': 'text/html' }, body: '<p>Welcome</p>' }, 'not_protocol', true],
    ['half of a JSON', { body: '{"code":200,"data":{"ok":tr' }, 'not_protocol', true],
    ['nothing', { body: '' }, 'not_protocol', true],
    ['no data', { body: { code: 200, data: null } }, 'not_protocol', true],
    ['other data', { body: { code: 201, data: 'yes' } }, 'not_protocol', true],
    ['a yes that is none', { body: { code: 200, data: { ok: false, invoices: 'many' } } }, 'not_protocol', true],
    ['a no that came as a yes', { body: { code: 400, data: { ok: true }, error: {} } }, 'not_protocol', true],
    ['two things at once', { status: 400, body: { code: 201, data: { ok: true }, error: {} } }, 'not_protocol', true],
    [
      'a route that is not there',
      { status: 404, body: { code: 404, data: null, message: 'no route' } },
      'not_protocol',
      true,
    ],
    ['an odd status', { status: 418, body: { code: 201, data: { ok: true } } }, 'not_protocol', true],
    ['a redirect', { status: 302, headers: { location: '/elsewhere' }, body: '' }, 'not_protocol', true],
    ['500', { status: 500, body: { code: 500, data: { ok: true } } }, 'server_error', true],
    ['502 of a proxy', { status: 502, body: '<h1>Bad gateway</h1>' }, 'server_error', true],
    ['401', { status: 401, body: {} }, 'keys_refused', false],
    ['wrong keys', no({ public_message: 'unable to validate api key' }), 'keys_refused', false],
    ['429', { status: 429, body: {} }, 'too_many', false],
    ['a plea to come later', no({ public_message: tryLater }), 'ambiguous', false],
    ['the same in the details', no({ details: tryLater, public_message: generic }), 'ambiguous', false],
    ['a no without a reason', no({ public_message: generic }), 'ambiguous', false],
    [
      'what may be there already',
      no({ details: 'invoice.irn already exists', public_message: generic }),
      'ambiguous',
      false,
    ],
  ])('%s', async (_, answer, reason, countsAgainstHealth) => {
    const heard = await hear(method, answer)
    expect(heard).toMatchObject({ kind: 'unclear', reason, countsAgainstHealth })
    for (const secret of Object.values(keys)) expect(JSON.stringify(heard)).not.toContain(secret)
  })
})

test.each<[string, unknown]>([
  ['validate', { ok: true, irn: otherReference }],
  ['sign', { ok: true, irn: otherReference }],
  ['transmit', { ok: true, irn: otherReference }],
  ['acknowledge', { ok: true, irn: otherReference }],
  ['lookup', { ...standing, irn: otherReference }],
  ['lookup', { ...standing, issue_date: '2026-11-15' }],
  ['lookupExchange', { irn: otherReference, parties: [] }],
  ['download', sealed(JSON.stringify({ irn: otherReference }))],
])('%s treats an answer about another document as unclear', async (method, data) => {
  expect(await hear(method, { body: { code: 200, data } })).toMatchObject({
    kind: 'unclear',
    reason: 'other_document',
    countsAgainstHealth: true,
  })
})

test.each<[string, unknown]>([
  ['of somebody else', sealed(JSON.stringify({ irn: reference }), '00000000-x')],
  ['with another key length', { ...sealed('{}'), pub: 'short' }],
  ['without a vector', { ...sealed('{}'), iv_hex: '' }],
  ['that is no JSON', sealed('hello')],
  ['that is no document', sealed('[]')],
])('a download %s cannot be opened', async (_, data) => {
  expect(await hear('download', { body: { code: 200, data } })).toMatchObject({
    kind: 'unclear',
    reason: 'not_protocol',
  })
})

test.each([
  no({ public_message: 'invoice not found', details: 'record not found' }, 404),
  no({ public_message: 'invoice not found' }),
  no({ details: `irn ${reference} does not exist`, public_message: generic }),
])('a lookup answers "absent" if the authority says that it does not know the document', async (answer) => {
  for (const method of ['lookup', 'download', 'lookupExchange'])
    expect(await hear(method, answer)).toEqual({ kind: 'absent' })
  expect(await hear('sign', answer)).toMatchObject({ kind: 'refused' })
})

test('a lookup that is refused for another reason does not answer "absent"', async () => {
  const answer = no({ details: 'irn validation failed', public_message: generic })
  for (const method of ['lookup', 'download', 'lookupExchange'])
    expect(await hear(method, answer)).toMatchObject({ kind: 'unclear', countsAgainstHealth: false })
})

test('a lookup accepts an answer with the required fields only', async () => {
  expect(await hear('lookup', { body: { code: 200, data: { issue_date: '2026-11-14', sync_date: null } } })).toEqual({
    kind: 'found',
    transmitted: false,
    delivered: false,
    paymentStatus: undefined,
    registeredOn: undefined,
  })
})

test('a refusal is passed on in the words of the authority, without the general message', async () => {
  const details = 'invoicerequest.invoice.issuedate is required'
  expect(await hear('sign', no({ details, public_message: generic }))).toEqual({ kind: 'refused', messages: [details] })
  const long = `${'x'.repeat(2_000)}\u0000`
  const heard = (await hear('sign', no({ details: long }))) as unknown as { messages: string[] }
  expect(heard.messages[0]).toBe('x'.repeat(500))
})

test('a document that is listed twice is returned once, and an invalid reference is left out', async () => {
  const invoices = [{ irn: reference }, { irn: reference }, { irn: 'nothing' }]
  const heard = await hear('pull', { body: { code: 200, data: { invoices } } })
  expect(heard).toEqual({ kind: 'pulled', references: [reference] })
})

test('the given bytes are sent unchanged, over a separate connection', async () => {
  stub.requests.length = 0
  await hear('sign', { body: { code: 201, data: { ok: true } } })
  expect(stub.requests[0]?.body).toBe(bytes.toString())
  expect(stub.requests[0]?.headers).toMatchObject({ connection: 'close', 'x-api-key': keys.apiKey })
})
