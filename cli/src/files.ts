import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Io } from './io.ts'

/** Where the command line keeps its files. */
export function folderOf({ env }: Pick<Io, 'env'>): string {
  if (env.RISITI_HOME) return env.RISITI_HOME
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'risiti')
}

/** The parsed file, or `undefined` if there is none. */
export async function readJson<Content>(path: string): Promise<Content | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    return JSON.parse(text) as Content
  } catch {
    throw new Error(`${path} is not valid JSON. Repair or delete it.`)
  }
}

/** Replaces the file at once: a reader sees the old or the new content, also after a crash. Only its owner can read it. */
export async function writeJson(path: string, content: unknown): Promise<void> {
  const draft = `${path}.${process.pid}.${++drafts}.tmp`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(content, null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await chmod(draft, 0o600)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    throw new Error(`${path} cannot be written: ${(error as Error).message}`, { cause: error })
  }
}
let drafts = 0
