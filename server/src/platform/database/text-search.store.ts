import type { Tenant } from '../../kernel/tenant.ts'
import { literalLike, type Sql, sql } from './sql.ts'

const literalRegex = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/**
 * That a column, which holds search texts, holds these words: three letters anywhere, one or two where a word begins with
 * them. A trigram index finds three letters and more; for fewer it is of no use.
 */
export function matchesText(column: Sql, words: string): Sql {
  if (words.length >= 3) return sql`${column} like ${`%${literalLike(words)}%`}`
  // `\m` is the beginning of a word, and what is no letter begins none.
  return /^[\p{L}\p{N}]/u.test(words)
    ? sql`${column} ~ ${`\\m${literalRegex(words)}`}`
    : sql`${column} like ${`%${literalLike(words)}%`}`
}

/** What an index over `search_keys` can find these words by; nothing for words that are too short. */
function piecesOf(words: string): string[] {
  const letters = [...words]
  if (letters.length >= 3) return letters.slice(2).map((letter, at) => `${letters[at]}${letters[at + 1]}${letter}`)
  return /^[a-z0-9]{2}$/.test(words) ? [`^${words}`] : []
}

/**
 * The same of a table with the columns `search` and `search_keys`, whose index finds two letters and more within one
 * tenant, however many rows it has and however many others hold them.
 */
export function matchesTenantText({ organisationId, mode }: Tenant, words: string): Sql {
  const pieces = piecesOf(words)
  const matches = matchesText(sql`search`, words)
  if (pieces.length === 0) return matches
  return sql`(search_keys @> search_keys(${organisationId}, ${mode}, ${pieces}) and ${matches})`
}
