import type { UserCaller } from '../../../kernel/callers.ts'
import { invalid, refuse } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { requireCurrentCapabilities } from '../../organisations/index.ts'
import { catalogue } from '../catalogue/catalogue.ts'
import { patternFaults } from '../catalogue/patterns.ts'
import { disable, stopDeliveries, stoppedAtOnce } from './disable-endpoint.ts'
import { type Endpoint, type EndpointId, snapshotOf, typesLost } from './endpoint.ts'
import { emitEndpointEvent } from './endpoint-events.ts'
import { lockEndpoint, saveDeleted, saveEnabled, saveEndpoint } from './endpoints.store.ts'
import { replayMissedJob } from './replay-missed-job.ts'
import type { RetryPlan } from './retry-plan.ts'
import { withdrawDeliveries } from './stopping.store.ts'
import { urlFaults } from './url-faults.ts'

const newestVersion = Math.max(...catalogue.map(({ version }) => version))

interface EndpointEdit {
  readonly url?: string | undefined
  readonly description?: string | null | undefined
  readonly patterns?: readonly string[] | undefined
  readonly plan?: RetryPlan | null | undefined
  readonly enabled?: boolean | undefined
  /** On enabling: also send the events that were missed. */
  readonly replayMissed?: boolean | undefined
  readonly upgradeVersions?: boolean | undefined
}

export async function lockToChange(context: Inside<UserCaller>, id: EndpointId): Promise<Endpoint> {
  await requireCurrentCapabilities(context)
  const endpoint = await lockEndpoint(context.tx, context.caller.tenant, id)
  if (!endpoint) throw refuse('resource.not_found')
  return endpoint
}

async function enable(context: Inside<UserCaller>, endpoint: Endpoint, isReplayed: boolean): Promise<Endpoint> {
  const { organisationId, mode, id: endpointId, disabledAt } = endpoint
  const enabled = await saveEnabled(context.tx, endpoint, endpointId, context.now)
  emitEndpointEvent(context, 'webhook_endpoint.enabled', enabled)
  if (isReplayed && disabledAt)
    context.enqueue(replayMissedJob, {
      organisationId,
      mode,
      endpointId,
      from: disabledAt.toISOString(),
    })
  return enabled
}

/**
 * A caller who changes the patterns or the address limits the endpoint to what that caller may read. Otherwise an
 * editor could redirect events that they may not read.
 */
export const updateEndpoint = operation(
  { time: 'real', needs: ['webhook.endpoint.manage'], refuses: ['resource.not_found', 'request.invalid'] },
  async (context: Inside<UserCaller>, { id, edit }: { id: EndpointId; edit: EndpointEdit }): Promise<Endpoint> => {
    const { tx, caller, now, ports } = context
    const { url, description, patterns, plan, enabled, replayMissed = false, upgradeVersions = false } = edit
    const faults = [
      ...(url === undefined ? [] : urlFaults(ports.webhookHttp.faultOf(url, caller.tenant.mode))),
      ...(replayMissed && enabled !== true
        ? [{ path: 'replayMissed', rule: 'dependency', message: 'must be left out unless enabled is true' }]
        : []),
    ]
    if (faults.length > 0) throw invalid(faults)
    const before = await lockToChange(context, id)
    if (patterns !== undefined) {
      const wrong = patternFaults(patterns, ports.webhookFormats.of(before.format))
      if (wrong.length > 0) throw invalid(wrong)
    }
    const isReaimed = patterns !== undefined || (url !== undefined && url !== before.url)
    const after = {
      url: url ?? before.url,
      description: description === undefined ? before.description : description,
      patterns: patterns === undefined ? before.patterns : [...new Set(patterns)],
      capabilities: isReaimed ? snapshotOf(caller.capabilities) : before.capabilities,
      plan: plan === undefined ? before.plan : plan,
      eventVersions: upgradeVersions ? newestVersion : before.eventVersions,
      aimedBy: isReaimed ? caller.userId : before.aimedBy,
    }
    const changed = (Object.keys(after) as (keyof typeof after)[]).filter(
      (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
    )
    let endpoint = before
    if (changed.length > 0) {
      endpoint = await saveEndpoint(tx, before, id, after, now)
      // Waiting deliveries were written for the previous editor, who may have been allowed to read more.
      const lost = typesLost(before.capabilities, after.capabilities)
      if (lost.length > 0) await withdrawDeliveries(tx, before, id, lost, stoppedAtOnce, now)
      const shown = changed.filter((name) => name !== 'aimedBy')
      if (shown.length > 0) emitEndpointEvent(context, 'webhook_endpoint.updated', endpoint, { changed: shown })
    }
    if (enabled === false && !endpoint.disabledAt) return await disable(context, endpoint, 'manual')
    if (enabled === true && endpoint.disabledAt) return await enable(context, endpoint, replayMissed)
    return endpoint
  },
)

/** Open deliveries fail. All deliveries stay readable. */
export const deleteEndpoint = operation(
  { time: 'real', needs: ['webhook.endpoint.manage'], refuses: ['resource.not_found'] },
  async (context: Inside<UserCaller>, { id }: { id: EndpointId }): Promise<{ id: EndpointId }> => {
    const endpoint = await lockToChange(context, id)
    await saveDeleted(context.tx, endpoint, id, context.now)
    await stopDeliveries(context, endpoint)
    emitEndpointEvent(context, 'webhook_endpoint.deleted', endpoint)
    return { id }
  },
)
