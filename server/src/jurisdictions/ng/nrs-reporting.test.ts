import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AuthoritySimulator, startAuthoritySimulator } from '../../../../simulators/src/authority/index.ts'
import { business, buyer, documentOf, lists } from '../../../../test/harness/authority-documents.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { outbound } from '../../../../test/harness/outbound.ts'
import type { InvoiceDocument } from '../../kernel/invoice-document.ts'
import type { Authority } from '../port.ts'
import { nrsAuthorities } from './nrs-client.ts'
import { reporting } from './reporting.ts'

const keys = { apiKey: '3f0c7a52-5d0e-4b7e-9d55-0f3f5a1f2b10', apiSecret: 'secret-that-nobody-may-read' }
const patience = new AbortController().signal
const today = new Date().toISOString().slice(0, 10)
const callbacks: string[] = []
const listener = createServer((message, response) => {
  let text = ''
  message.on('data', (chunk) => {
    text += chunk
  })
  message.on('end', () => {
    callbacks.push(text)
    response.end()
  })
})
let simulator: AuthoritySimulator
let authority: Required<Authority>

beforeAll(async () => {
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  simulator = await startAuthoritySimulator(keys)
  simulator.notifyAt(`http://127.0.0.1:${(listener.address() as AddressInfo).port}/callbacks`)
  authority = nrsAuthorities({ outbound, ...keys, baseUrl: simulator.url })()
})
afterAll(async () => {
  await simulator.close()
  listener.close()
})
beforeEach(() => {
  callbacks.length = 0
})
afterEach(() => simulator.control.behave({}))

let counted = 0
/** A new document each time, to a buyer whose number has this ending. */
function another(ending = '0001', more: Partial<InvoiceDocument> = {}) {
  counted++
  const number = `INV${String(counted).padStart(6, '0')}`
  const document = documentOf(undefined, { number, buyer: { ...buyer, taxId: `00311855-${ending}` }, ...more })
  return reporting.documentFor(document, business, lists)
}
const sign = (bytes: Buffer) => authority.sign(bytes, patience)
const lookup = (reference: string) => authority.lookup(reference, patience)
const accepted = (reference: string) => simulator.control.acceptancesOf(reference).accepted

test('a document is validated, signed once, found by its reference, and downloaded unchanged', async () => {
  const { reference, bytes } = another()
  expect(await lookup(reference)).toEqual({ kind: 'absent' })
  expect(await authority.download(reference, patience)).toEqual({ kind: 'absent' })
  expect(await authority.validateReference({ reference, businessId: business.businessId }, patience)).toEqual({
    kind: 'valid',
  })
  expect(await authority.validate(bytes, patience)).toEqual({ kind: 'valid' })
  expect(await sign(bytes)).toEqual({ kind: 'signed' })
  expect(await lookup(reference)).toEqual({
    kind: 'found',
    transmitted: false,
    delivered: false,
    paymentStatus: 'pending',
    registeredOn: today,
  })
  const copy = await authority.download(reference, patience)
  expect(copy.kind).toBe('downloaded')
  if (copy.kind === 'downloaded') {
    expect(JSON.parse(copy.bytes.toString())).toEqual(JSON.parse(bytes.toString()))
    expect(reporting.isSameDocument(bytes, copy.bytes)).toBe(true)
  }
})

test('a second signing and a temporary failure have the same message, so both are unclear', async () => {
  const { reference, bytes } = another()
  await sign(bytes)
  const again = await sign(bytes)
  simulator.control.behave({ ambiguous: 1 })
  const other = another()
  const troubled = await sign(other.bytes)
  expect(again).toEqual(troubled)
  expect(again).toMatchObject({ kind: 'unclear', reason: 'ambiguous', countsAgainstHealth: false })
  expect(simulator.control.acceptancesOf(reference)).toEqual({ accepted: 1, repeated: 1 })
  expect([(await lookup(reference)).kind, (await lookup(other.reference)).kind]).toEqual(['found', 'absent'])
})

