import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { request } from 'undici'
import { type Fetch, type NewInvoice, Risiti } from '../sdk/src/index.ts'
import { median, type Row } from './measure.ts'
import { ended, printed } from './server-process.ts'

/** Short turns and many: what else the machine does meanwhile falls on all alike. */
const rounds = 90
const callsEach = 200
const warmingUp = 10

const invoice: NewInvoice = {
  invoiceKind: 'B2C',
  invoiceDate: '2026-11-16',
  currency: 'NGN',
  lineItems: Array.from({ length: 5 }, (_, at) => ({
    description: `Palm oil, batch ${at}`,
    quantity: 2,
    unitCode: 'LTR',
    unitPrice: '1950.50',
    taxCategory: 'standard',
  })),
}

const undiciRequest: Fetch = async (url, { method, headers, body = null }) => {
  const answer = await request(url, { method: method as 'POST', headers, body })
  return {
    status: answer.statusCode,
    headers: { get: (name) => (answer.headers[name] as string | undefined) ?? null },
    text: () => answer.body.text(),
  }
}

async function microsecondsEach(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (let at = 0; at < callsEach; at++) await call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / callsEach
}

/**
 * Measures the CPU time of creating an invoice with the client. The yardstick is the same request without the client.
 * Each pair sends in the same way: once with undici's `request`, once with the global `fetch`, which is the default.
 * Only this process is measured.
 */
export async function benchSdk(): Promise<Row[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'canned-invoice.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const url = await printed(child, /listens at (\S+)/)
    const options = { baseUrl: url, apiKey: 'sk_test_bench' }
    const overUndici = new Risiti({ ...options, fetch: undiciRequest })
    const overFetch = new Risiti(options)
    const path = `${url}/i/v1/invoices`
    const headers = { authorization: 'Bearer sk_test_bench', 'content-type': 'application/json' }
    const bareUndici = async () => {
      const { body } = await request(path, { method: 'POST', headers, body: JSON.stringify(invoice) })
      return JSON.parse(await body.text()).data
    }
    const bareFetch = async () => {
      const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(invoice) })
      return JSON.parse(await response.text()).data
    }
    const ways = [
      bareUndici,
      () => overUndici.invoices.create(invoice),
      bareFetch,
      () => overFetch.invoices.create(invoice),
    ]
    const figures = ways.map((): number[] => [])
    for (let round = -warmingUp; round < rounds; round++)
      for (const [at, way] of ways.entries()) {
        const took = await microsecondsEach(way)
        if (round >= 0) figures[at]?.push(took)
      }
    const [ofUndici, withUndici, ofFetch, withFetch] = figures.map(median) as [number, number, number, number]
    const row = { unit: 'µs of CPU', goal: 1.5, goalIs: 'at most' as const }
    return [
      {
        ...row,
        name: 'creating an invoice with the client over undici',
        ours: withUndici,
        yardstick: ofUndici,
        yardstickName: 'a bare request of undici',
      },
      {
        ...row,
        name: 'the same over the global fetch',
        ours: withFetch,
        yardstick: ofFetch,
        yardstickName: 'a bare fetch',
      },
    ]
  } finally {
    await ended(child)
  }
}
