/** A browser may cache the page but must revalidate it each time: a link can be revoked. */
export const privately = { 'x-robots-tag': 'noindex', 'cache-control': 'private, no-cache' }

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  ...privately,
}
