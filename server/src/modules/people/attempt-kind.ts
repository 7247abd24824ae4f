import type { CodePurpose } from './one-time-codes.store.ts'

/** A purpose that can be guessed at, separate for every account. */
export type AttemptKind = CodePurpose | 'password' | 'second_factor' | 'invitation' | 'requested_change'
