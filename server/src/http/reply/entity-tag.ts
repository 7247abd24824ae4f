import { invalid, refuse } from '../../kernel/refusals.ts'

/**
 * The version in If-Match. No header, or `*`, means any version. A tag that is not ours, such as a weak one, matches no version and is
 * therefore stale (strong comparison, RFC 9110).
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
