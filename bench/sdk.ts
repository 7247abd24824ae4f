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

/** By the same way out as the yardstick: what is measured is what the client adds to it. */
const overUndici: Fetch = async (url, { method, headers, body = null }) => {
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
 * Creating an invoice with the client, beside the same request made by hand; only this process is measured. The client leaves by
 * the way that it takes unless it is given one, and by undici, as the yardstick does.
 */
export async function benchSdk(): Promise<Row[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'canned-invoice.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const url = await printed(child, /listens at (\S+)/)
    const options = { baseUrl: url, apiKey: 'sk_test_bench' }
    const overSame = new Risiti({ ...options, fetch: overUndici })
    const byItself = new Risiti(options)
    const bare = async () => {
      const { body } = await request(`${url}/i/v1/invoices`, {
        method: 'POST',
        headers: { authorization: 'Bearer sk_test_bench', 'content-type': 'application/json' },
        body: JSON.stringify(invoice),
      })
      return JSON.parse(await body.text()).data
    }
    const ways = [bare, () => overSame.invoices.create(invoice), () => byItself.invoices.create(invoice)]
    const figures = ways.map((): number[] => [])
    for (let round = -warmingUp; round < rounds; round++)
      for (const [at, way] of ways.entries()) {
        const took = await microsecondsEach(way)
        if (round >= 0) figures[at]?.push(took)
      }
    const [yardstick, added, own] = figures.map(median) as [number, number, number]
    const row = {
      unit: 'µs of CPU',
      yardstick,
      yardstickName: 'a bare request of undici',
      goal: 1.5,
      goalIs: 'at most' as const,
    }
    return [
      { ...row, name: 'creating an invoice with the client', ours: own },
      { ...row, name: 'the same with undici’s request as its fetch', ours: added },
    ]
  } finally {
    await ended(child)
  }
}
