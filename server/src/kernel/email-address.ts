/** Limits of mail servers. */
const longestLocal = 64
const longestDomain = 255
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+$/i
const label = /^[a-z0-9-]{1,63}$/i
/** A top-level domain begins with a letter. Digits there would be the end of an IP address. */
const topLevel = /^[a-z][a-z0-9-]+$/i

/**
 * Domains that are not delivered, or lead back into our own network. `test` and `example` are allowed for trying out.
 */
const nowhere = new Set(['localhost', 'local', 'internal', 'invalid', 'onion', 'arpa', 'alt'])

/**
 * Accepts a plain name at a public domain. Quoted names, machine addresses (`a@[127.0.0.1]`, `a@10.0.0.1`) and local
 * hosts (`a@localhost`) are legal by the standards, but only attackers use them. Parsed part by part, so that long
 * input stays cheap.
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > longestLocal + 1 + longestDomain) return false
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)]
  if (local.length > longestLocal || domain.length > longestDomain) return false
  if (!localPart.test(local) || local.startsWith('.') || local.endsWith('.') || local.includes('..')) return false
  const labels = domain.split('.')
  const top = labels.at(-1) as string
  if (labels.length < 2 || !topLevel.test(top) || nowhere.has(top.toLowerCase())) return false
  return labels.every((name) => label.test(name) && !name.startsWith('-') && !name.endsWith('-'))
}
