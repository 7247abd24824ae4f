import type { UserId } from '../../kernel/ids.ts'

export interface Person {
  readonly id: UserId
  readonly email: string
  readonly emailVerifiedAt: Date | null
  readonly passwordHash: string
  readonly firstName: string
  readonly lastName: string
  readonly totpSecret: string | null
  readonly totpPending: string | null
  readonly totpEnabledAt: Date | null
}

/** One spelling per address: people type capitals and stray spaces. */
export const normaliseEmail = (email: string): string => email.trim().toLowerCase()

/** Names a person in the log of changes that tokens are held against. */
export const personSubject = (id: UserId): string => `user:${id}`
