// Writes dist/: the command line and what it uses in a few files, so that it starts fast and needs no other package.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const here = fileURLToPath(new URL('.', import.meta.url))
const dist = `${here}dist`
rmSync(dist, { recursive: true, force: true })
const bundle = await rolldown({
  input: { main: `${here}src/main.ts` },
  platform: 'node',
})
await bundle.write({ dir: dist, format: 'esm', minify: true, chunkFileNames: '[name].js' })
const licence = new URL('LICENSE', import.meta.resolve('commander'))
writeFileSync(`${dist}/THIRD-PARTY-LICENCES`, `commander\n\n${readFileSync(licence, 'utf8')}`)
