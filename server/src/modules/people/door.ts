import type { CodePurpose } from './one-time-codes.store.ts'

/** What can be guessed at: a purpose, apart for every account. */
export type Door = CodePurpose | 'password' | 'second_factor' | 'invitation' | 'asked_change'
