import { hash } from 'node:crypto'

/** Only the hash is stored: a reader of the database cannot confirm. */
export const tokenHashOf = (token: string): string => hash('sha256', token)
