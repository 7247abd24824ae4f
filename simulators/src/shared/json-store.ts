import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface Store<State> {
  readonly state: State
  save(): void
}

/**
 * Everything a simulator knows. With a file it is kept there, whole after every change, so a killed process loses nothing.
 * What a file of an older simulator does not have yet is taken from `empty`.
 */
export function openStore<State extends object>(file: string | undefined, empty: State): Store<State> {
  if (file === undefined) return { state: empty, save: () => {} }
  const state = { ...empty, ...read<State>(file) }
  mkdirSync(dirname(file), { recursive: true })
  return { state, save: () => replace(file, JSON.stringify(state, undefined, 1)) }
}

function read<State extends object>(file: string): Partial<State> | undefined {
  const text = textOf(file)
  if (text === undefined) return undefined
  const kept: unknown = JSON.parse(text)
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) throw new SyntaxError(`${file} is not a store`)
  return kept as Partial<State>
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
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
