import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { request } from 'undici'
import { type Fetch, type NewInvoice, Risiti } from '../sdk/src/index.ts'
import { median, type Row } from './measure.ts'
import { ended, printed } from './server-process.ts'

const rounds = 9
const callsEach = 2_000

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

/** Both leave by the same door: what is measured is what the client adds to it. */
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

/** Creating an invoice with the client, beside the same request made by hand; only this process is measured. */
export async function benchSdk(): Promise<Row> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'canned-invoice.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const url = await printed(child, /listens at (\S+)/)
    const risiti = new Risiti({ baseUrl: url, apiKey: 'sk_test_bench', fetch: overUndici })
    const ours = () => risiti.invoices.create(invoice)
    const bare = async () => {
      const { body } = await request(`${url}/i/v1/invoices`, {
        method: 'POST',
        headers: { authorization: 'Bearer sk_test_bench', 'content-type': 'application/json' },
        body: JSON.stringify(invoice),
      })
      return JSON.parse(await body.text()).data
    }
    const figures: [number[], number[]] = [[], []]
    await microsecondsEach(ours)
    await microsecondsEach(bare)
    for (let round = 0; round < rounds; round++) {
      figures[0].push(await microsecondsEach(ours))
      figures[1].push(await microsecondsEach(bare))
    }
    return {
      name: 'creating an invoice with the client',
      unit: 'µs of CPU',
      ours: median(figures[0]),
      yardstick: median(figures[1]),
      yardstickName: 'a bare request of undici',
      goal: 1.2,
      goalIs: 'at most',
    }
  } finally {
    await ended(child)
  }
}
