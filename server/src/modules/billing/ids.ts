import type { Id } from '../../kernel/ids.ts'

/** Payments and subscriptions refer to each other, so this id lives below both. */
export type SubscriptionId = Id<'subscription'>
