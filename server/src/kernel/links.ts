/**
 * Names that people give themselves or their organisation stand in mails to strangers, and mail programs make a link of whatever looks like an address.
 * So a name holds none, and what is written into a mail is written so that no program links it.
 */

/** `https://…`, `www.…`, an email address, or a domain with a path. As the source of an expression, for schemas. */
const address = '://|[wW]{3}\\.|@[^\\s@]+\\.|\\.[A-Za-z]{2,}[/?#]|\\.[A-Za-z]{2,}:[0-9]'
/** A word such as `evil.example`. Businesses are called so, people are not. */
const domain = '[^\\s.]{2,}\\.[a-z]{2,}(?![^\\s.,;:!?)])'

const without = (what: string) => `^(?![\\s\\S]*(?:${what}))[\\s\\S]*\\S`

export const organisationNamePattern = without(address)
export const personNamePattern = without(`${address}|${domain}`)
export const noAddressPattern = without(address)

const schemes = /\b([a-z][a-z0-9+.-]{1,20}:)\/\//gi
/** Programs take some other stops for dots, as browsers do. */
const dot = '[.\u3002\uFF0E\uFF61]'
/** Neither behind an @ nor before one: addresses of people stay as they are, `first.last+tag@shop.example` too. Whatever else stands before a domain, programs link the domain. */
const restOfAddress = `[\\p{L}\\p{N}._%+-]{0,64}@[\\p{L}\\p{N}-]+${dot}\\p{L}`
const domains = new RegExp(
  `(?<![\\p{L}\\p{N}@-])(?<![\\p{L}\\p{N}-]${dot})(?:[\\p{L}\\p{N}-]+${dot})+\\p{L}{2,}(?![\\p{L}\\p{N}@])(?!${restOfAddress})`,
  'gu',
)
const dots = new RegExp(dot, 'g')
const ending = new RegExp(`${dot}(?:\\p{Ll}{2,}|\\p{Lu}{2,})$`, 'u')

/** The same words, without anything that a mail program would make a link of: `evil .example`. */
export const withoutLinks = (text: string): string =>
  text.replace(schemes, '$1 //').replace(domains, (name) => (isDomain(name) ? name.replace(dots, ' $&') : name))

const mixedEnding = new RegExp(`${dot}[\\p{Lu}\\p{Ll}]{2,}$`, 'u')
/** Endings that programs link after any word. */
const knownEnding = new RegExp(
  `${dot}(?:com|net|org|info|biz|co|io|me|app|dev|xyz|ly|ng|uk|us|eu|africa|online|site|shop)$`,
  'iu',
)
/** As in `St.Mary` or `J.P`: a title or initials before the last stop. */
const abbreviated = new RegExp(`^(?:\\p{L}{1,2}${dot})+\\p{L}+$`, 'u')

/** A capital behind a title or initials begins a name or a sentence. What begins with `www.`, or has an ending that programs know, is always a link. */
const isDomain = (name: string): boolean =>
  /^www\./i.test(name) ||
  ending.test(name) ||
  knownEnding.test(name) ||
  (mixedEnding.test(name) && !abbreviated.test(name))
