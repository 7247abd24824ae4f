import { benchAuthMe } from './auth-me.ts'
import { benchBackground } from './background.ts'
import { benchCitus } from './citus.ts'
import { benchCli } from './cli.ts'
import { benchCreateInvoice, benchStatement } from './create-invoice.ts'
import { benchDashboard } from './dashboard.ts'
import { benchDocuments, benchKeptPdf } from './documents.ts'
import { benchHotAccount } from './hot-account.ts'
import { benchHotOperations, benchInvoiceById } from './hot-operations.ts'
import { benchInvoiceLists } from './invoice-lists.ts'
import { type Row, reached } from './measure.ts'
import { benchMemory } from './memory.ts'
import { benchNotifications } from './notifications.ts'
import { benchOverload } from './overload.ts'
import { benchArabicPdf, benchPdf } from './pdf.ts'
import { benchReplicas } from './replicas.ts'
import { benchScale } from './scale.ts'
import { benchSdk } from './sdk.ts'
import { benchSearch } from './search.ts'
import { type Risiti, startRisiti } from './server-process.ts'
import { benchStatementOfAccount } from './statement-of-account.ts'
import { benchSubmissions } from './submissions.ts'
import { benchUbl } from './ubl.ts'
import { benchWebhooks } from './webhooks.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

const figure = (value: number): string => (value < 100 ? value.toFixed(2) : String(Math.round(value)))

function table(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const { name, unit, ours, yardstick, yardstickName, goal, goalIs } = row
    const left = `| ${name} | ${figure(ours)} ${unit} | ${yardstickName}`
    const wanted = `${goalIs === 'at most' ? '≤' : '≥'} ${goal}`
    if (yardstick === undefined) return `${left}: not installed | – | ${wanted} | not measured |`
    return `${left}: ${figure(yardstick)} | ${(ours / yardstick).toFixed(2)} | ${wanted} | ${reached(row) ? 'yes' : 'NO'} |`
  })
  return [
    '| what | ours | yardstick | ratio | goal | reached |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n')
}

async function withRisiti<Measured>(measure: (risiti: Risiti) => Promise<Measured>): Promise<Measured> {
  const risiti = await startRisiti()
  try {
    return await measure(risiti)
  } finally {
    await risiti.stop()
  }
}

/** Runs all benchmarks, or those that are named: `npm run bench hot-account`. */
const benches: Readonly<Record<string, () => Promise<Row | readonly Row[]>>> = {
  'auth-me': () => withRisiti(benchAuthMe),
  'hot-account': () => benchHotAccount(say),
  search: () => benchSearch(say),
  'create-invoice': () => benchCreateInvoice(say),
  'hot-operations': () => benchHotOperations(say),
  replicas: () => benchReplicas(say),
  overload: () => benchOverload(say),
  memory: () => benchMemory(say),
  background: () => benchBackground(say),
  'invoice-lists': () => benchInvoiceLists(say),
  statement: () => benchStatementOfAccount(say),
  documents: () => benchDocuments(say),
  submissions: () => benchSubmissions(say),
  pdf: async () => [await benchPdf(say), await benchArabicPdf()],
  'kept-pdf': () => benchKeptPdf(),
  ubl: () => benchUbl(say),
  webhooks: () => benchWebhooks(say),
  notifications: () => benchNotifications(say),
  sdk: () => benchSdk(),
  cli: () => withRisiti(benchCli),
  dashboard: () => benchDashboard(say),
}
/** Parts of benchmarks, one that takes hours, and one that needs a Citus cluster. They run only by name. */
const parts: typeof benches = {
  citus: () => benchCitus(say),
  scale: () => benchScale(say),
  'create-statement': () => benchStatement(say),
  'invoice-by-id': () => benchInvoiceById(say),
}
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in benches || name in parts))
if (unknown.length > 0)
  throw new Error(`there is no ${unknown.join(', ')}; there are ${Object.keys({ ...benches, ...parts }).join(', ')}`)
const chosen =
  wanted.length === 0
    ? Object.entries(benches)
    : Object.entries({ ...benches, ...parts }).filter(([name]) => wanted.includes(name))

say('Measuring; this takes some minutes. Nothing else should run on the machine.')
const rows: Row[] = []
for (const [name, measure] of chosen) {
  say(`\n${name} …`)
  rows.push(...[await measure()].flat())
}
say(`\n${table(rows)}`)
if (rows.some((row) => reached(row) === false)) process.exitCode = 1
