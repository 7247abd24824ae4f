import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, inject } from 'vitest'
import { formA } from '../../server/src/http/form-a/index.ts'
import { startEmbeddedPostgres } from '../../server/src/platform/database/embedded-postgres.ts'
import { loadKeyRing } from '../../server/src/platform/secrets/key-file.ts'
import { type Client, createClient } from './client.ts'
import { pauseMs } from './eventually.ts'

const checkout = join(import.meta.dirname, '../..')
const programs = join(checkout, 'server/src/bin')
/** Only there for what hangs: a busy machine is no failure. */
const patienceMs = 100_000

declare module 'vitest' {
  interface ProvidedContext {
    isolated: boolean
  }
}

// The hooks belong to one test file. Without isolation, the next file would leave processes behind.
if (!inject('isolated')) throw new Error('files that start processes belong into that project of vitest.config.ts')

/** The demo account of `prepareDemo`, which every node outside production has. */
export const demo = { email: 'demo@risiti.test', password: 'demo-risiti-2026' }

/** For tests that are not about demo data: the demo costs time, and its emails mix with the test's. */
export const withoutDemo = { PUBLIC_URL: 'http://127.0.0.1' }

export interface Launch {
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** arguments for Node itself */
  readonly nodeArgs?: readonly string[]
  /** another program of `bin/` than the server */
  readonly command?: string
  /** path of a program outside `bin/` */
  readonly program?: string
  /** the DATA_DIR; a new one by default */
  readonly home?: string
}

export interface ExitResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface ServerProcess {
  readonly pid: number
  readonly home: string
  readonly ended: Promise<ExitResult>
  /** all output so far, from both streams */
  output(): string
  /** waits until the output matches; fails if the process ends first */
  said(what: RegExp): Promise<RegExpExecArray>
  signal(signal: NodeJS.Signals): void
  /** asks the process to end, and waits */
  stop(): Promise<ExitResult>
  /** kills the process without clean-up */
  kill(): Promise<ExitResult>
}

export interface ServerNode extends ServerProcess {
  readonly url: string
  readonly a: Client
}

const children = new Set<ChildProcess>()
const homes = new Set<string>()

export async function makeHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-home-'))
  homes.add(home)
  return home
}

/** A port that is free now, for settings that need one before the start. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A key file for nodes that share a database. */
export async function makeKeyFile(): Promise<string> {
  const path = join(await makeHome(), 'secrets.json')
  await loadKeyRing(path, { createIfMissing: true })
  return path
}

/** Limits that no test reaches by accident. */
const generous = {
  RATE_LIMIT_KEY: '1000000',
  RATE_LIMIT_SESSION: '1000000',
  RATE_LIMIT_ADDRESS: '1000000',
  RATE_LIMIT_LOGIN: '1000000',
}

/** Node finds our files without looking for their packages, which is a tenth of a start. */
const quickImports = ['--import', join(import.meta.dirname, 'quick-imports.ts')]

/** The whole environment of a process. The compile cache saves time over dozens of starts. */
export const surroundings = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: join(checkout, 'node_modules/.cache/node-compile'),
}

/** Starts the real program in its own process, with only the given environment. */
export async function launch(options: Launch = {}): Promise<ServerProcess> {
  const { env = {}, args = [], nodeArgs = [], home, command = 'start' } = options
  const { program = join(programs, `${command}.ts`) } = options
  const dataDir = home ?? (await makeHome())
  const child = spawn(process.execPath, [...quickImports, ...nodeArgs, program, ...args], {
    cwd: dataDir,
    env: { ...surroundings, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...generous, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  let text = ''
  const collect = (chunk: Buffer) => {
    text += chunk
    child.emit('said')
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  // 'close' comes after the last output, 'exit' may come before it.
  const ended = once(child, 'close').then(([code, signal]): ExitResult => {
    children.delete(child)
    child.emit('said')
    return { code, signal }
  })
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    return await ended
  }
  return {
    pid: child.pid as number,
    home: dataDir,
    ended,
    output: () => text,
    async said(what) {
      const deadline = AbortSignal.timeout(patienceMs)
      for (;;) {
        const match = what.exec(text)
        if (match) return match
        if (!children.has(child)) throw new Error(`it ended without saying ${what}:\n${text}`)
        await once(child, 'said', { signal: deadline }).catch(() => {
          throw new Error(`it did not say ${what} in time:\n${text}`)
        })
      }
    },
    signal: (signal) => void child.kill(signal),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

/** Starts a node and waits until it serves HTTP. The client always uses the loopback address. */
export async function startNode(options: Launch = {}): Promise<ServerNode> {
  const started = await launch(options)
  // In production the address is in a line of the log.
  const [, port] = await started.said(/(?:Risiti listens at |"url":")http:\/\/[^\s"]+:(\d+)/)
  const url = `http://127.0.0.1:${port}`
  return { ...started, url, a: createClient(formA, url) }
}

/** Polls until `ask` returns true. The event has no promised time, so only the timeout of the test limits it. */
export async function until(ask: () => Promise<boolean>, what: string): Promise<void> {
  const beganAt = performance.now()
  for (; performance.now() < beganAt + patienceMs; await wait(pauseMs(beganAt))) if (await ask()) return
  throw new Error(`${what} did not come about in time`)
}

process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

afterAll(async () => {
  const dying = [...children].map((child) => once(child, 'close'))
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(dying)
  for (const home of homes) {
    // Takes over the database of a killed server and stops it properly.
    const dataDir = join(home, 'postgres')
    if (existsSync(join(dataDir, 'postmaster.pid'))) await (await startEmbeddedPostgres({ dataDir })).stop()
    await rm(home, { recursive: true, force: true })
  }
  homes.clear()
})
