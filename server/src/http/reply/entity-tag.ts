import { invalid, refuse } from '../../kernel/refusals.ts'

/**
 * The version that If-Match names. Nothing sent, or `*`, means any. A tag that cannot be one of ours, such as a weak
 * one, matches no version that exists: it is stale, as RFC 9110's strong comparison says.
 */
export function readIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  const tags = header.split(',').map((tag) => tag.trim())
  if (!tags.every((tag) => /^(W\/)?"[\x21\x23-\x7e]*"$/.test(tag)))
    throw invalid([{ path: 'If-Match', rule: 'pattern', message: 'must be the ETag you were given, with its quotes' }])
  const version = tags.length === 1 ? /^"(\d{1,9})"$/.exec(tags[0] as string)?.[1] : undefined
  if (version === undefined) throw refuse('version.stale')
  return Number(version)
}

export function isNotModified(header: string | undefined, etag: string | undefined): boolean {
  if (header === undefined || etag === undefined) return false
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')
}
