import type { CountryRecord, Jurisdiction } from '../../jurisdictions/port.ts'
import type { Caller, UserCaller } from '../../kernel/callers.ts'
import { newId, type UserId } from '../../kernel/ids.ts'
import { type Fault, invalid, type Refusal, type RefusalName, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { type CallOutcome, exchange, type Inside, type Outside } from '../../platform/operations/operation.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { answerOf, askForBusiness, type BusinessAnswer } from './ask-for-business.ts'
import {
  type AuthorityIdentifiers,
  type Connection,
  type ConnectionProblem,
  credentialsOf,
  explainProblem,
  sealCredentials,
} from './connection.ts'
import { insertConnection, lockConnection, saveConnection } from './connections.store.ts'
import { connectTo, saveProblem, type WantedConnection } from './judge-business.ts'
import { type ConnectionView, viewOf } from './read-connection.ts'

export interface ConnectInput extends AuthorityIdentifiers {
  /** Version of the accepted text. Null for the form that does not ask for consent. */
  readonly consentVersion: string | null
  /** Template of the authority references. Null: the authority's own template. */
  readonly numberTemplate: string | null
  /** The organisation's own keys to the authority, if it has any. */
  readonly credentials: CountryRecord | null
}

/** State while the authority is asked. Keys are sealed here too. */
interface ConnectIntent extends Tenant {
  readonly country: string
  readonly connectionId: Connection['id']
  readonly attemptId: string
  readonly wanted: WantedConnection
  readonly consent: { readonly version: string; readonly by: UserId } | null
}

const wrong = (path: string, rule: string, message: string): Fault => ({ path, rule, message })

function faultsOf(
  { connections, reporting }: Jurisdiction,
  { serviceId, numberTemplate, consentVersion }: ConnectInput,
): Fault[] {
  const { consent, serviceIdForm, numberTemplateOf } = connections
  const isTemplateOfIt = numberTemplate === null || reporting.serviceIdIn(numberTemplate) === serviceId
  return [
    ...(reporting.isServiceId(serviceId) ? [] : [wrong('serviceId', 'service-id', `must be ${serviceIdForm}`)]),
    ...(isTemplateOfIt
      ? []
      : [wrong('numberTemplate', 'template', `must be ${numberTemplateOf(serviceId)}, or be left out`)]),
    ...(consentVersion === null || consentVersion === consent.textVersion
      ? []
      : [
          wrong(
            'consentVersion',
            'current',
            `must be the current version, ${consent.textVersion}; read the new text and accept it`,
          ),
        ]),
  ]
}

const facts: { needs: readonly ['tax_connection.manage']; refuses: readonly RefusalName[] } = {
  needs: ['tax_connection.manage'],
  refuses: [
    'state.changed',
    'tax_connection.not_verified',
    'tax_connection.no_answer',
    'jurisdiction.unsupported',
    'request.invalid',
  ],
}

async function intend(
  context: Inside<UserCaller>,
  input: ConnectInput,
  { replaces }: { replaces: boolean },
): Promise<ConnectIntent | Refusal> {
  const { tx, caller, ports, vault, now } = context
  const { tenant } = caller
  const jurisdiction = jurisdictionOf(ports, caller)
  const faults = faultsOf(jurisdiction, input)
  if (faults.length > 0) throw invalid(faults)
  const before = await lockConnection(tx, tenant)
  if (before?.status === 'connected' && !replaces) throw refuse('tax_connection.exists')
  const id: Connection['id'] = before?.id ?? newId()
  const attemptId = newId()
  const wanted: WantedConnection = {
    businessId: input.businessId.toLowerCase(),
    serviceId: input.serviceId,
    numberTemplate: input.numberTemplate,
    sealedCredentials: input.credentials && sealCredentials(vault, id, input.credentials),
  }
  const consent = input.consentVersion === null ? null : { version: input.consentVersion, by: caller.userId }
  const begun: Connection = before?.status === 'connected' ? before : begin(jurisdiction, before, id, wanted, now)
  const asking = { ...begun, attemptId, updatedAt: now }
  if (before) await saveConnection(tx, tenant, asking)
  // Of two concurrent requests, the other has inserted its row and asked already. Returned and not thrown, so that it is not tried again.
  else if (!(await insertConnection(tx, tenant, asking))) return refuse('state.changed')
  return { ...tenant, country: jurisdiction.country, connectionId: id, attemptId, wanted, consent }
}

/** The pending state until the authority answers. A working connection stays as it is until a new one is verified. */
function begin(
  { connections }: Jurisdiction,
  before: Connection | undefined,
  id: Connection['id'],
  wanted: WantedConnection,
  now: Date,
): Connection {
  const isSameBusiness = before?.businessId === wanted.businessId
  const { sealedKeyFile = null, keyFileFingerprint = null, keyFileAt = null } = isSameBusiness && before ? before : {}
  return {
    id,
    status: 'pending',
    businessId: wanted.businessId,
    serviceId: wanted.serviceId,
    numberTemplate: wanted.numberTemplate ?? connections.numberTemplateOf(wanted.serviceId),
    businessName: null,
    taxIdNormal: null,
    sealedCredentials: wanted.sealedCredentials,
    sealedKeyFile,
    keyFileFingerprint,
    keyFileAt,
    consentVersion: null,
    consentedAt: null,
    consentedBy: null,
    problem: 'not_asked',
    attemptId: null,
    checkedAt: null,
    connectedAt: null,
    revokedAt: null,
    revokedReason: null,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  }
}

const call = (
  { ports, vault, signal }: Outside<Caller> & { signal: AbortSignal },
  { country, mode, connectionId, wanted }: ConnectIntent,
): Promise<BusinessAnswer> =>
  askForBusiness(
    ports.jurisdictions,
    {
      country,
      mode,
      businessId: wanted.businessId,
      credentials: credentialsOf(vault, { id: connectionId, sealedCredentials: wanted.sealedCredentials }),
    },
    signal,
  )

async function settle(
  context: Inside<Caller>,
  { organisationId, mode, country, attemptId, wanted, consent }: ConnectIntent,
  outcome: CallOutcome<BusinessAnswer>,
): Promise<ConnectionView | Refusal> {
  const { tx, ports, now } = context
  const tenant: Tenant = { organisationId, mode }
  const jurisdiction = ports.jurisdictions.of(country)
  const row = await lockConnection(tx, tenant)
  // A newer request or a revocation takes precedence.
  if (!jurisdiction || !row || row.attemptId !== attemptId) return refuse('state.changed')
  const agreed = consent && { consentVersion: consent.version, consentedAt: now, consentedBy: consent.by }
  const before: Connection = { ...row, ...agreed }
  const answer = answerOf(outcome)
  const connected =
    answer.kind === 'found'
      ? await connectTo(context, tenant, jurisdiction, before, wanted, answer.business)
      : answer.kind
  if (typeof connected !== 'string') return viewOf(ports, country, connected)
  // Only the replacement failed, so the working connection stays.
  if (row.status === 'connected') await saveConnection(tx, tenant, { ...row, attemptId: null, updatedAt: now })
  else await saveProblem(context, tenant, before, connected)
  return refusalFor(connected)
}

export function refusalFor(problem: ConnectionProblem): Refusal {
  const silent = problem === 'no_answer' || problem === 'no_access'
  return refuse(silent ? 'tax_connection.no_answer' : 'tax_connection.not_verified', {
    message: explainProblem(problem),
    ...(silent ? { retryAfterSeconds: 30 } : {}),
  })
}

const deadlineMs = 15_000

/** Connects a tenant that is not connected, after asking the authority for its record of the business. */
export const connectToAuthority = exchange(
  { ...facts, refuses: ['tax_connection.exists', ...facts.refuses] },
  {
    name: 'connect-to-authority',
    deadlineMs,
    intend: (context: Inside<UserCaller>, input: ConnectInput) => intend(context, input, { replaces: false }),
    call,
    // The call reads only, so it can be repeated.
    inquire: call,
    settle,
  },
)

/** Creates or replaces a connection. A working one stays until the new one is verified. */
export const replaceConnection = exchange(facts, {
  name: 'replace-connection',
  deadlineMs,
  intend: (context: Inside<UserCaller>, input: ConnectInput) => intend(context, input, { replaces: true }),
  call,
  inquire: call,
  settle,
})
