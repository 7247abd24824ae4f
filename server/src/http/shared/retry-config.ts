import Type, { type Static } from 'typebox'
import { planBounds, type RetryPlan, usualPlan } from '../../modules/webhooks/index.ts'
import { Named } from '../definitions/fields.ts'

const meanings = {
  maxAttempts: 'How often a delivery is attempted, the first time included.',
  initialDelayMs: 'The delay between the first attempt and the second, in milliseconds.',
  multiplier: 'Each further delay is the one before times this number.',
  maxDelayMs: 'No delay is longer than this, in milliseconds; 86400000 is 24 hours.',
  timeoutMs: 'How long one attempt may take, in milliseconds.',
} as const satisfies Record<keyof RetryPlan, string>

const bounded = (name: keyof RetryPlan) => ({
  ...planBounds[name],
  default: usualPlan[name],
  description: meanings[name],
})

/** Fields that are left out have the contract's defaults. */
export const NewRetryConfig = Named(
  'NewRetryConfig',
  {
    maxAttempts: Type.Optional(Type.Integer(bounded('maxAttempts'))),
    initialDelayMs: Type.Optional(Type.Integer(bounded('initialDelayMs'))),
    multiplier: Type.Optional(Type.Number(bounded('multiplier'))),
    maxDelayMs: Type.Optional(Type.Integer(bounded('maxDelayMs'))),
    timeoutMs: Type.Optional(Type.Integer(bounded('timeoutMs'))),
  },
  {
    description:
      'When a failed delivery is attempted again. A field that you leave out has its default. Without a `retryConfig` there are three attempts, after one and two seconds.',
  },
)

export const RetryConfig = Named(
  'RetryConfig',
  {
    maxAttempts: Type.Integer({ description: meanings.maxAttempts }),
    initialDelayMs: Type.Integer({ description: meanings.initialDelayMs }),
    multiplier: Type.Number({ description: meanings.multiplier }),
    maxDelayMs: Type.Integer({ description: meanings.maxDelayMs }),
    timeoutMs: Type.Integer({ description: meanings.timeoutMs }),
  },
  { description: 'When a failed delivery to this endpoint is attempted again.' },
)

export const planFrom = (config: Static<typeof NewRetryConfig> | null): RetryPlan | null =>
  config && { ...usualPlan, ...config }

export const retryConfigOf = ({ plan }: { readonly plan: RetryPlan | null }): Static<typeof RetryConfig> =>
  plan ?? usualPlan
