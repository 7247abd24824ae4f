import type { SystemCaller } from '../../../kernel/callers.ts'
import { Refusal } from '../../../kernel/refusals.ts'
import type { Mode, Tenant } from '../../../kernel/tenant.ts'
import { job } from '../../../platform/jobs/jobs.ts'
import {
  type Inside,
  type Outside,
  operation,
  preparedOperation,
  reading,
} from '../../../platform/operations/operation.ts'
import { applyAnswers } from '../state/record-answers.ts'
import { retryPolicyOf } from '../state/retry-policy.ts'
import { findLink, findPayload } from '../state/submissions.store.ts'
import { type AuthorityReply, askAuthority } from './ask-authority.ts'
import { authorityOf } from './authority-access.ts'
import {
  listTenantsNamed,
  listTenantsToFollowUp,
  listToFollowUp,
  markNotified,
  type NamedDocuments,
  type ToFollowUp,
} from './follow-up.store.ts'

const ours = { needs: [], refuses: [] } as const

/**
 * Looks documents up apart from the steps of the queue: those that a callback named, and those without news from the
 * buyer's side. One job runs at a time for each tenant.
 */
export const followUpJob = job<Tenant>('follow-up-submissions', 'authority', { maxAttempts: 5 })

const askedAtOnce = 50
const tenantsAtOnce = 1_000
const keyOf = ({ organisationId, mode }: Tenant): string => `follow-up:${organisationId} ${mode}`

/** The tenants that own the named documents. */
export const findTenantsNamed = reading(
  ours,
  (
    { db }: Outside<SystemCaller>,
    { mode, ...named }: NamedDocuments & { readonly mode: Mode },
  ): Promise<readonly Tenant[]> =>
    named.references.length === 0 ? Promise.resolve([]) : listTenantsNamed(db, mode, named),
)

/**
 * Takes in a callback. Anybody can send one, so a callback proves nothing and only makes a lookup due. Repeated
 * callbacks cause at most one lookup per rest time.
 */
export const markNotifiedDocuments = operation(
  ours,
  async (
    { tx, enqueue, settings }: Inside<SystemCaller>,
    { tenant, ...named }: NamedDocuments & { readonly tenant: Tenant },
  ) => {
    if ((await markNotified(tx, tenant, named)) > 0)
      enqueue(followUpJob, tenant, { key: keyOf(tenant), dueAt: new Date(Date.now() + settings.feedRestMs) })
  },
)

/** Enqueues follow-ups for a batch of tenants after the given one. Returns these tenants. */
export const askForFollowUps = operation(
  ours,
  async ({ tx, enqueue }: Inside<SystemCaller>, after: Tenant | undefined): Promise<readonly Tenant[]> => {
    const tenants = await listTenantsToFollowUp(tx, after, tenantsAtOnce)
    for (const tenant of tenants) enqueue(followUpJob, tenant, { key: keyOf(tenant) })
    return tenants
  },
)

/** Enqueues another follow-up of a tenant. If one is running, the new one runs after it. */
export const askToFollowUp = operation(ours, async ({ enqueue }: Inside<SystemCaller>, tenant: Tenant) =>
  enqueue(followUpJob, tenant, { key: keyOf(tenant) }),
)

/** Returns nothing during an outage. The rows stay due. */
export const findToFollowUp = reading(
  ours,
  async ({ db }: Outside<SystemCaller>, tenant: Tenant): Promise<readonly ToFollowUp[]> => {
    const due = await listToFollowUp(db, tenant, askedAtOnce)
    const away = new Set<string>()
    for (const country of new Set(due.map((one) => one.country)))
      if ((await findLink(db, country, tenant.mode))?.state === 'open') away.add(country)
    return due.filter(({ country }) => !away.has(country))
  },
)

export const isMoreToFollowUp = (found: readonly ToFollowUp[]): boolean => found.length === askedAtOnce

interface OfTenant {
  readonly tenant: Tenant
  readonly what: ToFollowUp
}

const noAccess: AuthorityReply = {
  answer: { kind: 'not_sent' },
  noted: { answer: 'not_sent', why: 'this installation has no access to the authority', messages: [] },
  isHealthy: undefined,
}

/**
 * The network did not take the document when it was registered, and only we can hand it over. Transmitting again does
 * no harm. A callback does not cause it, because anybody can send one.
 */
const isToTransmit = ({ state, cause }: ToFollowUp, { answer }: AuthorityReply): boolean =>
  state === 'accepted' && cause === 'automatic' && answer.kind === 'registered' && !answer.transmitted

async function lookUp(context: Outside<SystemCaller>, { tenant, what }: OfTenant): Promise<AuthorityReply> {
  const { country, reference, state, id } = what
  const { deadlineMs } = retryPolicyOf(tenant.mode, context.settings)
  try {
    const { authority, rules } = await authorityOf(context, tenant, country, 'authorityForWork')
    // Another document may have the reference until ours is known to be registered.
    const payload = state === 'unknown' ? await findPayload(context.db, tenant, id) : undefined
    const ask = (step: 'lookup' | 'transmit') =>
      askAuthority(authority, rules, { step, reference, payload }, AbortSignal.timeout(deadlineMs[step]))
    const found = await ask('lookup')
    if (!isToTransmit(what, found)) return found
    const { answer, noted, isHealthy } = await ask('transmit')
    return answer.kind === 'transmitted' || answer.kind === 'refused' ? { answer, noted, isHealthy } : found
  } catch (error) {
    if (error instanceof Refusal && error.refusal === 'authority.no_access') return noAccess
    throw error
  }
}

/** Looks one document up and records what is new. Returns whether the authority answered. */
export const followUp = preparedOperation(
  ours,
  lookUp,
  async (context: Inside<SystemCaller>, { tenant, what }, { answer, noted, isHealthy }): Promise<boolean> => {
    const { id, cause } = what
    await applyAnswers(context, tenant, [{ id, step: 'lookup', answer, noted, fence: undefined, cause }])
    context.wake('authority')
    return isHealthy !== false
  },
)
