import type { UserCaller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import { invalid, refuse } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { requireCurrentCapabilities } from '../../organisations/index.ts'
import type { FormatName } from '../catalogue/format.ts'
import { patternFaults } from '../catalogue/patterns.ts'
import { type Endpoint, type EndpointId, mostEndpoints, secretPlace, snapshotOf } from './endpoint.ts'
import { emitEndpointEvent } from './endpoint-events.ts'
import { countEndpoints, insertEndpoint } from './endpoints.store.ts'
import type { RetryPlan } from './retry-plan.ts'
import { newSecret } from './signatures.ts'
import { urlFaults } from './url-faults.ts'

interface NewWebhook {
  readonly format: FormatName
  readonly url: string
  readonly description: string | null
  readonly patterns: readonly string[]
  readonly plan: RetryPlan | null
}

/**
 * The endpoint belongs to the caller's mode and receives only events that the caller may read. Only this reply has its
 * secret.
 */
export const createEndpoint = operation(
  { time: 'real', needs: ['webhook.endpoint.manage'], refuses: ['request.invalid', 'webhook.too_many'] },
  async (context: Inside<UserCaller>, input: NewWebhook): Promise<Endpoint & { secret: string }> => {
    const { tx, caller, now, vault, ports } = context
    const { format, url, description, plan } = input
    const patterns = [...new Set(input.patterns)]
    const faults = [
      ...urlFaults(ports.webhookHttp.faultOf(url, caller.tenant.mode)),
      ...patternFaults(patterns, ports.webhookFormats.of(format)),
    ]
    if (faults.length > 0) throw invalid(faults)
    await requireCurrentCapabilities(context)
    if ((await countEndpoints(tx, caller.tenant)) >= mostEndpoints) throw refuse('webhook.too_many')
    const id: EndpointId = newId()
    const secret = newSecret()
    const made = await insertEndpoint(
      tx,
      caller.tenant,
      {
        id,
        format,
        url,
        description,
        patterns,
        capabilities: snapshotOf(caller.capabilities),
        plan,
        sealedSecret: vault.seal(secret, secretPlace(id)),
        createdBy: caller.userId,
      },
      now,
    )
    emitEndpointEvent(context, 'webhook_endpoint.created', made)
    return { ...made, secret }
  },
)
