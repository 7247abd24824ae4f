import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/harness/database.ts'
import { openDatabase } from '../platform/database/database.ts'
import { silentLogger } from '../platform/logger.ts'
import { createKeyFile, loadKeyRing, rotateKey } from '../platform/secrets/key-file.ts'
import { checkKeyFile } from '../platform/secrets/secret-keys.store.ts'
import { createVault } from '../platform/secrets/secrets.ts'
import { explain } from './explain.ts'
import { openRuntime } from './runtime.ts'
import { readServiceConfig } from './service-config.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refused-start-'))
})
afterAll(() => rm(folder, { recursive: true }))

const keyFile = async (name: string): Promise<string> => {
  await createKeyFile(join(folder, name))
  return join(folder, name)
}

/** What the operator reads of a start that fails. */
async function refusedStart(env: Record<string, string>): Promise<string> {
  const config = readServiceConfig({ DATA_DIR: folder, ...env }, [])
  const error = await openRuntime(config, silentLogger).then(
    () => expect.fail('the start was not refused'),
    (error: unknown) => error,
  )
  const said = explain(error)
  expect(said).not.toMatch(/^\s+at /m)
  return said
}

/** Checks what a start requires of a given key file, and what it writes into a new database. */
async function expectFit(path: string, connection: string): Promise<void> {
  const db = openDatabase({ connection })
  await checkKeyFile(db, createVault(await loadKeyRing(path, { createIfMissing: false })))
  await db.end()
}

test('a start makes no key file for a database that is not its own, and names the command that creates one', async () => {
  const { url: DATABASE_URL } = await createTestDatabase()
  const SECRETS_FILE = join(folder, 'missing.json')
  const said = await refusedStart({ DATABASE_URL, SECRETS_FILE })
  expect(said).toContain(`no key file at ${SECRETS_FILE}`)
  expect(said).toContain('npm run secrets:create')
  await expect(stat(SECRETS_FILE)).rejects.toThrow('ENOENT')
})

test('a start says that the file with the certificate authority cannot be read', async () => {
  const EXTRA_CA_FILE = join(folder, 'ca.pem')
  expect(await refusedStart({ EXTRA_CA_FILE })).toContain(`EXTRA_CA_FILE names ${EXTRA_CA_FILE}, which cannot be read`)
})

test('a start says that the database cannot be reached, without the password', async () => {
  // Nothing listens at this port.
  const DATABASE_URL = 'postgresql://app:hunter2@127.0.0.1:1/risiti'
  const said = await refusedStart({ DATABASE_URL, SECRETS_FILE: await keyFile('unreachable.json') })
  expect(said).toContain('The database cannot be reached')
  expect(said).not.toContain('hunter2')
})

test('a start refuses the key file of another database, and the right one still fits afterwards', async () => {
  const { url: DATABASE_URL } = await createTestDatabase()
  const [right, wrong] = [await keyFile('right.json'), await keyFile('wrong.json')]
  await rotateKey(wrong)
  await expectFit(right, DATABASE_URL)
  expect(await refusedStart({ DATABASE_URL, SECRETS_FILE: wrong })).toContain('belongs to another database')
  await expectFit(right, DATABASE_URL)
})
