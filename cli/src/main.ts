import { spawn } from 'node:child_process'
import { addAbortSignal } from 'node:stream'
import type { Io } from './io.ts'
import { run } from './program.ts'

const interrupted = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    interrupted.abort(new Error('interrupted'))
    // A second signal ends the process at once.
    process.once(name, () => process.exit(130))
  })
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader such as `head` may close the pipe early.
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`error: stdout cannot be written: ${error.message}\n`)
  process.exit(1)
})
// Nobody reads the notices, and the work goes on: an assistant may close this stream of a program that it starts.
process.stderr.on('error', () => {})

const io: Io = {
  env: process.env,
  out: (text) => process.stdout.write(text),
  note: (text) => process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true,
  lineWidth: process.stdout.columns || undefined,
  input: () => addAbortSignal(interrupted.signal, process.stdin.setEncoding('utf8')),
  signal: interrupted.signal,
  open: (url) =>
    new Promise((resolve) => {
      const program = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open'
      const child = spawn(program, [url], { stdio: 'ignore', detached: true })
      child.once('error', () => resolve(false))
      child.once('spawn', () => {
        child.unref()
        resolve(true)
      })
    }),
}

process.exitCode = await run(process.argv.slice(2), io)
