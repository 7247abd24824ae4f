import { readConfig } from '../platform/config.ts'
import { createKeyFile } from '../platform/secrets/key-file.ts'
import { orExplain } from './explain.ts'

/** Makes the key file of a new installation; one that is there already stays as it is. */
await orExplain('No key file was made.', async () => {
  const { secretsFile } = readConfig(undefined, [])
  await createKeyFile(secretsFile)
  process.stdout.write(`Made ${secretsFile}, which only you can read.
Give it to every node of this database, and keep a copy apart from the database: without it, what was sealed cannot be opened.
`)
})
