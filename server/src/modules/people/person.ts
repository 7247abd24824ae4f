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

/** One spelling per address, because people type capitals and stray spaces. */
export const normaliseEmail = (email: string): string => email.trim().toLowerCase()

/** Key of a person in the log of changes that outdate tokens. */
export const personSubject = (id: UserId): string => `user:${id}`
