// Runs all checks that need no tests: types, format, generated files. They run in parallel, and each failure is
// printed.
import { spawn } from 'node:child_process'

// By its path, because the older compiler for the structure tests has the command name `tsc` too.
const tsc = 'node_modules/typescript/bin/tsc'

// Each checker works out the types that it shares with the others again: the usual four take half as much computing again
// as two, and there are two cores.
const checkers = ['--checkers', '2']

const checks = [
  ['node', tsc, '-p', '.', ...checkers],
  ['node', tsc, '-p', 'dashboard', ...checkers],
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
