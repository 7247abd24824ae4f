import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ListenTimes } from '../src/listen/times.ts'
import { run } from '../src/program.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly notes: string
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string | AsyncIterable<string>
  readonly signal?: AbortSignal
  /** called with each piece of stderr */
  readonly onNote?: (text: string) => void
  readonly onOut?: (text: string) => void
  /** for `listen`, so that hours pass in seconds */
  readonly times?: ListenTimes
  /** whether a person reads stdout */
  readonly isTerminal?: boolean
  readonly lineWidth?: number
}

export interface CommandLine {
  readonly home: string
  (words: string | readonly string[], options?: RunOptions): Promise<Ran>
  end(): Promise<void>
}

/** The command line in this process, with a home folder of its own. */
export async function commandLine(env: Readonly<Record<string, string>> = {}): Promise<CommandLine> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-cli-'))
  const command = async (words: string | readonly string[], options: RunOptions = {}): Promise<Ran> => {
    let [out, notes] = ['', '']
    const code = await run(typeof words === 'string' ? words.split(' ') : words, {
      env: { RISITI_HOME: home, ...env, ...options.env },
      out: (text) => {
        out += text
        options.onOut?.(text)
      },
      note: (text) => {
        notes += text
        options.onNote?.(text)
      },
      isTerminal: options.isTerminal ?? false,
      lineWidth: options.lineWidth,
      input: () => inputOf(options.stdin ?? ''),
      signal: options.signal ?? new AbortController().signal,
      open: async () => false,
      listenTimes: options.times,
    })
    return { code, out, notes }
  }
  return Object.assign(command, { home, end: () => rm(home, { recursive: true, force: true }) })
}

async function* inputOf(given: string | AsyncIterable<string>): AsyncGenerator<string> {
  if (typeof given === 'string') yield given
  else yield* given
}