describe('a document for a buyer whose tax number ends in', () => {
  test('9001 is refused, with a message that names the field', async () => {
    const { reference, bytes } = another('9001')
    const answer = await sign(bytes)
    expect(answer).toEqual({
      kind: 'refused',
      messages: ['invoicerequest.invoice.accountingcustomerparty.tin must be a valid tin'],
    })
    expect(reporting.explain(answer.kind === 'refused' ? (answer.messages[0] ?? '') : '')).toMatchObject({
      isKnown: true,
      fault: { path: 'buyer.taxId' },
      mendedBy: 'reopen',
    })
    expect(await lookup(reference)).toEqual({ kind: 'absent' })
  })

  test('9002 is never answered, and never registered', async () => {
    const { reference, bytes } = another('9002')
    expect(await authority.sign(bytes, AbortSignal.timeout(200))).toMatchObject({
      kind: 'unclear',
      reason: 'no_answer',
      countsAgainstHealth: true,
    })
    expect(await lookup(reference)).toEqual({ kind: 'absent' })
  })

  test('9003 gets two notifications', async () => {
    const { reference, bytes } = another('9003')
    await sign(bytes)
    expect(await authority.transmit(reference, patience)).toEqual({ kind: 'transmitted' })
    await expect
      .poll(() => callbacks.map((body) => reporting.readNotification(Buffer.from(body))))
      .toEqual([{ reference }, { reference }])
  })

  test('9004 is answered late, and its notifications arrive in the wrong order', async () => {
    const { reference, bytes } = another('9004')
    expect(await sign(bytes)).toEqual({ kind: 'signed' })
    await authority.transmit(reference, patience)
    expect(await lookup(reference)).toMatchObject({ transmitted: true, delivered: false })
    await expect
      .poll(() => callbacks.map((body) => (JSON.parse(body) as { message: string }).message))
      .toEqual(['ACKNOWLEDGED', 'TRANSMITTED'])
  })

  test('9005 is registered, and the answer gets lost', async () => {
    const { reference, bytes } = another('9005')
    expect(await sign(bytes)).toMatchObject({ kind: 'unclear', reason: 'no_answer' })
    expect(await lookup(reference)).toMatchObject({ kind: 'found' })
    expect(accepted(reference)).toBe(1)
  })

  test('9006 fails twice and then works', async () => {
    const { reference, bytes } = another('9006')
    for (const time of [1, 2]) {
      expect(await sign(bytes), `${time}`).toMatchObject({
        kind: 'unclear',
        reason: 'server_error',
        countsAgainstHealth: true,
      })
      expect(await lookup(reference)).toEqual({ kind: 'absent' })
    }
    expect(await sign(bytes)).toEqual({ kind: 'signed' })
  })
})

describe('with a failure of all traffic,', () => {
  test('an outage makes every answer unclear, and nothing is registered', async () => {
    simulator.control.behave({ outage: true })
    const { reference, bytes } = another()
    expect(await sign(bytes)).toMatchObject({ kind: 'unclear', reason: 'no_answer', countsAgainstHealth: true })
    expect(await lookup(reference)).toMatchObject({ kind: 'unclear', countsAgainstHealth: true })
    await expect(authority.isHealthy(patience)).rejects.toMatchObject({ countsAgainstHealth: true })
    expect(accepted(reference)).toBe(0)
  })

  test('a refused connection means that nothing was sent', async () => {
    const gone = await startAuthoritySimulator(keys)
    await gone.close()
    const nobody = nrsAuthorities({ outbound, ...keys, baseUrl: gone.url })()
    const { reference, bytes } = another()
    expect(await nobody.sign(bytes, patience)).toMatchObject({ kind: 'not_sent', countsAgainstHealth: true })
    expect(await nobody.lookup(reference, patience)).toMatchObject({ kind: 'unclear', reason: 'no_answer' })
  })

  test('a lost reply and a 500 after the work are unclear, and the document is registered', async () => {
    simulator.control.behave({ lostReplies: 1 })
    const lost = another()
    expect(await sign(lost.bytes)).toMatchObject({ kind: 'unclear', reason: 'no_answer' })
    simulator.control.behave({ appliedThen500: 1 })
    const failed = another()
    expect(await sign(failed.bytes)).toMatchObject({ kind: 'unclear', reason: 'server_error' })
    for (const { reference } of [lost, failed]) expect(await lookup(reference)).toMatchObject({ kind: 'found' })
  })

  test('a lookup that lags behind answers "absent" at first', async () => {
    simulator.control.behave({ staleLookupMs: 60_000 })
    const { reference, bytes } = another()
    expect(await sign(bytes)).toEqual({ kind: 'signed' })
    expect(await lookup(reference)).toEqual({ kind: 'absent' })
    simulator.control.behave({})
    expect(await lookup(reference)).toMatchObject({ kind: 'found' })
  })

  test('a document that is signed twice is counted twice, if the authority accepts duplicates', async () => {
    simulator.control.behave({ acceptsDuplicates: true })
    const { reference, bytes } = another()
    await sign(bytes)
    await sign(bytes)
    expect(accepted(reference)).toBe(2)
    expect(simulator.control.acceptances().mostOfOne).toBe(2)
  })

  test('a caller that stops waiting does not count against the health of the authority', async () => {
    const { bytes } = another('9002')
    const stopping = new AbortController()
    const before = simulator.control.requests.at(-1)
    const signing = authority.sign(bytes, stopping.signal)
    await eventually(async () => expect(simulator.control.requests.at(-1)).not.toBe(before))
    stopping.abort()
    expect(await signing).toMatchObject({ kind: 'unclear', reason: 'given_up', countsAgainstHealth: false })
    expect(await authority.sign(bytes, stopping.signal)).toMatchObject({ kind: 'not_sent', countsAgainstHealth: false })
  })
})

test('wrong keys do not count as a refusal of the document', async () => {
  const stranger = nrsAuthorities({ outbound, ...keys, baseUrl: simulator.url })({
    apiKey: 'other',
    apiSecret: 'other',
  })
  const { reference, bytes } = another()
  const refused = { kind: 'unclear', reason: 'keys_refused', countsAgainstHealth: false }
  expect(await stranger.sign(bytes, patience)).toMatchObject(refused)
  expect(await stranger.lookup(reference, patience)).toMatchObject(refused)
})

