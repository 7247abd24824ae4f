import type { UserCaller } from '../kernel/callers.ts'
import { type Endpoint, type FormatName, usualPlan, webhookOperations } from '../modules/webhooks/index.ts'
import type { AnyOperation } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { demoOrigin } from './seed-organisation.ts'

const once = { ...usualPlan, maxAttempts: 1 }
const patient = { ...usualPlan, maxAttempts: 10, initialDelayMs: 900_000 }
const hasty = { ...usualPlan, maxAttempts: 2, timeoutMs: 1_000 }

type PlannedEndpoint = Pick<Parameters<typeof webhookOperations.createEndpoint.prepare>[1], 'patterns'> &
  Partial<Parameters<typeof webhookOperations.createEndpoint.prepare>[1]> & {
    readonly path: string
    readonly description: string
  }

const rotating = 'Accounting, its secret being changed'
const paused = 'Switched off by hand'
const former = 'Deleted; its log stays'
/** An endpoint in every state, at the playground's own receiver. */
const planned: readonly PlannedEndpoint[] = [
  { path: '/orders', description: 'Order book', patterns: ['invoice.*', 'buyer.*'] },
  {
    path: '/stock',
    description: 'Stock keeping',
    patterns: ['*'],
    plan: { ...usualPlan, maxAttempts: 5 },
  },
  { path: '/ledger', description: rotating, patterns: ['*'] },
  {
    path: '/refuses/for-now',
    description: 'A shop that is down: attempts wait',
    patterns: ['buyer.created'],
    plan: patient,
  },
  {
    path: '/refuses/too-often',
    description: 'Down: disabled after a day without a success',
    patterns: ['*'],
    plan: once,
  },
  {
    path: '/asleep',
    description: 'Never answers in time',
    patterns: ['invoice.created'],
    plan: hasty,
  },
  { path: '/gone', description: 'Says that it is gone', patterns: ['invoice.created'] },
  { path: '/paused', description: paused, patterns: ['invoice.*'] },
  { path: '/former', description: former, patterns: ['buyer.*'] },
]

const actingAs =
  (runner: Runner, owner: UserCaller) =>
  <Input, Output>(operation: AnyOperation<UserCaller, Input, Output>, input: Input): Promise<Output> =>
    runner.run(operation, { caller: owner, origin: demoOrigin, input })

/**
 * The demo's endpoints, created before the rest and disabled: delivering all events of the seed would delay the start. They get these
 * events when they are enabled. The formats take turns.
 */
export async function seedWebhooks(
  runner: Runner,
  owner: UserCaller,
  receiverUrl: string,
  formats: readonly FormatName[],
): Promise<void> {
  const act = actingAs(runner, owner)
  for (const [index, { path, ...more }] of planned.entries()) {
    const format = formats[index % formats.length] as FormatName
    const { id } = await act(webhookOperations.createEndpoint, {
      url: `${receiverUrl}${path}`,
      plan: null,
      format,
      ...more,
    })
    await act(webhookOperations.updateEndpoint, { id, edit: { enabled: false } })
  }
}

async function ownEndpoints(runner: Runner, owner: UserCaller): Promise<Map<string | null, Endpoint>> {
  const { rows } = await actingAs(runner, owner)(webhookOperations.listWebhookEndpoints, {
    page: { page: 1, limit: 100 },
  })
  return new Map(rows.map((endpoint) => [endpoint.description, endpoint]))
}

/** Delivers the missed events. May be repeated: endpoints that are enabled, or were disabled by their failures, stay as they are. */
export async function openWebhooks(
  runner: Runner,
  owner: UserCaller,
  receiverUrl: string,
  signal: AbortSignal,
): Promise<void> {
  const act = actingAs(runner, owner)
  const endpoints = await ownEndpoints(runner, owner)
  const secretUser = endpoints.get(rotating)
  if (secretUser && secretUser.previousSecretUntil === null)
    await act(webhookOperations.rotateSecret, { id: secretUser.id, overlapSeconds: 604_800 })
  for (const { path, description } of planned) {
    signal.throwIfAborted()
    const endpoint = endpoints.get(description)
    // The receiver may have another port since.
    const url = `${receiverUrl}${path}`
    if (endpoint?.disabledCause === 'manual')
      await act(webhookOperations.updateEndpoint, { id: endpoint.id, edit: { url, enabled: true, replayMissed: true } })
  }
  if (secretUser) await act(webhookOperations.testEndpoint, { id: secretUser.id })
}

/** Brings the last endpoints into their states, after their first deliveries. */
export async function endWebhooks(runner: Runner, owner: UserCaller): Promise<void> {
  const act = actingAs(runner, owner)
  const endpoints = await ownEndpoints(runner, owner)
  const [pausing, leaving] = [endpoints.get(paused), endpoints.get(former)]
  if (pausing && pausing.disabledCause === null) {
    await act(webhookOperations.testEndpoint, { id: pausing.id })
    await act(webhookOperations.updateEndpoint, { id: pausing.id, edit: { enabled: false } })
  }
  if (leaving) await act(webhookOperations.deleteEndpoint, { id: leaving.id })
}
