import type { SystemCaller } from '../../kernel/callers.ts'
import { Refusal } from '../../kernel/refusals.ts'
import type { Mode, Tenant } from '../../kernel/tenant.ts'
import {
  type Inside,
  type Outside,
  operation,
  preparedOperation,
  reading,
} from '../../platform/operations/operation.ts'
import { job } from '../../platform/work/jobs.ts'
import { askAuthority, type Learnt } from './ask-authority.ts'
import {
  listTenantsNamed,
  listTenantsToFollowUp,
  listToFollowUp,
  markNotified,
  type NamedDocuments,
  type ToFollowUp,
} from './follow-up.store.ts'
import { paceOf } from './pace.ts'
import { authorityOf } from './query-status.ts'
import { takeInAnswers } from './record-answers.ts'
import { findLink, findPayload } from './submissions.store.ts'

const ours = { needs: [], refuses: [] } as const

/**
 * Asks the authority about documents beside the steps of their road: those that it called about, and those of which nobody knows yet
 * whether the buyer's side has them. Of one tenant there is one at a time.
 */
export const followUpJob = job<Tenant>('follow-up-submissions', 'authority', { maxAttempts: 5 })

const askedAtOnce = 50
const tenantsAtOnce = 1_000
const keyOf = ({ organisationId, mode }: Tenant): string => `follow-up:${organisationId} ${mode}`

/** Whose documents somebody names. */
export const findTenantsNamed = reading(
  ours,
  (
    { db }: Outside<SystemCaller>,
    { mode, ...named }: NamedDocuments & { readonly mode: Mode },
  ): Promise<readonly Tenant[]> =>
    named.references.length === 0 ? Promise.resolve([]) : listTenantsNamed(db, mode, named),
)

/**
 * Somebody says that something happened to documents, some of them this tenant's. It proves nothing, and says only when to look: the authority's own record is what
 * counts. Those who ring again and again have it asked no more often than once in a rest.
 */
export const hearOfDocuments = operation(
  ours,
  async (
    { tx, enqueue, settings }: Inside<SystemCaller>,
    { tenant, ...named }: NamedDocuments & { readonly tenant: Tenant },
  ) => {
    if ((await markNotified(tx, tenant, named)) > 0)
      enqueue(followUpJob, tenant, { key: keyOf(tenant), dueAt: new Date(Date.now() + settings.feedRestMs) })
  },
)

/** Finds what was never called about, of some tenants after another; says of whom. */
export const askForFollowUps = operation(
  ours,
  async ({ tx, enqueue }: Inside<SystemCaller>, after: Tenant | undefined): Promise<readonly Tenant[]> => {
    const tenants = await listTenantsToFollowUp(tx, after, tenantsAtOnce)
    for (const tenant of tenants) enqueue(followUpJob, tenant, { key: keyOf(tenant) })
    return tenants
  },
)

/** Asks for another look at a tenant's; if one is under way, for one after it. */
export const askToFollowUp = operation(ours, async ({ enqueue }: Inside<SystemCaller>, tenant: Tenant) =>
  enqueue(followUpJob, tenant, { key: keyOf(tenant) }),
)

/** While an authority is known to be away, nothing is asked of it: it is due afterwards. */
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

const noAccess: Learnt = {
  heard: { kind: 'not_sent' },
  noted: { answer: 'not_sent', why: 'this installation has no access to the authority', told: [] },
  isHealthy: undefined,
}

/**
 * The network did not take it when it was registered, and nobody but us hands it over: repeating that does no harm. Not where somebody
 * called, as anybody can.
 */
const isToTransmit = ({ state, cause }: ToFollowUp, { heard }: Learnt): boolean =>
  state === 'accepted' && cause === 'automatic' && heard.kind === 'registered' && !heard.transmitted

async function lookUp(context: Outside<SystemCaller>, { tenant, what }: OfTenant): Promise<Learnt> {
  const { country, reference, state, id } = what
  const { deadlineMs } = paceOf(tenant.mode, context.settings)
  try {
    const { authority, rules } = await authorityOf(context, tenant, country, 'authorityForWork')
    // Until it is known to be registered, something else may stand under its reference.
    const payload = state === 'unknown' ? await findPayload(context.db, tenant, id) : undefined
    const ask = (step: 'lookup' | 'transmit') =>
      askAuthority(authority, rules, { step, reference, payload }, AbortSignal.timeout(deadlineMs[step]))
    const found = await ask('lookup')
    if (!isToTransmit(what, found)) return found
    const { heard, noted, isHealthy } = await ask('transmit')
    return heard.kind === 'transmitted' || heard.kind === 'refused' ? { heard, noted, isHealthy } : found
  } catch (error) {
    if (error instanceof Refusal && error.refusal === 'authority.no_access') return noAccess
    throw error
  }
}

/** Asks about one document, and takes in what is new; says whether anybody answered. */
export const followUp = preparedOperation(
  ours,
  lookUp,
  async (context: Inside<SystemCaller>, { tenant, what }, { heard, noted, isHealthy }): Promise<boolean> => {
    const { id, cause } = what
    await takeInAnswers(context, tenant, [{ id, step: 'lookup', heard, noted, fence: undefined, cause }])
    context.wake('authority')
    return isHealthy !== false
  },
)
