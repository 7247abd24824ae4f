/** Stored reasons can be read in the database, so they contain only the kind of failure. The log has the details. */
export const failureReason = (error: unknown): string => (error instanceof Error ? error.name : 'failed')
