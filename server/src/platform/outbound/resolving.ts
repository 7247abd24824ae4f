import { lookup, Resolver } from 'node:dns/promises'

/** The addresses that a name stands for, at the moment it is asked. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** As every program of this machine would: its hosts file first. For names that the operator chose. */
export const resolveLikeTheSystem: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address)

/**
 * By DNS alone, for names that users chose. The machine's way to look up occupies one of a few threads for as long as a name
 * server takes, and hashing passwords and reading files need the same threads: names that are slow on purpose would stop
 * everybody. Nor is it anyone's business what stands in the hosts file.
 */
export function resolveByDns(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (servers) resolver.setServers(servers)
  return async (name) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
    return [v4, v6].flatMap((found) => (found.status === 'fulfilled' ? found.value : []))
  }
}
