import { isIP } from 'node:net'
import { isLoopbackAddress, isPublicAddress } from './addresses.ts'

/** The rules for an address that a user gives. */
export interface UrlRules {
  readonly schemes: readonly string[]
  /** undefined: any port */
  readonly ports: readonly number[] | undefined
  /** rules for names; `allowsAddress` checks the addresses to which they resolve */
  allowsName(name: string): boolean
  /** rules for IP addresses instead of names; by default those of `allowsAddress` */
  readonly literals?: 'none' | 'lifted'
  allowsAddress(address: string): boolean
  /** the addresses of a name; by default those in DNS */
  resolve?(name: string): Promise<readonly string[]>
}

/** Names with a meaning only inside a network; a single label would be completed with the machine's own domain. */
const insideName = /^[^.]*$|\.$|(?:^|\.)(?:localhost|local|internal|home\.arpa)$/

export const publicPorts: readonly number[] = [443, 8443]

/** For addresses that users give: the public internet over TLS, and not this installation itself. */
export const publicOnly = (ownNames: readonly string[] = []): UrlRules => ({
  schemes: ['https:'],
  ports: publicPorts,
  allowsName: (name) => !insideName.test(name) && !ownNames.includes(name),
  allowsAddress: isPublicAddress,
})

/** The same for names alone. Exceptions for development stay. */
export const namesAlone = (rules: UrlRules): UrlRules =>
  rules.literals === 'lifted' ? rules : { ...rules, literals: 'none' }

/** For a playground: this machine alone, with or without TLS, on any port. */
export const thisMachine: UrlRules = {
  schemes: ['https:', 'http:'],
  ports: undefined,
  allowsName: (name) => name === 'localhost',
  allowsAddress: isLoopbackAddress,
  resolve: async () => ['127.0.0.1', '::1'],
}

/** For development, where the receiver runs on the same machine. */
export const anywhere: UrlRules = {
  literals: 'lifted',
  schemes: ['https:', 'http:'],
  ports: undefined,
  allowsName: () => true,
  allowsAddress: () => true,
}

export type UrlFault = 'unreadable' | 'too_long' | 'scheme' | 'credentials' | 'port' | 'name' | 'address' | 'literal'

export const mostUrlCharacters = 2048
const standardPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** The host without brackets, as sockets need it. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

/**
 * Parses an address under the rules. `URL` comes first, because it normalises every spelling of an IPv4 address (decimal, octal,
 * hexadecimal, shortened, other digits). Name lookups do not see IP addresses, so they are checked here, and again at each connection.
 */
export function readUrl(text: string, rules: UrlRules): URL | UrlFault {
  if (text.length > mostUrlCharacters) return 'too_long'
  const url = URL.parse(text)
  if (!url) return 'unreadable'
  if (!rules.schemes.includes(url.protocol)) return 'scheme'
  if (url.username !== '' || url.password !== '') return 'credentials'
  const port = url.port === '' ? (standardPorts[url.protocol] as number) : Number(url.port)
  if (rules.ports && !rules.ports.includes(port)) return 'port'
  const host = hostOf(url)
  if (isIP(host) !== 0) {
    if (!rules.allowsAddress(host)) return 'address'
    return rules.literals === 'none' ? 'literal' : url
  }
  return rules.allowsName(host) ? url : 'name'
}

/** The parts of an address that sending needs. */
export interface UrlTarget {
  readonly origin: string
  readonly path: string
}

export const targetOf = ({ origin, pathname, search }: URL): UrlTarget => ({ origin, path: `${pathname}${search}` })

const mostKept = 1_000

/**
 * A cache of parsed addresses: an endpoint gets many requests, and parsing costs as much as signing. The cached result says nothing about
 * DNS, which is checked at every connection.
 */
export class UrlCache {
  readonly #rules: UrlRules
  readonly #read = new Map<string, UrlTarget | undefined>()

  constructor(rules: UrlRules) {
    this.#rules = rules
  }

  get size(): number {
    return this.#read.size
  }

  /** Returns `undefined` if the rules forbid the address. */
  at(text: string): UrlTarget | undefined {
    if (this.#read.has(text)) return this.#read.get(text)
    const url = readUrl(text, this.#rules)
    const where = url instanceof URL ? targetOf(url) : undefined
    if (this.#read.size >= mostKept) this.#read.clear()
    this.#read.set(text, where)
    return where
  }
}
