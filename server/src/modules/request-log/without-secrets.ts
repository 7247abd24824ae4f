import { redact } from '../../platform/logger.ts'

/** Of an address, and of what is named in it, as much is kept. */
const longestPath = 1_000
const secretNames =
  /^(?:.*[-_. ])?(?:access|auth|code|jwt|key|otp|pass(?:word|phrase)?|pin|secret|sig(?:nature)?|token)s?$/i
/** `apiKey` is a key as `api_key` is one. */
const inWords = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2')

/** Percent-encoding may be repeated; nobody has a reason to do so more often. */
const mostDecodings = 4

/** Letters, digits and signs that were percent-encoded, however often. All names and shapes of secrets are made of these. */
function decoded(text: string): string {
  let plain = text
  for (let times = 0; times < mostDecodings && plain.includes('%'); times++)
    plain = plain.replace(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return plain
}

/** Nobody should put a secret into an address, and somebody does: what is called one is left out, and what looks like one of ours. */
export function pathWithoutSecrets(url: string): string {
  const at = url.indexOf('?')
  const path = (at < 0 ? url : url.slice(0, at)).split('/').map(withoutShapes).join('/')
  // Some write a semicolon between two fields: we do not read it so, but it may hold what they mean.
  const query = at < 0 ? '' : `?${url.slice(at + 1).replace(/[^&;]+/g, withoutSecret)}`
  return redact(path + query).slice(0, longestPath)
}

function withoutSecret(pair: string): string {
  const at = pair.indexOf('=')
  if (at < 0) return withoutShapes(pair)
  const name = pair.slice(0, at)
  return `${withoutShapes(name)}=${isSecretName(name) ? '[redacted]' : withoutShapes(pair.slice(at + 1))}`
}

/** `filter[token]` and `token[]` name a token, too. A name with an = that was percent-encoded holds a value of its own. */
const isSecretName = (name: string): boolean =>
  decoded(name)
    .split(/[[\]=&;?]+/)
    .some((part) => secretNames.test(inWords(part.replaceAll('+', ' ').trim())))

/** What looks like one of our secrets once it is decoded. */
function withoutShapes(text: string): string {
  const plain = decoded(text)
  return plain !== text && redact(plain) !== plain ? '[redacted]' : text
}
