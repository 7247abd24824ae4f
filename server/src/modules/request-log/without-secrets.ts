import { redact } from '../../platform/logger.ts'

/** Of an address, and of what is named in it, as much is kept. */
const longestPath = 1_000
const secretNames =
  /^(?:.*[-_.])?(?:access|auth|code|jwt|key|otp|pass(?:word|phrase)?|pin|secret|sig(?:nature)?|token)s?$/i
/** `apiKey` is a key as `api_key` is one. */
const inWords = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2')

/** Nobody should put a secret into an address, and somebody does: what is called one is left out, and what looks like one of ours. */
export function pathWithoutSecrets(url: string): string {
  const at = url.indexOf('?')
  const path =
    at < 0
      ? url
      : `${url.slice(0, at)}?${url
          .slice(at + 1)
          .split('&')
          .map(withoutSecret)
          .join('&')}`
  return redact(path).slice(0, longestPath)
}

function withoutSecret(pair: string): string {
  const at = pair.indexOf('=')
  return at >= 0 && secretNames.test(inWords(pair.slice(0, at))) ? `${pair.slice(0, at)}=[redacted]` : pair
}
