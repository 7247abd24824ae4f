/** A browser may keep what it got, and asks each time whether it still may show it: a link can end. */
export const privately = { 'x-robots-tag': 'noindex', 'cache-control': 'private, no-cache' }

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  ...privately,
}
