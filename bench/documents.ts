import { setTimeout as wait } from 'node:timers/promises'
import { median, percentile, type Row } from './measure.ts'
import { startRisiti } from './server-process.ts'

const documents = 60
const lines = 500
const clients = 20
/** Number of downloads per document. The first download has to draw the PDF. */
const rounds = 3
const mostMs = 100
const mostAsked = 100_000

const lineItemsOf = (length: number) =>
  Array.from({ length }, (_, at) => ({
    description: `Palm oil of the ${at}th press, cleaned, in a keg that is given back`,
    quantity: at + 1,
    unitCode: 'LTR',
    unitPrice: 1950.5,
    taxCategory: 'standard',
  }))

/** Creates public links to PDFs of `lines` lines. */
async function sharedPdfs(url: string, key: string, count: number, lines: number): Promise<string[]> {
  const post = async (path: string, body: object = {}) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return ((await response.json()) as { data: { id: string; url: string } }).data
  }
  const links: string[] = []
  for (let made = 0; made < count; made++) {
    const body = { invoiceKind: 'B2C', invoiceDate: '2026-01-31', currency: 'NGN', lineItems: lineItemsOf(lines) }
    const { id } = await post('/i/v1/invoices', body)
    await post(`/i/v1/invoices/${id}/finalise`)
    const shared = await post(`/i/v1/invoices/${id}/share`)
    links.push(`${url}${new URL(shared.url).pathname}/pdf`)
  }
  return links
}

/** Requests /health repeatedly until `isEnough` and returns the milliseconds of each request. */
async function healthTimes(url: string, isEnough: () => boolean): Promise<number[]> {
  const times: number[] = []
  for (let asked = 0; asked < mostAsked && !isEnough(); asked++) {
    const begun = performance.now()
    await (await fetch(`${url}/health`)).arrayBuffer()
    times.push(performance.now() - begun)
    await wait(10)
  }
  return times
}

/** Measures /health while strangers download PDFs of 500 lines, each of which has to be drawn first. */
export async function benchDocuments(say: (text: string) => void): Promise<Row> {
  const risiti = await startRisiti()
  try {
    const { url, demo } = risiti
    const links = await sharedPdfs(url, demo.sandboxKey, documents, lines)
    const ends = performance.now() + 3_000
    const calm = await healthTimes(url, () => performance.now() > ends)
    const asked = Array.from({ length: rounds }, () => links).flat()
    let [given, refused] = [0, 0]
    const download = async () => {
      for (let times = 0; times < mostAsked; times++) {
        const link = asked.shift()
        if (link === undefined) return
        const response = await fetch(link)
        const { byteLength } = await response.arrayBuffer()
        if (response.status === 200 && byteLength > 100_000) given++
        else if (response.status === 503) {
          refused++
          asked.push(link)
          await wait(Number(response.headers.get('retry-after')) * 1000)
        } else throw new Error(`a download answered ${response.status} with ${byteLength} bytes`)
      }
    }
    const begun = performance.now()
    let isOver = false
    const downloading = Promise.all(Array.from({ length: clients }, download)).finally(() => {
      isOver = true
    })
    const busy = await healthTimes(url, () => isOver)
    await downloading
    const seconds = (performance.now() - begun) / 1000
    say(`${given} downloads of ${documents} documents in ${seconds.toFixed(1)} s; asked to come back ${refused} times.`)
    say(`/health p95: ${percentile(calm, 95).toFixed(1)} ms before, ${percentile(busy, 95).toFixed(1)} ms meanwhile.`)
    say(`The longest of ${busy.length}: ${Math.max(...busy).toFixed(1)} ms.`)
    return {
      name: `\`/health\` while ${clients} clients download PDFs of ${lines} lines, p95`,
      unit: 'ms',
      ours: percentile(busy, 95),
      yardstick: mostMs,
      yardstickName: 'what it must stay under',
      goal: 1,
      goalIs: 'at most',
    }
  } finally {
    await risiti.stop()
  }
}

/** Measures a PDF of 200 lines that has to be drawn. The yardstick is the same PDF from the cache. */
export async function benchKeptPdf(): Promise<Row> {
  const risiti = await startRisiti()
  try {
    const links = await sharedPdfs(risiti.url, risiti.demo.sandboxKey, 12, 200)
    const download = async (link: string): Promise<number> => {
      const begun = performance.now()
      const response = await fetch(link)
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`a download answered ${response.status}`)
      return performance.now() - begun
    }
    const [drawn, kept]: [number[], number[]] = [[], []]
    for (const link of links) drawn.push(await download(link))
    for (let round = 0; round < 5; round++) for (const link of links) kept.push(await download(link))
    return {
      name: 'PDF of 200 lines that is drawn first',
      unit: 'ms',
      ours: median(drawn),
      yardstick: median(kept),
      yardstickName: 'the same once it is kept',
      goal: 20,
    }
  } finally {
    await risiti.stop()
  }
}
