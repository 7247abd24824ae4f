import type { CountryRecord } from '../../jurisdictions/port.ts'
import type { UserCaller } from '../../kernel/callers.ts'
import { type Fault, invalid, type Refusal, refuse } from '../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { refusalFor } from './connect.ts'
import { type Connection, type ConnectionProblem, keyFilePlace } from './connection.ts'
import { emitConnectionEvent } from './connection-events.ts'
import { findConnection, lockConnection, saveConnection } from './connections.store.ts'
import { openEnvelope } from './envelope.ts'
import { saveProblem } from './judge-business.ts'
import { whyNotOwn } from './own-business.ts'
import { type ConnectionView, viewOf } from './read-connection.ts'
import { transportKeyPlace } from './transport-key.ts'
import { findTransportKey } from './transport-keys.store.ts'

const wrong = (rule: string, message: string): Fault => ({ path: 'envelope', rule, message })

interface StoredKeyFile {
  readonly content: CountryRecord
  readonly fingerprint: string
}

/** Stores the authority's key file for the business. It arrives encrypted to the transport key and is stored sealed. */
export const storeKeyFile = preparedOperation(
  {
    needs: ['tax_connection.manage'],
    refuses: ['resource.not_found', 'jurisdiction.unsupported', 'request.invalid', 'tax_connection.not_verified'],
  },
  async (
    { db, caller, vault, ports }: Outside<UserCaller>,
    { envelope }: { envelope: string },
  ): Promise<StoredKeyFile> => {
    const { keyFile } = jurisdictionOf(ports, caller).connections
    mustBeOpen(await findConnection(db, caller.tenant))
    const key = await findTransportKey(db, caller.tenant)
    if (!key) throw invalid([wrong('transport-key', 'must be encrypted to your transport key; fetch that key first')])
    const privateKeyPem = vault.open(key.sealedPrivateKey, transportKeyPlace(key.id))
    const opened = await openEnvelope(envelope, { keyId: key.keyId, privateKeyPem })
    if ('fault' in opened) throw invalid([wrong('jwe', opened.fault)])
    if (!keyFile) throw invalid([wrong('key-file', 'must be left out: your tax authority has no key files')])
    const content = keyFile.read(opened.text)
    if (!content) throw invalid([wrong('key-file', `must contain a whole key file: ${keyFile.form}`)])
    return { content, fingerprint: keyFile.fingerprintOf(content) }
  },
  async (context: Inside<UserCaller>, _input, { content, fingerprint }): Promise<ConnectionView | Refusal> => {
    const { tx, caller, vault, ports, now } = context
    const before = mustBeOpen(await lockConnection(tx, caller.tenant))
    const isComplete = before.problem === 'key_file_missing'
    const problem = isComplete ? await whyNotComplete(context, before) : undefined
    if (problem) {
      await saveProblem(context, caller.tenant, before, problem)
      return refusalFor(problem)
    }
    const after: Connection = {
      ...before,
      sealedKeyFile: vault.seal(JSON.stringify(content), keyFilePlace(before.id)),
      keyFileFingerprint: fingerprint,
      keyFileAt: now,
      ...(isComplete ? { status: 'connected', problem: null, connectedAt: now } : {}),
      updatedAt: now,
    }
    await saveConnection(tx, caller.tenant, after)
    emitConnectionEvent(context, 'tax_connection.key_file_stored', caller.tenant, after, { fingerprint })
    if (isComplete) emitConnectionEvent(context, 'tax_connection.connected', caller.tenant, after)
    return viewOf(ports, caller.country, after)
  },
)

/**
 * The key file completes the connection, so the identity is checked again: the number or name may have changed since.
 */
async function whyNotComplete(
  context: Inside<UserCaller>,
  { businessId, businessName, taxIdNormal }: Connection,
): Promise<ConnectionProblem | undefined> {
  const { tenant } = context.caller
  if (tenant.mode !== 'live') return undefined
  return await whyNotOwn(context, tenant, { businessId, name: businessName ?? '', taxIdNormal })
}

/** A revoked connection starts again with a new connect. */
function mustBeOpen(connection: Connection | undefined): Connection {
  if (!connection || connection.status === 'revoked') throw refuse('resource.not_found')
  return connection
}
