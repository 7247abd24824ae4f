import type { IncomingMessage } from 'node:http'
import { BlockList } from 'node:net'
import { addressFrom } from '../../kernel/addresses.ts'
import type { TrustedProxies } from '../../platform/config.ts'

/** The peer of the connection: a caller, or a proxy of ours. */
const neighbourOf = ({ socket }: IncomingMessage): string => {
  const address = socket.remoteAddress ?? ''
  return address.startsWith('::') || address.includes('%') ? (addressFrom(address) ?? '') : address
}

function trust(proxies: TrustedProxies): (address: string, hop: number) => boolean {
  if ('hops' in proxies) return (_, hop) => hop < proxies.hops
  const list = new BlockList()
  for (const { address, prefix } of proxies.networks) list.addSubnet(address, prefix, familyOf(address))
  return (address) => address !== '' && list.check(address, familyOf(address))
}

const familyOf = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4')

/**
 * Finds the origin of a request. Each proxy appends its peer to `X-Forwarded-For`, and earlier entries may be invented. So the header is
 * read from its end, while the entry's author is a proxy of ours, up to the first invalid address.
 */
export function clientAddressReader(proxies: TrustedProxies | undefined): (request: IncomingMessage) => string {
  if (!proxies) return neighbourOf
  const isOurs = trust(proxies)
  return (request) => {
    let address = neighbourOf(request)
    const hops = String(request.headers['x-forwarded-for'] ?? '').split(',')
    for (const [hop, one] of hops.reverse().entries()) {
      const before = isOurs(address, hop) ? addressFrom(one.trim()) : undefined
      if (before === undefined) break
      address = before
    }
    return address
  }
}
