import { redact } from '../../platform/logger.ts'

/** Limit of the stored path. */
const longestPath = 1_000
const secretNames =
  /^(?:.*[-_. ])?(?:access|auth|code|jwt|key|otp|pass(?:word|phrase)?|pin|secret|sig(?:nature)?|token)s?$/i
/** Splits words, so that `apiKey` counts as `api_key`. */
const inWords = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2')

/** Limit of repeated percent-decoding. */
const mostDecodings = 4

/** Decodes percent-encoded letters, digits and signs repeatedly. Names and shapes of secrets consist of these. */
function decoded(text: string): string {
  let plain = text
  for (let times = 0; times < mostDecodings && plain.includes('%'); times++)
    plain = plain.replace(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return plain
}

/**
 * Some clients put secrets into the address. Parameters with the name of a secret and values in the shape of ours are
 * left out.
 */
export function pathWithoutSecrets(url: string): string {
  const at = url.indexOf('?')
  const path = (at < 0 ? url : url.slice(0, at)).split('/').map(withoutShapes).join('/')
  // Some clients separate fields with a semicolon. We do not, but a secret may follow one.
  const query = at < 0 ? '' : `?${url.slice(at + 1).replace(/[^&;]+/g, withoutSecret)}`
  return redact(path + query).slice(0, longestPath)
}

function withoutSecret(pair: string): string {
  const at = pair.indexOf('=')
  if (at < 0) return withoutShapes(pair)
  const name = pair.slice(0, at)
  return `${withoutShapes(name)}=${isSecretName(name) ? '[redacted]' : withoutShapes(pair.slice(at + 1))}`
}

/** `filter[token]` and `token[]` also name a token. A name with an encoded = contains a value. */
const isSecretName = (name: string): boolean =>
  decoded(name)
    .split(/[[\]=&;?]+/)
    .some((part) => secretNames.test(inWords(part.replaceAll('+', ' ').trim())))

/** Removes values that have the shape of our secrets once decoded. */
function withoutShapes(text: string): string {
  const plain = decoded(text)
  return plain !== text && redact(plain) !== plain ? '[redacted]' : text
}
