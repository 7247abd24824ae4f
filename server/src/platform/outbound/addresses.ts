import { BlockList, isIPv4, isIPv6 } from 'node:net'

const listOf = (family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const range of ranges) {
    const [network, prefix] = range.split('/') as [string, string]
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}

/** Addresses that IANA does not list as globally reachable, and one address that a cloud reserves for itself. */
const notPublicV4 = listOf('ipv4', [
  '0.0.0.0/8', // this network; 0.0.0.0 connects to the machine itself
  '10.0.0.0/8', // private
  '100.64.0.0/10', // behind carriers' NAT; metadata of some clouds
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local; metadata of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; metadata of some clouds
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
  '168.63.129.16/32', // a public address, but in Azure the host itself replies
])

/** The only allocated part of IPv6. Loopback, local, mapped, NAT64 and similar addresses all lie outside it. */
const globalV6 = listOf('ipv6', ['2000::/3'])

const notPublicV6 = listOf('ipv6', [
  '2001::/23', // protocol assignments: Teredo, which carries an IPv4 address, among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which carries an IPv4 address
  '3fff::/20', // documentation
])

/**
 * Whether an address belongs to the public internet. The address is in the form that a socket gets. Invalid addresses are not public, nor
 * are addresses with a zone, which name an interface of this machine.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublicV4.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return globalV6.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6')
}

const loopbackV4 = listOf('ipv4', ['127.0.0.0/8'])

/** Whether an address is of this machine alone. */
export const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || (isIPv4(address) && loopbackV4.check(address, 'ipv4'))
