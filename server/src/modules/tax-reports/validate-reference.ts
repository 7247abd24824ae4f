import type { ValidAnswer } from '../../jurisdictions/port.ts'
import type { Caller, TokenCaller } from '../../kernel/callers.ts'
import { invalid, type Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { type CallOutcome, exchange, type Inside, type Outside } from '../../platform/operations/operation.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { type Connection, credentialsOf, findConnection, isConnected } from '../tax-connection/index.ts'

interface ReferenceQuestion {
  readonly reference: string
  readonly businessId: string
  /** the document number, if it is not the first part of the reference */
  readonly documentNumber: string | null
}

interface ReferenceIntent extends Tenant, ReferenceQuestion {
  readonly country: string
  /** the keys for the request */
  readonly keys: Pick<Connection, 'id' | 'sealedCredentials'> | null
}

export interface CheckedReference {
  readonly reference: string
  readonly businessId: string
  readonly valid: boolean
  /** the faults, in plain words */
  readonly reasons: readonly string[]
}

type Answer = ValidAnswer | { readonly kind: 'taken' }

/**
 * With this installation's keys, a tenant could try the numbers of every business that we serve. So a tenant may ask
 * only about the business that it is connected as. Sandbox businesses belong to nobody, and an organisation's own
 * keys open only its own data.
 */
const mayAskAbout = ({ mode }: Tenant, connection: Connection | undefined, businessId: string): boolean =>
  mode === 'sandbox' ||
  (isConnected(connection) &&
    (connection.sealedCredentials !== null || connection.businessId === businessId.toLowerCase()))

/** Asks the authority whether a reference fits the template of a business and is free. Asking registers nothing. */
export const validateReference = exchange(
  { needs: ['invoice.validate'], refuses: ['authority.unavailable', 'jurisdiction.unsupported', 'request.invalid'] },
  {
    name: 'validate-reference',
    deadlineMs: 15_000,
    intend: async (
      { tx, caller, ports }: Inside<TokenCaller>,
      { reference, businessId, documentNumber }: ReferenceQuestion,
    ): Promise<ReferenceIntent> => {
      const { country } = jurisdictionOf(ports, caller)
      const connection = await findConnection(tx, caller.tenant)
      if (!mayAskAbout(caller.tenant, connection, businessId))
        throw invalid([{ path: 'businessId', rule: 'own', message: 'must be the business that you are connected as' }])
      const keys = connection ? { id: connection.id, sealedCredentials: connection.sealedCredentials } : null
      return { ...caller.tenant, country, keys, reference: reference.trim(), businessId, documentNumber }
    },
    call: async (
      { ports, vault, signal }: Outside<Caller> & { signal: AbortSignal },
      { country, mode, keys, reference, businessId, documentNumber }: ReferenceIntent,
    ): Promise<Answer | undefined> => {
      const credentials = keys ? credentialsOf(vault, keys) : undefined
      const asked = { reference, businessId, documentNumber: documentNumber ?? undefined }
      const authority = ports.jurisdictions.authority(country, mode, credentials)
      if (authority && !authority.validateReference)
        return { kind: 'refused', messages: ['The tax authority of this country gives the references itself.'] }
      const answer = await authority?.validateReference?.(asked, signal)
      if (!authority || answer?.kind !== 'unclear' || answer.countsAgainstHealth) return answer
      // The authority's words about a used reference are ambiguous, but a lookup is clear.
      return (await authority.lookup(reference, signal)).kind === 'found' ? { kind: 'taken' } : answer
    },
    inquire: { none: 'whoever asked is gone, and the next one asks anew' },
    settle: async (
      { ports }: Inside<Caller>,
      { country, reference, businessId }: ReferenceIntent,
      outcome: CallOutcome<Answer | undefined>,
    ): Promise<CheckedReference | Refusal> => {
      const answer = outcome.kind === 'answered' ? outcome.answer : undefined
      if (!answer || answer.kind === 'unclear') return refuse('authority.unavailable', { retryAfterSeconds: 30 })
      if (answer.kind === 'taken')
        return {
          reference,
          businessId,
          valid: false,
          reasons: ['A document is already registered under this reference.'],
        }
      const messages = answer.kind === 'refused' ? answer.messages : []
      const reporting = ports.jurisdictions.of(country)?.reporting
      const reasons = messages.map((text) => reporting?.explain(text).fault.message ?? text)
      return { reference, businessId, valid: answer.kind === 'valid', reasons }
    },
  },
)
