import type { DocumentWords } from '../../kernel/document-words.ts'

/** Values that a page needs in addition to the document, which has codes and no present day. */
export interface PageWords extends DocumentWords {
  /** as `2026-01-31`, in the seller's country */
  readonly today: string
}

/** How the address of the verification page names the authority reference, by its short name in lower case. */
export const parameterOf = (referenceName: string): string => referenceName.toLowerCase()
