/** What mail servers take, whatever they are asked for. */
const longestLocal = 64
const longestDomain = 255
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+$/i
const label = /^[a-z0-9-]{1,63}$/i
/** A name at the top of the tree begins with a letter; a number there is the end of an IP address. */
const topLevel = /^[a-z][a-z0-9-]+$/i

/** Names that lead nowhere, or back into the network that the mail is sent from. `test` and `example` are for trying. */
const nowhere = new Set(['localhost', 'local', 'internal', 'invalid', 'onion', 'arpa', 'alt'])

/**
 * An address that somebody out there can have: a plain name at a domain of the public tree. Quoted names, addresses of
 * machines (`a@[127.0.0.1]`, `a@10.0.0.1`) and names of this or a neighbouring machine (`a@localhost`) are legal in the
 * standards, and nobody has them but those who try what happens. Read part by part, so that no text takes long.
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
