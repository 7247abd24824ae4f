import { ConfigProblems, commandArguments, readConfig } from '../platform/config.ts'
import { prepareKey, rotateKey } from '../platform/secrets/key-file.ts'
import { orExplain } from './explain.ts'

/**
 * Makes another key the active one. Nodes that run beside each other must all know a key before one of them uses it:
 * `--prepare` adds it, and once every node was started with the file, the same command without it makes it active.
 */
await orExplain('No key was changed.', async () => {
  const { secretsFile } = readConfig(undefined, [])
  const [option, ...others] = commandArguments()
  if (others.length > 0 || (option !== undefined && option !== '--prepare'))
    throw new ConfigProblems([`the only argument is --prepare, not ${[option, ...others].join(' ')}`])
  process.stdout.write(
    option === '--prepare'
      ? `Key ${await prepareKey(secretsFile)} waits in ${secretsFile}; nothing uses it yet.
Give this file to every node and restart them one after another. Then run: npm run secrets:rotate
`
      : `Key ${await rotateKey(secretsFile)} is the active one in ${secretsFile}.
Give this file to every node and restart them one after another; older keys stay in it, to open what they sealed.
A job then moves all sealed values to the new key.
`,
  )
})
