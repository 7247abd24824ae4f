import type { Tenant } from '../../kernel/tenant.ts'
import { literalLike, type Sql, sql } from './sql.ts'

const literalRegex = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/**
 * The condition that a column of search texts contains these words: three letters anywhere, one or two at the beginning of a word. A
 * trigram index helps only from three letters on.
 */
export function matchesText(column: Sql, words: string): Sql {
  if (words.length >= 3) return sql`${column} like ${`%${literalLike(words)}%`}`
  // `\m` is the beginning of a word, which only a letter or digit can have.
  return /^[\p{L}\p{N}]/u.test(words)
    ? sql`${column} ~ ${`\\m${literalRegex(words)}`}`
    : sql`${column} like ${`%${literalLike(words)}%`}`
}

/** The keys by which an index over `search_keys` finds these words; empty for words that are too short. */
function piecesOf(words: string): string[] {
  const letters = [...words]
  if (letters.length >= 3) return letters.slice(2).map((letter, at) => `${letters[at]}${letters[at + 1]}${letter}`)
  return /^[a-z0-9]{2}$/.test(words) ? [`^${words}`] : []
}

/**
 * The same for a table with the columns `search` and `search_keys`. Its index finds two letters and more within one tenant, whatever the
 * size of the tenant and of others.
 */
export function matchesTenantText({ organisationId, mode }: Tenant, words: string): Sql {
  const pieces = piecesOf(words)
  const matches = matchesText(sql`search`, words)
  if (pieces.length === 0) return matches
  return sql`(search_keys @> search_keys(${organisationId}, ${mode}, ${pieces}) and ${matches})`
}
