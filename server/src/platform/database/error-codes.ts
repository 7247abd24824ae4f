/** A Citus coordinator that copies rows to a worker reports a refusal of the worker as an internal error, with the worker's words. */
const codesOfWords: readonly (readonly [RegExp, string])[] = [
  [/^duplicate key value violates unique constraint /, '23505'],
  [/ violates foreign key constraint /, '23503'],
  [/ violates check constraint /, '23514'],
  [/^deadlock detected/, '40P01'],
  [/^canceling statement due to lock timeout/, '55P03'],
  [/^canceling statement due to statement timeout/, '57014'],
  [/^terminating connection due to administrator command/, '57P01'],
  [/^terminating connection because of crash of another server process/, '57P02'],
  [/^the database system is (?:starting up|shutting down|in recovery mode|not yet accepting connections)/, '57P03'],
]

/** The code of an error of the database or of its connection. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error) || typeof error.code !== 'string')
    return undefined
  const { code } = error
  if (code !== 'XX000' || !(error instanceof Error)) return code
  return codesOfWords.find(([words]) => words.test(error.message))?.[1] ?? code
}
