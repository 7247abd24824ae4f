import type { Command } from 'commander'
import type { Io } from '../io.ts'
import { bridge } from '../mcp/bridge.ts'
import { openSession } from '../session.ts'
import { type GlobalFlags, leaf } from './leaf.ts'

export function addMcp(program: Command, io: Io): void {
  const command = leaf(program, 'mcp')
    .description('Serve the tools for assistants over stdin and stdout (Model Context Protocol)')
    .addHelpText(
      'after',
      `
Enter it as the command of a server in your assistant: \`risiti mcp --profile <name>\`. It sends each message to the service with the sign-in
of the profile. Stdout has messages of the protocol only.`,
    )
  command.action(async () => {
    const session = await openSession(io, command.opts() as GlobalFlags, 'any')
    io.note(`${session.mode} · ${session.server}: tools for assistants on stdin and stdout\n`)
    await bridge({
      url: `${session.server}/mcp`,
      bearer: session.bearer,
      input: io.input(),
      write: (line) => io.out(`${line}\n`),
      signal: io.signal,
    })
  })
}
