import { isIP } from 'node:net'

/** The eight groups of an IPv6 address in any spelling. */
function groupsOf(address: string): number[] {
  const [bare = ''] = address.split('%')
  const hex = bare.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  const [before = [], after = []] = hex
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))))
  const zeros = hex.includes('::') ? 8 - before.length - after.length : 0
  return [...before, ...Array<number>(zeros).fill(0), ...after]
}

/** The IPv4 address inside an IPv6 one. A socket that listens for both reports IPv4 callers in that form. */
function unwrapped(groups: readonly number[]): string | undefined {
  const [high = 0, low = 0] = groups.slice(6)
  const isWrapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  return isWrapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : undefined
}

/**
 * An address in one spelling: IPv4 unwrapped, IPv6 short, lower case, without zone. `undefined` if the text is no
 * address.
 */
export function addressFrom(text: string): string | undefined {
  const family = isIP(text)
  if (family !== 6) return family === 4 ? text : undefined
  return unwrapped(groupsOf(text)) ?? new URL(`http://[${text.split('%')[0]}]`).hostname.slice(1, -1)
}

/**
 * One household has one IPv4 address, or a whole /64 of IPv6 addresses. Text that is no address is returned unchanged.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || isIP(address) !== 6) return address
  const groups = groupsOf(address)
  return (
    unwrapped(groups) ??
    `${groups
      .slice(0, 4)
      .map((group) => group.toString(16))
      .join(':')}::/64`
  )
}

/**
 * The network that guesses at an account are counted by. A household's IPv4 address changes within its /24, and an
 * attacker may own a whole range.
 */
export function neighbourhoodOf(address: string): string {
  const network = networkOf(address)
  return network.includes(':') ? network : network.split('.').slice(0, 3).join('.')
}
