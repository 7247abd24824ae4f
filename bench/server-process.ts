import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Waits for a line of the child's output that matches, and returns the first group of the pattern. */
export async function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = ''
  return await new Promise((resolve, reject) => {
    child.stdout?.on('data', (piece: Buffer) => {
      text += piece
      const found = pattern.exec(text)?.[1]
      if (found) resolve(found)
    })
    child.on('exit', (code) => reject(new Error(`the process ended with ${code}:\n${text}`)))
  })
}

export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await gone
}

export interface Risiti {
  readonly url: string
  readonly pid: number
  readonly demo: { email: string; password: string; sandboxKey: string }
  stop(): Promise<void>
}

/**
 * After the start, the demo's submissions and webhooks run in the measured process. They cost as much as about ten
 * thousand requests.
 */
async function untilDemoIsMade(home: string): Promise<void> {
  for (let looks = 0; existsSync(join(home, 'demo-left.json')); looks++) {
    if (looks === 600) throw new Error('the demo was not made within a minute')
    await wait(100)
  }
}

const root = join(import.meta.dirname, '..')

/** The environment and the arguments that `npm start` gives to Node. */
async function startScript(): Promise<{ readonly env: Record<string, string>; readonly args: readonly string[] }> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const [settings = '', args = ''] = (scripts.start as string).split('node ')
  const assignments = settings.split(' ').filter((word) => word.includes('='))
  return { env: Object.fromEntries(assignments.map((one) => one.split('='))), args: args.split(' ') }
}

/** Starts the real service as `npm start` does, with high limits, and with existing data if `data` is given. */
export async function startRisiti(data?: string, args: readonly string[] = []): Promise<Risiti> {
  const home = data ?? (await mkdtemp(join(tmpdir(), 'risiti-bench-')))
  const high = '10000000'
  const start = await startScript()
  const profile = process.env.BENCH_PROFILE
  const profiled = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  const child = spawn(process.execPath, [...profiled, ...start.args, ...args], {
    cwd: root,
    env: {
      ...start.env,
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: home,
      LOG_LEVEL: 'warn',
      RATE_LIMIT_KEY: high,
      RATE_LIMIT_SESSION: high,
      RATE_LIMIT_ADDRESS: high,
      RATE_LIMIT_LOGIN: high,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // The last line of a start is printed after the demo data is ready.
  const url = await printed(child, /curl -s (http:\/\/[^/]+)/)
  const demo = JSON.parse(await readFile(join(home, 'demo.json'), 'utf8')) as Risiti['demo']
  await untilDemoIsMade(home)
  return {
    url,
    pid: child.pid as number,
    demo,
    async stop() {
      await ended(child)
      if (data === undefined) await rm(home, { recursive: true, force: true })
    },
  }
}
