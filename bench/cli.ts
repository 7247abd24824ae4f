import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Risiti as Client } from '../sdk/src/index.ts'
import { median, type Row } from './measure.ts'
import { ended, printed, type Risiti } from './server-process.ts'

const run = promisify(execFile)
const cli = join(import.meta.dirname, '../cli')
const program = join(cli, 'bin/risiti.js')
const rounds = 15
const eventCount = Number(process.env.BENCH_EVENTS ?? 2_000)
/** made at the same time */
const atOnce = 8

async function helpMilliseconds(): Promise<number> {
  const before = performance.now()
  await run(process.execPath, [program, '--help'])
  return performance.now() - before
}

const mebibytesOf = async ({ pid }: { readonly pid?: number | undefined }): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** A program that takes every event; `taken` resolves at the last one. */
async function startReceiver() {
  const taken = Promise.withResolvers<void>()
  let count = 0
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(204).end()
      if (++count === eventCount) taken.resolve()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => server.close().closeAllConnections()
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, taken: taken.promise, close }
}

async function makeBuyers({ url, demo }: Risiti): Promise<void> {
  const client = new Client({ baseUrl: url, apiKey: demo.sandboxKey })
  let next = 0
  const make = async () => {
    while (next < eventCount) await client.buyers.create({ name: `Bench buyer ${next++}` })
  }
  await Promise.all(Array.from({ length: atOnce }, make))
}

/** Resident memory of `listen` before the first event, and after it forwarded all. */
async function listenMebibytes(risiti: Risiti): Promise<{ readonly before: number; readonly after: number }> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-bench-cli-'))
  const receiver = await startReceiver()
  const words = ['listen', '--forward', receiver.address, '--events', 'buyer.created', '--from', 'now', '--json']
  const env = { ...process.env, RISITI_HOME: home, RISITI_SERVER: risiti.url, RISITI_API_KEY: risiti.demo.sandboxKey }
  const listening = spawn('sh', ['-c', 'exec "$@" 2>&1', 'sh', process.execPath, program, ...words], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await printed(listening, /(listening from)/)
    const before = await mebibytesOf(listening)
    await Promise.all([makeBuyers(risiti), receiver.taken])
    return { before, after: await mebibytesOf(listening) }
  } finally {
    await ended(listening)
    receiver.close()
    await rm(home, { recursive: true, force: true })
  }
}

async function bundleKibibytes(): Promise<number> {
  const files = await readdir(join(cli, 'dist'))
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(cli, 'dist', name))).size))
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}

/** Measures the built command line: its start, its size, and the memory of a `listen` that forwards thousands of events. */
export async function benchCli(risiti: Risiti): Promise<Row[]> {
  await run(process.execPath, [join(cli, 'build.mjs')], { cwd: cli })
  await helpMilliseconds()
  const starts: number[] = []
  for (let round = 0; round < rounds; round++) starts.push(await helpMilliseconds())
  const { before, after } = await listenMebibytes(risiti)
  const limit = (name: string, unit: string, ours: number, yardstick: number): Row => ({
    name,
    unit,
    ours,
    yardstick,
    yardstickName: `${yardstick} ${unit}`,
    goal: 1,
    goalIs: 'at most',
  })
  return [
    limit('risiti --help', 'ms', median(starts), 150),
    limit('bundle of the command line', 'KiB', await bundleKibibytes(), 256),
    limit('resident memory of a waiting listen', 'MiB', before, 100),
    limit(`resident memory of listen after ${eventCount} forwarded events`, 'MiB', after, 150),
  ]
}
