import type { DocumentWords } from '../../kernel/document-words.ts'

/** Values that a page needs in addition to the document, which has codes and no present day. */
export interface PageWords extends DocumentWords {
  /** as `2026-01-31`, in the seller's country */
  readonly today: string
}
