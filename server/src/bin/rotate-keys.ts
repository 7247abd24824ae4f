import { readConfig } from '../platform/config.ts'
import { addKey } from '../platform/secrets/key-file.ts'
import { orExplain } from './explain.ts'

/** Adds a key to the key file and makes it the active one. Nodes use it from their next start. */
await orExplain('No key was added.', async () => {
  const { secretsFile } = readConfig(undefined, [])
  const keyId = await addKey(secretsFile)
  process.stdout.write(`Added key ${keyId} to ${secretsFile}.
Give this file to every node and restart them one after another; older keys stay in it, to open what they sealed.
A job then moves all sealed values to the new key.
`)
})
