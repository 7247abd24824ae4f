/**
 * Names of people and organisations appear in mails to strangers, and mail programs turn anything like an address into a
 * link. So a name must hold no address, and mails write names so that no program links them.
 */

/** `https://…`, `www.…`, an email address, or a domain with a path. A regular expression source, for schemas. */
const address = '://|[wW]{3}\\.|@[^\\s@]+\\.|\\.[A-Za-z]{2,}[/?#]|\\.[A-Za-z]{2,}:[0-9]'
/** A word such as `evil.example`. Businesses have such names, people do not. */
const domain = '[^\\s.]{2,}\\.[a-z]{2,}(?![^\\s.,;:!?)])'

const without = (what: string) => `^(?![\\s\\S]*(?:${what}))[\\s\\S]*\\S`

export const organisationNamePattern = without(address)
export const personNamePattern = without(`${address}|${domain}`)
export const noAddressPattern = without(address)

const schemes = /\b([a-z][a-z0-9+.-]{1,20}:)\/\//gi
/** Mail programs accept some other full stops as dots, as browsers do. */
const dot = '[.\u3002\uFF0E\uFF61]'
/**
 * Neither after nor before an @, because email addresses stay as they are, such as `first.last+tag@shop.example`. Mail
 * programs link a domain after any other character.
 */
const restOfAddress = `[\\p{L}\\p{N}._%+-]{0,64}@[\\p{L}\\p{N}-]+${dot}\\p{L}`
const domains = new RegExp(
  `(?<![\\p{L}\\p{N}@-])(?<![\\p{L}\\p{N}-]${dot})(?:[\\p{L}\\p{N}-]+${dot})+\\p{L}{2,}(?![\\p{L}\\p{N}@])(?!${restOfAddress})`,
  'gu',
)
const dots = new RegExp(dot, 'g')
const ending = new RegExp(`${dot}(?:\\p{Ll}{2,}|\\p{Lu}{2,})$`, 'u')

/** The same words with domains broken up, so that no mail program makes a link: `evil .example`. */
export const withoutLinks = (text: string): string =>
  text.replace(schemes, '$1 //').replace(domains, (name) => (isDomain(name) ? name.replace(dots, ' $&') : name))

const mixedEnding = new RegExp(`${dot}[\\p{Lu}\\p{Ll}]{2,}$`, 'u')
/** Endings that mail programs link after any word. */
const knownEnding = new RegExp(
  `${dot}(?:com|net|org|info|biz|co|io|me|app|dev|xyz|ly|ng|uk|us|eu|africa|online|site|shop)$`,
  'iu',
)
/** A title or initials before the last full stop, such as `St.Mary` or `J.P`. */
const abbreviated = new RegExp(`^(?:\\p{L}{1,2}${dot})+\\p{L}+$`, 'u')

/**
 * A capital after a title or initials begins a name or a sentence. A word that begins with `www.`, or has a known ending,
 * is always a link.
 */
const isDomain = (name: string): boolean =>
  /^www\./i.test(name) ||
  ending.test(name) ||
  knownEnding.test(name) ||
  (mixedEnding.test(name) && !abbreviated.test(name))
