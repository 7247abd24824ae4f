import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { banks } from './banks.ts'
import { type BankSimulator, startBankSimulator } from './index.ts'
import { checkDigit, isNuban, nuban } from './nuban.ts'

const keys = { apiKey: 'key', webhookSecret: 'secret' }
let bank: BankSimulator
const heard: { body: string; signature: string }[] = []
const listener = createServer(async (message, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk)
  heard.push({ body: Buffer.concat(chunks).toString(), signature: String(message.headers['bank-signature']) })
  response.end()
})

beforeAll(async () => {
  bank = await startBankSimulator(keys)
  await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening))
  bank.notifyAt(`http://127.0.0.1:${(listener.address() as AddressInfo).port}/`)
})
afterAll(async () => {
  await bank.close()
  listener.close()
})
beforeEach(async () => {
  await bank.control.settled()
  bank.control.behave({})
  heard.length = 0
})

async function ask(method: string, path: string, body?: object, { url } = bank) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: 'Bearer key' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const { data, error } = (await response.json()) as { data?: Record<string, unknown>; error?: { code: string } }
  return { status: response.status, data, code: error?.code }
}

const order = (reference: string, more: object = {}) => ({
  reference,
  name: 'Eze Stores',
  kind: 'persistent',
  currency: 'NGN',
  ...more,
})
const opened = async (reference: string, more?: object) =>
  (await ask('POST', '/v1/accounts', order(reference, more))).data as Record<string, string>

describe('account numbers', () => {
  // The central bank's own example: bank 011 and serial 000001457 give 9.
  test.each([
    ['011', '000001457', 9],
    ['058', '012345678', 5],
    ['50211', '200000001', 3],
  ])('bank %s, serial %s, digit %i', (code, serial, digit) => {
    expect(checkDigit(code, serial)).toBe(digit)
  })

  test('one wrong digit never passes where its weight sees it', () => {
    const number = nuban('058', 123_456_789)
    expect(isNuban('058', number)).toBe(true)
    const others = Array.from({ length: 10 }, (_, at) => `${number.slice(0, 9)}${at}`).filter((one) => one !== number)
    expect(others.filter((one) => isNuban('058', one))).toEqual([])
  })

  test('name enquiry knows a bank by either code, and no account with a wrong digit', async () => {
    const number = nuban('057', 12)
    const byCode = await ask('GET', `/v1/holders?bankCode=057&accountNumber=${number}`)
    const byNip = await ask('GET', `/v1/holders?bankCode=000015&accountNumber=${number}`)
    expect(byCode.data).toEqual(byNip.data)
    expect(byCode.data?.accountName).toMatch(/^[A-Z]+ [A-Z]+$/)
    const wrong = `${number.slice(0, 9)}${(Number(number[9]) + 1) % 10}`
    expect(await ask('GET', `/v1/holders?bankCode=057&accountNumber=${wrong}`)).toMatchObject({ status: 404 })
    expect(await ask('GET', `/v1/holders?bankCode=000&accountNumber=${number}`)).toMatchObject({
      code: 'bank_not_found',
    })
  })

  test('no two banks share a code', () => {
    const codes = banks.flatMap(({ code, nipCode }) => [code, nipCode])
    expect(new Set(codes).size).toBe(codes.length)
  })
})

describe('virtual accounts', () => {
  test('the same reference gives the same account, and nothing else', async () => {
    const first = await opened('same', { amountMinor: 500 })
    expect(isNuban('999', first.number as string)).toBe(true)
    expect(await opened('same', { amountMinor: 500 })).toEqual(first)
    expect(await ask('POST', '/v1/accounts', order('same', { amountMinor: 501 }))).toMatchObject({ status: 409 })
  })

  test('closed, expired, over the limit or in another currency: nothing arrives, unless it does all the same', async () => {
    const closed = await opened('closed')
    await ask('POST', '/v1/accounts/closed/close')
    const expired = await opened('expired', { expiresAt: '2020-01-01T00:00:00Z' })
    const small = await opened('small', { limitMinor: 100 })
    const sent = (accountNumber = '', more: object = {}) =>
      ask('POST', '/control/transfers', { accountNumber, amountMinor: 200, ...more })
    expect(await sent(closed.number)).toMatchObject({ status: 422, code: 'account_closed' })
    expect(await sent(expired.number)).toMatchObject({ status: 422, code: 'account_expired' })
    expect(await sent(small.number)).toMatchObject({ status: 422, code: 'over_limit' })
    expect(await sent(small.number, { amountMinor: 50, currency: 'USD' })).toMatchObject({ code: 'other_currency' })
    expect(await sent('0000000000')).toMatchObject({ status: 404 })
    expect(await sent(closed.number, { force: true })).toMatchObject({ status: 200 })
  })
})

