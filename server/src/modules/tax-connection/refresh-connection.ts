import type { Caller, UserCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { type Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { type CallOutcome, exchange, type Inside, type Outside } from '../../platform/operations/operation.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { answerOf, askForBusiness, type BusinessAnswer } from './ask-for-business.ts'
import { refusalFor } from './connect.ts'
import { type Connection, credentialsOf } from './connection.ts'
import { lockConnection, saveConnection } from './connections.store.ts'
import { connectTo, saveProblem, type WantedConnection } from './judge-business.ts'
import { type ConnectionView, viewOf } from './read-connection.ts'

interface RefreshIntent extends Tenant {
  readonly country: string
  readonly connectionId: Connection['id']
  readonly attemptId: string
  readonly wanted: WantedConnection
}

function put(
  { ports, vault, signal }: Outside<Caller> & { signal: AbortSignal },
  { country, mode, connectionId, wanted: { businessId, sealedCredentials } }: RefreshIntent,
): Promise<BusinessAnswer> {
  const credentials = credentialsOf(vault, { id: connectionId, sealedCredentials })
  return askForBusiness(ports.jurisdictions, { country, mode, businessId, credentials }, signal)
}

/**
 * Asks the authority again about the business. A business that the authority no longer knows is disconnected. No answer
 * changes nothing.
 */
export const refreshConnection = exchange(
  {
    needs: ['tax_connection.manage'],
    refuses: ['resource.not_found', 'state.changed', 'tax_connection.no_answer', 'jurisdiction.unsupported'],
  },
  {
    name: 'refresh-connection',
    deadlineMs: 15_000,
    intend: async (context: Inside<UserCaller>): Promise<RefreshIntent> => {
      const { tx, caller, ports } = context
      const { country } = jurisdictionOf(ports, caller)
      const before = await lockConnection(tx, caller.tenant)
      if (!before || before.status === 'revoked') throw refuse('resource.not_found')
      const attemptId = newId()
      await saveConnection(tx, caller.tenant, { ...before, attemptId })
      const { id, businessId, serviceId, numberTemplate, sealedCredentials } = before
      const wanted = { businessId, serviceId, numberTemplate, sealedCredentials }
      return { ...caller.tenant, country, connectionId: id, attemptId, wanted }
    },
    call: put,
    // The call reads only, so it can be repeated.
    inquire: put,
    settle: async (
      context: Inside<Caller>,
      { organisationId, mode, country, attemptId, wanted }: RefreshIntent,
      outcome: CallOutcome<BusinessAnswer>,
    ): Promise<ConnectionView | Refusal> => {
      const { tx, ports } = context
      const tenant: Tenant = { organisationId, mode }
      const jurisdiction = ports.jurisdictions.of(country)
      const row = await lockConnection(tx, tenant)
      if (!jurisdiction || !row || row.attemptId !== attemptId) return refuse('state.changed')
      const answer = answerOf(outcome)
      if (answer.kind === 'no_answer' || answer.kind === 'no_access') {
        await saveConnection(tx, tenant, { ...row, attemptId: null })
        return refusalFor(answer.kind)
      }
      const now =
        answer.kind === 'found'
          ? await connectTo(context, tenant, jurisdiction, row, wanted, answer.business)
          : answer.kind
      return viewOf(ports, country, typeof now === 'string' ? await saveProblem(context, tenant, row, now) : now)
    },
  },
)
