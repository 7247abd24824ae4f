import { createKeyFile } from '../platform/secrets/key-file.ts'
import { orExplain } from './explain.ts'
import { readServiceConfig } from './service-config.ts'

/** Creates the key file of a new installation. An existing one stays unchanged. */
await orExplain('No key file was made.', async () => {
  const { secretsFile } = readServiceConfig(undefined, [])
  await createKeyFile(secretsFile)
  process.stdout.write(`Created ${secretsFile}. Only you can read it.
Give it to every node of this database, and keep a copy apart from the database. Without the file, sealed values cannot be opened.
`)
})
