import { organisationNamePattern } from '../../kernel/links.ts'
import { isSingleLine } from '../../kernel/plain-text.ts'
import type { ProgramIdentity } from './program.ts'

/** A program, and the addresses to which it may have answers sent. */
export interface ProgramClient extends ProgramIdentity {
  readonly redirectUris: readonly string[]
}

/** Our own command line program. Any port of its machine is allowed. */
export const ownClient: ProgramClient = {
  clientId: 'risiti-cli',
  name: 'Risiti CLI',
  host: null,
  redirectUris: ['http://127.0.0.1/callback', 'http://[::1]/callback', 'http://localhost/callback'],
}

export const isOwnClient = ({ clientId }: Pick<ProgramIdentity, 'clientId'>): boolean => clientId === ownClient.clientId

export const longestClientId = 1_000
export const longestUri = 500
export const mostUris = 20
const longestName = 80

const printable = /^[\x21-\x7e]+$/
/** An address on the program's own machine: its port is chosen at each start (RFC 8252). */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:[/?][^#]*)?)$/
/** A scheme of a program begins with a domain name turned round (RFC 8252). These popular programs have one without a dot. */
const knownSchemes: readonly string[] = ['cursor:']

export const isClientId = (text: string): boolean => text.length <= longestClientId && printable.test(text)

/** Whether a program may ask for this redirect address at all. */
export function isRedirectUri(uri: string): boolean {
  if (uri.length > longestUri || !printable.test(uri) || uri.includes('#')) return false
  const url = URL.parse(uri)
  if (url === null || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  if (url.protocol === 'http:') return loopback.test(uri)
  return url.protocol.includes('.') || knownSchemes.includes(url.protocol)
}

const withoutPort = (uri: string): string => {
  const [, host, rest] = loopback.exec(uri) ?? []
  return host === undefined ? uri : `${host}${rest}`
}

/** Compared letter by letter, except for the port on the program's own machine. */
export const takesAnswersAt = ({ redirectUris }: ProgramClient, uri: string): boolean =>
  isRedirectUri(uri) && redirectUris.some((one) => one === uri || withoutPort(one) === withoutPort(uri))

const name = new RegExp(organisationNamePattern)

/** Letters of other alphabets can look like ours, in more ways than a list can name. */
const latin = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+$/u
/** Latin letters, digits and signs that pass for a letter of our name. */
const lookAlikes: readonly (readonly [RegExp, string])[] = [
  [/[ıɩɪǀl1|!]/g, 'i'],
  [/[ʀɼɽ]/g, 'r'],
  [/[ꜱʂ$5]/g, 's'],
  [/[ᴛŧƭ7]/g, 't'],
  [/[\p{M}.'’_·-]/gu, ''],
]

/** Whether a text reads like our name. */
const looksLikeOurs = (text: string): boolean =>
  lookAlikes
    .reduce((plain, [sign, letter]) => plain.replace(sign, letter), text.normalize('NFKD').toLowerCase())
    .includes('risiti')

/** A name that a person can read and that does not pass for ours. */
export const isProgramName = (text: string): boolean =>
  text.length <= longestName &&
  text.isWellFormed() &&
  isSingleLine(text) &&
  name.test(text) &&
  latin.test(text) &&
  !looksLikeOurs(text)

export const areRedirectUris = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= mostUris &&
  value.every((uri) => typeof uri === 'string' && isRedirectUri(uri))
