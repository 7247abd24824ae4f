import { ConfigProblems, commandArguments } from '../platform/config.ts'
import { prepareKey, rotateKey } from '../platform/secrets/key-file.ts'
import { orExplain } from './explain.ts'
import { readServiceConfig } from './service-config.ts'

/**
 * Makes another key active. All nodes must know a key before one of them uses it. `--prepare` adds the key; after every node was restarted
 * with the file, the same command without the option makes it active.
 */
await orExplain('No key was changed.', async () => {
  const { secretsFile } = readServiceConfig(undefined, [])
  const [option, ...others] = commandArguments()
  if (others.length > 0 || (option !== undefined && option !== '--prepare'))
    throw new ConfigProblems([`the only argument is --prepare, not ${[option, ...others].join(' ')}`])
  process.stdout.write(
    option === '--prepare'
      ? `Key ${await prepareKey(secretsFile)} is prepared in ${secretsFile}, and no node uses it yet.
Give this file to every node and restart them one after another. Then run: npm run secrets:rotate
`
      : `Key ${await rotateKey(secretsFile)} is now active in ${secretsFile}.
Give this file to every node and restart them one after another. Older keys stay in the file, to open values that they sealed.
A job then moves all sealed values to the new key.
`,
  )
})
