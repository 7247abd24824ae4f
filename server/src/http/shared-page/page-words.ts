import type { DocumentWords } from '../../kernel/document-words.ts'

/** What a page has to be told, because a document holds codes and does not know the day. */
export interface PageWords extends DocumentWords {
  /** as `2026-01-31`, where the seller is */
  readonly today: string
}