test('an organisation with its own keys can decrypt the answers that are encrypted for them', async () => {
  const own = { apiKey: 'ab12cd34-0000-4000-8000-000000000000', apiSecret: 'own' }
  simulator.control.admit(own)
  const { reference, bytes } = another()
  const authorities = nrsAuthorities({ outbound, ...keys, baseUrl: simulator.url })
  expect(await authorities(own).sign(bytes, patience)).toEqual({ kind: 'signed' })
  expect((await authorities(own).download(reference, patience)).kind).toBe('downloaded')
})

describe('a document on its way to the buyer', () => {
  test('is transmitted, delivered and notified about', async () => {
    const { reference, bytes } = another()
    expect(await authority.transmit(reference, patience)).toMatchObject({ kind: 'refused' })
    await sign(bytes)
    expect(await authority.transmit(reference, patience)).toEqual({ kind: 'transmitted' })
    expect(await authority.transmit(reference, patience)).toEqual({ kind: 'transmitted' })
    await expect.poll(() => lookup(reference)).toMatchObject({ transmitted: true, delivered: true })
    expect(await authority.lookupExchange(reference, patience)).toEqual({
      kind: 'found',
      parties: [
        { taxId: '201982220002', acknowledged: true },
        { taxId: '003118550001', acknowledged: true },
      ],
    })
    await expect.poll(() => callbacks).toHaveLength(1)
  })

  test('is refused if the authority has no address for callbacks', async () => {
    await using apart = Object.assign(await startAuthoritySimulator(keys), {
      async [Symbol.asyncDispose]() {
        await apart.close()
      },
    })
    const there = nrsAuthorities({ outbound, ...keys, baseUrl: apart.url })()
    const { reference, bytes } = another()
    await there.sign(bytes, patience)
    const answer = await there.transmit(reference, patience)
    expect(answer).toEqual({ kind: 'refused', messages: ['webhook url is not setup'] })
    expect(reporting.explain('webhook url is not setup')).toMatchObject({ isKnown: true, mendedBy: 'operator' })
    expect(await there.testNotification(patience)).toMatchObject({ kind: 'refused' })
  })

  test('can have its callbacks tested', async () => {
    expect(await authority.testNotification(patience)).toEqual({ kind: 'done' })
    await expect.poll(() => callbacks).toHaveLength(1)
  })

  test('has its payment and tax reported once it is signed', async () => {
    const { reference, bytes } = another()
    const pay = (status: 'paid' | 'partial') =>
      authority.updatePaymentStatus(reference, { status, paidMinor: 12_345n }, patience)
    expect(await pay('paid')).toMatchObject({ kind: 'refused' })
    await sign(bytes)
    expect([await pay('partial'), (await lookup(reference)) as object]).toMatchObject([
      { kind: 'done' },
      { paymentStatus: 'partial' },
    ])
    expect(await pay('paid')).toEqual({ kind: 'done' })
    expect(await lookup(reference)).toMatchObject({ paymentStatus: 'paid' })
    const report = {
      reference,
      sellerTaxId: '201982220002',
      buyerTaxId: '003118550001',
      description: 'Laptops',
      currency: 'NGN',
      date: today,
      baseMinor: 100_000n,
      taxMinor: 7_500n,
      otherTaxesMinor: 0n,
      totalMinor: 107_500n,
      rate: '7.5',
    }
    expect(await authority.reportTax(report, business.serviceId, patience)).toEqual({ kind: 'done' })
    const other = { ...report, reference: 'NOWHERE-F6B4C898-20261114' }
    expect(await authority.reportTax(other, business.serviceId, patience)).toMatchObject({ kind: 'refused' })
  })
})

describe('a document that a supplier sends to us', () => {
  test('is listed until it is acknowledged, and can be read', async () => {
    const irn = simulator.control.receive({ buyerTin: '10000001-0001', supplierName: 'Idanre Timber', number: 'T-77' })
    const pulled = (acknowledged = false) => authority.pull({ from: today, to: today, acknowledged }, patience)
    expect(await pulled()).toEqual({ kind: 'pulled', references: [irn] })
    await expect.poll(() => callbacks).toHaveLength(1)
    const copy = await authority.download(irn, patience)
    const read = copy.kind === 'downloaded' ? reporting.readCopy(copy.bytes) : undefined
    expect(read).toMatchObject({
      reference: irn,
      number: 'T77',
      seller: { name: 'Idanre Timber' },
      buyer: { taxIdNormal: '100000010001' },
      payableMinor: 19_350_000n,
    })
    expect(read && reporting.faultsOfCopy(read, lists)).toEqual([])
    expect(await authority.acknowledge(irn, patience)).toEqual({ kind: 'done' })
    expect(await pulled()).toEqual({ kind: 'pulled', references: [] })
    expect(await pulled(true)).toEqual({ kind: 'pulled', references: [irn] })
    expect(await authority.pull({ from: '2020-01-01', to: '2020-01-02' }, patience)).toMatchObject({ references: [] })
  })
})
