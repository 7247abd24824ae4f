import type { NewRetryConfig, RetryConfig } from '@risiti/sdk'

interface RetryChoice {
  readonly name: string
  readonly words: string
  /** null: the default of the API */
  readonly config: NewRetryConfig | null
}

/** The first choice is the default. Patient: 10 s, 30 s, 90 s and so on up to 8 hours, 73 hours in total. */
export const retryChoices: readonly RetryChoice[] = [
  {
    name: 'patient',
    words: 'Patient: 17 attempts over about 3 days',
    config: { maxAttempts: 17, initialDelayMs: 10_000, multiplier: 3, maxDelayMs: 28_800_000, timeoutMs: 10_000 },
  },
  { name: 'brief', words: 'Brief: 3 attempts within seconds', config: null },
]

const briefly: RetryConfig = {
  maxAttempts: 3,
  initialDelayMs: 1_000,
  multiplier: 2,
  maxDelayMs: 86_400_000,
  timeoutMs: 10_000,
}

/** The choice of an endpoint. `undefined` if its retry plan was set through the API. */
export const choiceOf = (config: RetryConfig): string | undefined =>
  retryChoices.find(({ config: offered }) =>
    (Object.keys(briefly) as (keyof RetryConfig)[]).every((name) => (offered ?? briefly)[name] === config[name]),
  )?.name
