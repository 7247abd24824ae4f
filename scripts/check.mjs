// What needs no test to be seen: types, format, generated files. Beside each other, each told of when it has failed.
import { spawn } from 'node:child_process'

// By its path: the older compiler, whose syntax trees the structure tests read, is called `tsc` too.
const tsc = 'node_modules/typescript/bin/tsc'

const checks = [
  ['node', tsc, '-p', '.'],
  ['node', tsc, '-p', 'dashboard'],
  ['biome', 'ci', '.'],
  ['node', 'scripts/write-openapi.ts', '--check'],
]

const run = ([command, ...args]) =>
  new Promise((resolve) => {
    let said = ''
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece) => {
        said += piece
      })
    child.once('error', (error) => resolve(`${command}: ${error.message}`))
    child.once('exit', (code) => resolve(code === 0 ? undefined : `${[command, ...args].join(' ')} failed:\n${said}`))
  })

const failures = (await Promise.all(checks.map(run))).filter((failure) => failure !== undefined)
for (const failure of failures) process.stderr.write(`${failure}\n`)
process.exitCode = failures.length > 0 ? 1 : 0
