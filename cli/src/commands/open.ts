import type { Command } from 'commander'
import { usage } from '../failures.ts'
import type { Io } from '../io.ts'
import { findProfile, serverFrom, usualServer } from '../session.ts'
import { type GlobalFlags, leaf } from './leaf.ts'

export function addOpen(program: Command, io: Io): void {
  const command = leaf(program, 'open')
    .description('Open a page of the dashboard in the browser, or print its address')
    .argument('[page]', 'path of the page, such as invoices or docs', '')
    .option('--print', 'only print the address')
  command.action(async (page: string) => {
    const flags = command.opts() as GlobalFlags & { print?: true }
    if (!/^[\w/-]*$/.test(page)) throw usage('The page must be a path such as invoices.')
    const server = flags.server ?? io.env.RISITI_SERVER ?? (await findProfile(io, flags))?.profile.server ?? usualServer
    const url = `${serverFrom(server)}/${page.replace(/^\/+/, '')}`
    io.out(flags.json ? `${JSON.stringify({ url })}\n` : `${url}\n`)
    if (!flags.print && io.isTerminal && !(await io.open(url)))
      io.note('No browser could be opened. Open the address yourself.\n')
  })
}
