import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { KeyRing } from './secrets.ts'

/** A reason not to start, worded for the person who starts the service. */
export class KeyFileProblem extends Error {
  override readonly name = 'KeyFileProblem'
}

interface KeyFile {
  active: string
  keys: Record<string, string>
}

const newKey = (): string => randomBytes(32).toString('base64')

async function readKeyFile(path: string): Promise<KeyFile | undefined> {
  const info = await stat(path).catch(() => undefined)
  if (!info) return undefined
  if ((info.mode & 0o077) !== 0)
    throw new KeyFileProblem(`the key file ${path} can be read by others; run: chmod 600 ${path}`)
  let file: Partial<KeyFile> | null
  try {
    file = JSON.parse(await readFile(path, 'utf8')) as Partial<KeyFile> | null
  } catch {
    throw new KeyFileProblem(`the key file ${path} is not JSON; restore it from a backup`)
  }
  if (!isSound(file))
    throw new KeyFileProblem(
      `the key file ${path} does not hold { active, keys } with 32-byte keys; restore it from a backup`,
    )
  return file
}

function isSound(file: Partial<KeyFile> | null): file is KeyFile {
  if (typeof file?.active !== 'string' || !Object.hasOwn(file.keys ?? {}, file.active)) return false
  return Object.entries(file.keys as Record<string, unknown>).every(
    ([id, key]) => /^[a-z0-9]{1,16}$/.test(id) && typeof key === 'string' && Buffer.from(key, 'base64').length === 32,
  )
}

const toRing = (file: KeyFile): KeyRing => ({
  active: file.active,
  keys: new Map(Object.entries(file.keys).map(([id, key]) => [id, Buffer.from(key, 'base64')])),
})

/** Writes a temporary file and renames it, so that a crash leaves the old file or the new one. */
async function replaceKeyFile(path: string, file: KeyFile, place: (temporary: string, path: string) => Promise<void>) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${randomUUID()}`
  await writeFile(temporary, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flush: true })
  await chmod(temporary, 0o600)
  try {
    await place(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Returns false if there is a key file already. A key file is never overwritten: values that it sealed could not be opened again. */
async function makeKeyFile(path: string): Promise<boolean> {
  let isMade = true
  // `link` does not replace: of two processes that start together, one creates the file and both use it.
  await replaceKeyFile(path, { active: 'k1', keys: { k1: newKey() } }, (from, to) =>
    link(from, to).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      isMade = false
    }),
  )
  return isMade
}

/** Creates the key file of a new installation. */
export async function createKeyFile(path: string): Promise<void> {
  if (!(await makeKeyFile(path)))
    throw new KeyFileProblem(`there is a key file at ${path} already, which was left as it is`)
}

export async function loadKeyRing(path: string, { createIfMissing }: { createIfMissing: boolean }): Promise<KeyRing> {
  const found = await readKeyFile(path)
  if (found) return toRing(found)
  if (!createIfMissing)
    throw new KeyFileProblem(
      `there is no key file at ${path}; set SECRETS_FILE to the one of this database, or make one for a new database: npm run secrets:create`,
    )
  await makeKeyFile(path)
  return toRing((await readKeyFile(path)) as KeyFile)
}

const numberOf = (keyId: string): number => Number(keyId.slice(1)) || 0

/** A prepared key: every node may know it by now, and none uses it yet. */
const waitingKeyIn = ({ active, keys }: KeyFile): string | undefined =>
  Object.keys(keys).find((id) => numberOf(id) > numberOf(active))

async function existingKeyFile(path: string): Promise<KeyFile> {
  const file = await readKeyFile(path)
  if (!file) throw new KeyFileProblem(`there is no key file at ${path}`)
  return file
}

const withNewKey = (file: KeyFile): { file: KeyFile; keyId: string } => {
  const keyId = `k${Math.max(0, ...Object.keys(file.keys).map(numberOf)) + 1}`
  return { file: { ...file, keys: { ...file.keys, [keyId]: newKey() } }, keyId }
}

/** Adds a key that is not used yet, so that all nodes can load it first; returns its name. Keeps a prepared key that exists already. */
export async function prepareKey(path: string): Promise<string> {
  const before = await existingKeyFile(path)
  const waiting = waitingKeyIn(before)
  if (waiting !== undefined) return waiting
  const { file, keyId } = withNewKey(before)
  await replaceKeyFile(path, file, rename)
  return keyId
}

/** Makes the prepared key active, or a new one. Older keys stay: they still open the values that they sealed. */
export async function rotateKey(path: string): Promise<string> {
  const before = await existingKeyFile(path)
  const waiting = waitingKeyIn(before)
  const { file, keyId } = waiting === undefined ? withNewKey(before) : { file: before, keyId: waiting }
  await replaceKeyFile(path, { ...file, active: keyId }, rename)
  return keyId
}
