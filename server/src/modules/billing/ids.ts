import type { Id } from '../../kernel/ids.ts'

/** Payments name the subscription that they pay, which knows them in turn: so its id stands below both. */
export type SubscriptionId = Id<'subscription'>
