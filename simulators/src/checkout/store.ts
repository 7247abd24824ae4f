import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Card, Payment } from './payment.ts'

/** The answer given to a request with an idempotency key, and what was asked. */
export interface KeptReply {
  readonly fingerprint: string
  readonly status: number
  readonly body: string
}

export interface State {
  /** the last number given out */
  sequence: number
  readonly payments: Payment[]
  readonly cards: Card[]
  readonly replies: Record<string, KeptReply>
}

export interface Store {
  readonly state: State
  save(): void
}

/** Everything the simulator knows. With a file it is kept there, whole after every change, so a killed process loses nothing. */
export function openStore(file: string | undefined): Store {
  const empty: State = { sequence: 0, payments: [], cards: [], replies: {} }
  if (file === undefined) return { state: empty, save: () => {} }
  const state = read(file) ?? empty
  mkdirSync(dirname(file), { recursive: true })
  return { state, save: () => replace(file, JSON.stringify(state, undefined, 1)) }
}

function read(file: string): State | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as State
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** A rename is atomic: a reader sees the old file or the new one, never half of one. */
function replace(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`
  writeFileSync(temporary, text, { mode: 0o600 })
  renameSync(temporary, file)
}
