import type { Command } from 'commander'
import type { SessionFlags } from '../session.ts'

export interface GlobalFlags extends SessionFlags {
  readonly json?: true
}

/** What the flags of all commands mean for one of them; `null` if it cannot use the flag. */
interface Meanings {
  readonly profile?: string | null
  readonly server?: string | null
}

/** A command with the flags that all commands have. A flag that a command cannot use is refused. */
export function leaf(parent: Command, name: string, { profile, server }: Meanings = {}): Command {
  const command = parent.command(name).option('--json', 'data as JSON on stdout, errors as JSON on stderr')
  if (profile !== null) command.option('--profile <name>', profile ?? 'use this profile instead of the current one')
  if (server !== null)
    command.option('--server <address>', server ?? 'address of the service; by default that of the profile')
  return command
}
