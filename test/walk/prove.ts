import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Mend, mends } from './mends.ts'

/**
 * Proves that the walk can fail: removes each fix from a copy of the project, walks there and expects the named check
 * to fail. `npm run walk:prove` runs all, `npm run walk:prove -- 2` only the second.
 */
const project = new URL('../../', import.meta.url).pathname
const copied = [
  'server',
  'simulators',
  'test',
  'db',
  'sdk',
  'openapi',
  'docs',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
]
const walkFor = { WALK_SEED: '10', WALK_WORLDS: '24', WALK_STEPS: '40', WALK_FAULTS: '6' }

function without({ changes }: Mend): string {
  const folder = mkdtempSync(join(tmpdir(), 'risiti-walk-'))
  for (const name of copied) cpSync(join(project, name), join(folder, name), { recursive: true })
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
  for (const { file, mended, broken } of changes) {
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    if (text.split(mended).length !== 2) throw new Error(`${file} does not contain once: ${mended}`)
    writeFileSync(
      path,
      text.replace(mended, () => broken),
    )
  }
  return folder
}

/** Stops the walk as soon as the check has failed. */
function walk(folder: string, { caughtBy }: Mend): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const child = spawn('node_modules/.bin/vitest', ['run', 'test/walk/invoice-lives.test.ts', '--bail=1'], {
    cwd: folder,
    env: { ...process.env, ...walkFor },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => {
      said += piece.toString()
    })
  child.once('exit', () => {
    // An internal error is a find too: a check of the tables refused the wrong figures before ours saw them.
    resolve(said.includes(`"${caughtBy}:`) || said.includes('answered 500'))
  })
  return promise
}

const asked = process.argv.slice(2).map(Number)
const chosen = mends.filter((_, at) => asked.length === 0 || asked.includes(at + 1))
let missed = 0
for (const mend of chosen) {
  const folder = without(mend)
  const isCaught = await walk(folder, mend)
  rmSync(folder, { recursive: true })
  if (!isCaught) missed++
  process.stdout.write(`${isCaught ? 'caught' : 'MISSED'}: ${mend.name} (${mend.caughtBy})\n`)
}
process.stdout.write(`${chosen.length - missed} caught, ${missed} missed\n`)
process.exitCode = missed > 0 ? 1 : 0
