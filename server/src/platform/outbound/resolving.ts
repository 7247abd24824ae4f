import { lookup, Resolver } from 'node:dns/promises'

/** The addresses to which a name resolves now. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** The system's resolver with its hosts file, for names that the operator chose. */
export const resolveLikeTheSystem: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address)

/**
 * DNS only, for names that users chose. The system's resolver blocks one of a few threads that password hashing and file access also need,
 * so deliberately slow names would stop everybody. The hosts file is not for users either.
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
