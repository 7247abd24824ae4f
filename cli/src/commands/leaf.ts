import { type Command, Option } from 'commander'
import type { SessionFlags } from '../session.ts'

export interface GlobalFlags extends SessionFlags {
  readonly json?: true
}

/** A command with the flags that all commands have. */
export const leaf = (parent: Command, name: string): Command =>
  parent
    .command(name)
    .option('--json', 'data as JSON on stdout, errors as JSON on stderr')
    .addOption(new Option('--profile <name>', 'use this profile'))
    .addOption(new Option('--server <address>', 'address of the service'))
