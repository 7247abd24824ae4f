import { isIP } from 'node:net'
import { isPublicAddress } from './addresses.ts'

/** What an address that a user gave us must be like. */
export interface UrlRules {
  readonly schemes: readonly string[]
  /** nothing: any */
  readonly ports: readonly number[] | undefined
  /** names that are looked up; what they resolve to is for `allowsAddress` to judge */
  allowsName(name: string): boolean
  /** an address in place of a name; where it is not said, those that `allowsAddress` allows */
  readonly literals?: 'none' | 'lifted'
  allowsAddress(address: string): boolean
}

/** Names that mean something only inside a network; a single label would be completed by the machine's own domain. */
const insideName = /^[^.]*$|\.$|(?:^|\.)(?:localhost|local|internal|home\.arpa)$/

export const publicPorts: readonly number[] = [443, 8443]

/** For addresses that users give: the public internet over TLS, and not ourselves. */
export const publicOnly = (ownNames: readonly string[] = []): UrlRules => ({
  schemes: ['https:'],
  ports: publicPorts,
  allowsName: (name) => !insideName.test(name) && !ownNames.includes(name),
  allowsAddress: isPublicAddress,
})

/** The same for names alone. What was lifted for development stays lifted. */
export const namesAlone = (rules: UrlRules): UrlRules =>
  rules.literals === 'lifted' ? rules : { ...rules, literals: 'none' }

/** For development, where the receiver stands on the same machine. */
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

/** The host without brackets, as sockets want it. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

/**
 * Reads an address under the rules. `URL` is asked first, for it writes every spelling of an IPv4 address (decimal, octal,
 * hexadecimal, shortened, in other digits) in the one way that the rules know. Look-ups do not see addresses, so those are
 * judged here, and judged again when a connection is made.
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

/** An address as far as sending to it needs it. */
export interface Where {
  readonly origin: string
  readonly path: string
}

export const whereOf = ({ origin, pathname, search }: URL): Where => ({ origin, path: `${pathname}${search}` })

const mostKept = 1_000

/**
 * Addresses as they were read under rules: one is sent to many times, and reading it costs as much as signing what is sent. That it passed says
 * nothing of what its name stands for, which is judged at every connection.
 */
export class ReadUrls {
  readonly #rules: UrlRules
  readonly #read = new Map<string, Where | undefined>()

  constructor(rules: UrlRules) {
    this.#rules = rules
  }

  get size(): number {
    return this.#read.size
  }

  /** Nothing where the rules do not allow it. */
  at(text: string): Where | undefined {
    if (this.#read.has(text)) return this.#read.get(text)
    const url = readUrl(text, this.#rules)
    const where = url instanceof URL ? whereOf(url) : undefined
    if (this.#read.size >= mostKept) this.#read.clear()
    this.#read.set(text, where)
    return where
  }
}
