/** What is stored of a failure can be read in the database: say no more than which kind it was. The log says the rest. */
export const failureReason = (error: unknown): string => (error instanceof Error ? error.name : 'failed')
