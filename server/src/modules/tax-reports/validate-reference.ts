import type { ValidAnswer } from '../../jurisdictions/port.ts'
import type { Caller, TokenCaller } from '../../kernel/callers.ts'
import { invalid, type Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { exchange, type Inside, type Outcome, type Outside } from '../../platform/operations/operation.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { type Connection, credentialsOf, findConnection, isConnected } from '../tax-connection/index.ts'

interface ReferenceQuestion {
  readonly reference: string
  readonly businessId: string
  /** the number of the document that the reference is for, where it is not the first part of it */
  readonly documentNumber: string | null
}

interface ReferenceIntent extends Tenant, ReferenceQuestion {
  readonly country: string
  /** whose keys the authority is asked with */
  readonly keys: Pick<Connection, 'id' | 'sealedCredentials'> | null
}

export interface CheckedReference {
  readonly reference: string
  readonly businessId: string
  readonly valid: boolean
  /** what is wrong with it, in plain words */
  readonly reasons: readonly string[]
}

type Answer = ValidAnswer | { readonly kind: 'taken' }

/**
 * With the keys of this installation the numbers of everybody whom it serves could be tried: one asks about the business that one is
 * connected as. The sandbox's businesses are nobody's, and keys of one's own open nothing that is not one's own.
 */
const mayAskAbout = ({ mode }: Tenant, connection: Connection | undefined, businessId: string): boolean =>
  mode === 'sandbox' ||
  (isConnected(connection) &&
    (connection.sealedCredentials !== null || connection.businessId === businessId.toLowerCase()))

/** Asks the authority whether a reference fits the template of a business and is free. Nothing is registered by asking. */
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
      const answer = await authority?.validateReference(asked, signal)
      if (!authority || answer?.kind !== 'unclear' || answer.countsAgainstHealth) return answer
      // What it says to a reference that is used may mean anything; whether it has a document under it, it says clearly.
      return (await authority.lookup(reference, signal)).kind === 'found' ? { kind: 'taken' } : answer
    },
    inquire: { none: 'whoever asked is gone, and the next one asks anew' },
    settle: async (
      { ports }: Inside<Caller>,
      { country, reference, businessId }: ReferenceIntent,
      outcome: Outcome<Answer | undefined>,
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
      const told = answer.kind === 'refused' ? answer.told : []
      const reporting = ports.jurisdictions.of(country)?.reporting
      const reasons = told.map((text) => reporting?.explain(text).fault.message ?? text)
      return { reference, businessId, valid: answer.kind === 'valid', reasons }
    },
  },
)
