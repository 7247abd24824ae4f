export const statementFormats = ['pdf', 'csv'] as const
export type StatementFormat = (typeof statementFormats)[number]

/** The most lines of a PDF, CSV file or public page. */
export const mostLines = 2_000

/** How many days a public link works. */
export const usualLifeDays = 30
export const longestLifeDays = 365
/** More links than anybody needs to one buyer's account at a time. */
export const mostLinks = 100