describe('transfers', () => {
  test('each is told once, signed, and stands in the statement', async () => {
    const { number } = await opened('told')
    const { reference } = bank.control.receive({ accountNumber: number as string, amountMinor: 1_500 })
    await bank.control.settled()
    const [{ body, signature }] = heard as [(typeof heard)[0]]
    const [, seconds, hex] = /^t=(\d+),v1=(\w+)$/.exec(signature) ?? []
    expect(createHmac('sha256', 'secret').update(`${seconds}.${body}`).digest('hex')).toBe(hex)
    expect(JSON.parse(body)).toMatchObject({ type: 'transfer.received', transfer: reference, account: number })
    expect(body).not.toContain('1500')
    const { data } = await ask('GET', '/v1/statement?limit=500')
    expect(((data?.transfers ?? []) as { reference: string }[]).map((one) => one.reference)).toContain(reference)
  })

  test('lost, doubled and forged, as the narration asks', async () => {
    const { number } = await opened('behaviours')
    const send = (narration: string) =>
      bank.control.receive({ accountNumber: number as string, amountMinor: 1, narration })
    send('rent #lost')
    await bank.control.settled()
    expect(heard).toEqual([])
    send('rent #twice')
    await bank.control.settled()
    expect(heard).toHaveLength(2)
    expect(new Set(heard.map(({ body }) => JSON.parse(body).id)).size).toBe(1)
    send('rent #forged')
    await bank.control.settled()
    expect(heard.at(-1)?.signature).toMatch(/v1=0+$/)
  })

  test('the statement comes in pages that lose nothing', async () => {
    const { number } = await opened('pages')
    for (let nth = 1; nth <= 5; nth++) bank.control.receive({ accountNumber: number as string, amountMinor: nth })
    const amounts: number[] = []
    let after: number | null = 0
    for (let page = 0; page < 100 && after !== null; page++) {
      const { data } = await ask('GET', `/v1/statement?limit=2&after=${after}`)
      const { transfers, next } = data as { transfers: { amountMinor: number }[]; next: number | null }
      amounts.push(...transfers.map(({ amountMinor }) => amountMinor))
      after = next
    }
    expect(amounts).toEqual(bank.control.transfers().map(({ amountMinor }) => amountMinor))
  })

  test('the same key sends money back once, and never more than came', async () => {
    const { number } = await opened('refunds')
    const { reference: transfer } = bank.control.receive({ accountNumber: number as string, amountMinor: 1_000 })
    const refund = (key: string, amountMinor: number) => ask('POST', '/v1/refunds', { key, transfer, amountMinor })
    expect(await refund('k1', 600)).toMatchObject({ status: 200 })
    expect(await refund('k1', 600)).toMatchObject({ status: 200 })
    expect(await refund('k1', 500)).toMatchObject({ code: 'key_used' })
    expect(await refund('k2', 500)).toMatchObject({ code: 'refund_too_much' })
    expect(await refund('k3', 400)).toMatchObject({ status: 200 })
    expect((await ask('GET', `/v1/transfers/${transfer}`)).data?.refundedMinor).toBe(1_000)
    expect(await ask('GET', '/v1/refunds/k2')).toMatchObject({ status: 404 })
  })
})

describe('faults', () => {
  test('an outage carries nothing out, a lost reply does', async () => {
    bank.control.behave({ outage: true })
    await expect(ask('POST', '/v1/accounts', order('away'))).rejects.toThrow()
    bank.control.behave({ lostReplies: 1 })
    await expect(ask('POST', '/v1/accounts', order('unheard'))).rejects.toThrow()
    bank.control.behave({})
    expect(await ask('GET', '/v1/accounts/away')).toMatchObject({ status: 404 })
    expect(await ask('GET', '/v1/accounts/unheard')).toMatchObject({ status: 200 })
  })

  test('nobody is let in without the key', async () => {
    const answer = await fetch(`${bank.url}/v1/banks`, { headers: { authorization: 'Bearer kez' } })
    expect(answer.status).toBe(401)
    await answer.body?.cancel()
  })

  test('what was said yes to is there after a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bank-'))
    const storeFile = join(folder, 'bank.jsonl')
    const first = await startBankSimulator({ ...keys, storeFile })
    const { data } = await ask('POST', '/v1/accounts', order('kept'), first)
    const { reference } = first.control.receive({ accountNumber: String(data?.number), amountMinor: 7 })
    await first.close()
    const second = await startBankSimulator({ ...keys, storeFile })
    expect((await ask('GET', `/v1/transfers/${reference}`, undefined, second)).data).toMatchObject({ amountMinor: 7 })
    expect((await ask('GET', '/v1/accounts/kept', undefined, second)).data?.number).toBe(data?.number)
    await second.close()
    await rm(folder, { recursive: true })
  })
})
