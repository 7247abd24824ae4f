import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, inject, vi } from 'vitest'
import { formA } from '../../server/src/http/form-a/index.ts'
import { startEmbeddedPostgres } from '../../server/src/platform/database/embedded-postgres.ts'
import { loadKeyRing } from '../../server/src/platform/secrets/key-file.ts'
import { type Client, createClient } from './client.ts'

const checkout = join(import.meta.dirname, '../..')
const programs = join(checkout, 'server/src/bin')
const patienceMs = 40_000

declare module 'vitest' {
  interface ProvidedContext {
    isolated: boolean
  }
}

// Its hooks are for the file that loads it; where files share what is loaded, the next would leave processes behind.
if (!inject('isolated')) throw new Error('files that start processes belong into that project of vitest.config.ts')

// A start costs a second of computing, and a loaded machine may have to share it among many.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

/** What `prepareDemo` seeds, and every node outside production knows. */
export const demo = { email: 'demo@risiti.test', password: 'demo-risiti-2026' }

/** Seeding costs time, and its mails stand among those of a test: for tests that are not about demo data. */
export const withoutDemo = { PUBLIC_URL: 'http://127.0.0.1' }

export interface Launch {
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** what Node itself is told, before the program */
  readonly nodeArgs?: readonly string[]
  /** another program of `bin/` than the server */
  readonly command?: string
  /** a program from elsewhere, by its path */
  readonly program?: string
  /** the DATA_DIR; a new one unless given */
  readonly home?: string
}

export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface ServerProcess {
  readonly pid: number
  readonly home: string
  readonly ended: Promise<Ending>
  /** everything it said so far, on both streams */
  output(): string
  /** waits until it has said something that matches; fails when it ends before */
  said(what: RegExp): Promise<RegExpExecArray>
  signal(signal: NodeJS.Signals): void
  /** asks it to end, and waits for that */
  stop(): Promise<Ending>
  /** ends it without a chance to tidy up */
  kill(): Promise<Ending>
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

/** One that nobody listens at now, for what has to be told before it starts. */
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

/** Limits that no test meets by accident. */
const generous = {
  RATE_LIMIT_KEY: '1000000',
  RATE_LIMIT_SESSION: '1000000',
  RATE_LIMIT_ADDRESS: '1000000',
  RATE_LIMIT_LOGIN: '1000000',
}

/** All that a process has of our environment. Dozens of starts need not compile the same program each time. */
export const surroundings = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: join(checkout, 'node_modules/.cache/node-compile'),
}

/** The real program in a process of its own, with nothing of our environment but what it is given. */
export async function launch(options: Launch = {}): Promise<ServerProcess> {
  const { env = {}, args = [], nodeArgs = [], home, command = 'start' } = options
  const { program = join(programs, `${command}.ts`) } = options
  const dataDir = home ?? (await makeHome())
  const child = spawn(process.execPath, [...nodeArgs, program, ...args], {
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
  // 'close' comes after the last word, 'exit' may come before it.
  const ended = once(child, 'close').then(([code, signal]): Ending => {
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

/** Launches a node that serves HTTP, and waits until it does. Whatever it listens on, we call it on loopback. */
export async function startNode(options: Launch = {}): Promise<ServerNode> {
  const started = await launch(options)
  const [, port] = await started.said(/Risiti listens at http:\/\/\S+:(\d+)\n/)
  const url = `http://127.0.0.1:${port}`
  return { ...started, url, a: createClient(formA, url) }
}

/** Asks until the answer is yes; what is hoped for here has no promised time, only a limit to our patience. */
export async function until(ask: () => Promise<boolean>, what: string): Promise<void> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await wait(20)) if (await ask()) return
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
    // A database that outlived its killed server is adopted, and stopped the proper way.
    const dataDir = join(home, 'postgres')
    if (existsSync(join(dataDir, 'postmaster.pid'))) await (await startEmbeddedPostgres({ dataDir })).stop()
    await rm(home, { recursive: true, force: true })
  }
  homes.clear()
})
