import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { folderOf, readJson, writeJson } from '../files.ts'
import type { Io } from '../io.ts'
import { takeLock } from '../lock.ts'
import { newSecret } from './signed-headers.ts'

/** What is remembered of listening for one tenant, address and form. */
interface Memory {
  readonly cursor: string | null
  readonly secret: string
  /** when the cursor was saved */
  readonly at: string
  /** for people who look into the file */
  readonly about: string
}

/** Whom and what the file is about. */
export interface Listening {
  readonly server: string
  readonly organisationId: string
  readonly mode: string
  readonly address: string
  readonly format: string
}

export interface CursorFile {
  readonly cursor: string | null
  readonly savedAt: Date
  readonly secret: string
  save(cursor: string): Promise<void>
}

const aboutOf = ({ server, organisationId, mode, address, format }: Listening): string =>
  `${server} ${organisationId} ${mode} ${format} ${address}`

const pathOf = (io: Pick<Io, 'env'>, listening: Listening): string =>
  join(folderOf(io), 'listen', `${createHash('sha256').update(aboutOf(listening)).digest('hex').slice(0, 32)}.json`)

/**
 * Lets one process alone move the cursor: of two with different filters, one would lose what the other skipped. Returns how to let go, or
 * `undefined` if another process has it.
 */
export const lockCursorFile = (io: Pick<Io, 'env'>, listening: Listening): Promise<(() => Promise<void>) | undefined> =>
  takeLock(`${pathOf(io, listening)}.lock`)

/** Opens the file, or makes it with a new secret. */
export async function openCursorFile(io: Pick<Io, 'env'>, listening: Listening): Promise<CursorFile> {
  const about = aboutOf(listening)
  const path = pathOf(io, listening)
  const known = await readJson<Memory>(path)
  const secret = known?.secret ?? newSecret()
  const write = (cursor: string | null) =>
    writeJson(path, { cursor, secret, at: new Date().toISOString(), about } satisfies Memory)
  if (!known) await write(null)
  return { cursor: known?.cursor ?? null, savedAt: new Date(known?.at ?? Date.now()), secret, save: write }
}
