import type { Fault } from '../../../kernel/refusals.ts'
import { mostUrlCharacters, publicPorts, type UrlFault } from '../../../platform/outbound/public-urls.ts'

const wordsOfFaults: Readonly<Record<UrlFault, string>> = {
  unreadable: 'must be a URL',
  too_long: `must have at most ${mostUrlCharacters} characters`,
  scheme: 'must begin with https://',
  credentials: 'must not hold a user name or a password; check our signature instead',
  port: `must use port ${publicPorts.join(' or ')}`,
  name: 'must name a host of the public internet',
  address: 'must not name an address that is not public',
  literal: 'must name a host by its name, not by its address',
}

export const urlFaults = (fault: UrlFault | undefined): Fault[] =>
  fault === undefined ? [] : [{ path: 'url', rule: fault, message: wordsOfFaults[fault] }]
