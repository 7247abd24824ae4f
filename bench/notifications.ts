import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import pg from 'pg'
import { openRuntime } from '../server/src/bin/runtime.ts'
import { readServiceConfig } from '../server/src/bin/service-config.ts'
import { simulatorKeys } from '../server/src/bin/simulators.ts'
import { newId } from '../server/src/kernel/ids.ts'
import { silentLogger } from '../server/src/platform/logger.ts'
import { medianRound, type Row } from './measure.ts'
import { ended, printed, startRisiti } from './server-process.ts'

const rounds = 5
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const connections = 32

/** A new signed notification with a unique id. */
function notice(): { headers: Record<string, string>; body: string } {
  const transfer = newId()
  const body = JSON.stringify({
    id: `transfer.received:${transfer}`,
    type: 'transfer.received',
    transfer,
    account: '0',
  })
  const now = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', simulatorKeys.bankWebhook).update(`${now}.${body}`).digest('hex')
  return { headers: { 'content-type': 'application/json', 'bank-signature': `t=${now},v1=${signature}` }, body }
}

async function acceptedPerSecond(url: string, duration: number): Promise<number> {
  const result = await autocannon({
    url,
    method: 'POST',
    connections,
    duration,
    requests: [{ method: 'POST', setupRequest: (sent) => ({ ...sent, ...notice() }) }],
  })
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0) throw new Error(`${failed} of the notifications to ${url} failed`)
  return result.requests.average
}

/** Measures how many notifications an API process stores per second. Workers process the notifications later. */
export async function benchNotifications(say: (text: string) => void): Promise<Row> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-bench-'))
  // A process with a worker creates the demo data. The measured process serves only the API.
  await (await startRisiti(home)).stop()
  const open = await openRuntime(
    readServiceConfig({ DATA_DIR: home, LOG_LEVEL: 'warn' }, ['--role=worker']),
    silentLogger,
  )
  const client = new pg.Client({ connectionString: open.ownerConnection })
  await client.connect()
  await client.query(`
    create table bare_notifications (id text primary key, subject text not null, received_at timestamptz not null default now())`)
  await client.query(`grant insert on bare_notifications to public`)
  const risiti = await startRisiti(home, ['--role=api'])
  const bare = spawn(process.execPath, [join(import.meta.dirname, 'bare-notification.ts')], {
    env: { PATH: process.env.PATH, CONNECTION: open.ownerConnection, SECRET: simulatorKeys.bankWebhook },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const bareUrl = await printed(bare, /listens at (http:\S+)/)
    const ourUrl = `${risiti.url}/notifications/collection/sandbox/sandbox`
    for (const url of [ourUrl, bareUrl]) await acceptedPerSecond(url, 2)
    const figures: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      figures[0].push(await acceptedPerSecond(ourUrl, seconds))
      figures[1].push(await acceptedPerSecond(bareUrl, seconds))
      say(`  ${Math.round(figures[0].at(-1) as number)} against ${Math.round(figures[1].at(-1) as number)} a second`)
    }
    return {
      name: 'notifications of transfers taken in',
      unit: 'requests/s',
      ...medianRound(...figures),
      yardstickName: 'bare route that verifies and inserts a row',
      goal: 0.5,
    }
  } finally {
    await ended(bare)
    await risiti.stop()
    await client.end()
    await open.close()
    await rm(home, { recursive: true, force: true })
  }
}
