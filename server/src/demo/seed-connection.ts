import { createPublicKey } from 'node:crypto'
import { CompactEncrypt } from 'jose'
import type { UserCaller } from '../kernel/callers.ts'
import { Refusal } from '../kernel/refusals.ts'
import { taxConnectionOperations } from '../modules/tax-connection/index.ts'
import type { AnyOperation } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { demoOrigin } from './seed-organisation.ts'

/** The business that the simulated authority knows as the demo organisation, and its service id. */
const demoBusiness = { businessId: '3f1c9a52-7b40-4d8e-9a61-2c5e8d0f7a16', serviceId: '7B404B39' }

/**
 * Connects the demo organisation as its owner would. The simulated authority's answer confirms the seller's tax number. Without an answer,
 * the connection shows that and can be refreshed; the demo still starts.
 */
export async function seedConnection(runner: Runner, owner: UserCaller): Promise<void> {
  const act = <Input, Output>(operation: AnyOperation<UserCaller, Input, Output>, input: Input): Promise<Output> =>
    runner.run(operation, { caller: owner, origin: demoOrigin, input })
  const { connection, consent } = await act(taxConnectionOperations.getConnection, undefined)
  if (connection || !consent) return
  const input = { ...demoBusiness, consentVersion: consent.textVersion, numberTemplate: null, credentials: null }
  await act(taxConnectionOperations.connectToAuthority, input).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
  })
}

/** The authority key file of a business, from the simulated authority; `undefined` without an answer. */
export type KeyFiles = (businessId: string, signal: AbortSignal) => Promise<string | undefined>

/** Gives the demo its authority key file, as its owner would: accepted invoices then get their QR code. */
export async function seedKeyFile(
  runner: Runner,
  owner: UserCaller,
  keyFileOf: KeyFiles,
  signal: AbortSignal,
): Promise<void> {
  const act = <Input, Output>(operation: AnyOperation<UserCaller, Input, Output>, input: Input): Promise<Output> =>
    runner.run(operation, { caller: owner, origin: demoOrigin, input })
  const { connection } = await act(taxConnectionOperations.getConnection, undefined)
  if (!connection || connection.keyFileAt) return
  const keyFile = await keyFileOf(demoBusiness.businessId, signal)
  const transportKey = await act(taxConnectionOperations.getTransportKey, undefined)
  if (keyFile === undefined || !transportKey) return
  const envelope = await new CompactEncrypt(Buffer.from(keyFile))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: transportKey.keyId })
    .encrypt(createPublicKey(transportKey.publicKeyPem))
  await act(taxConnectionOperations.storeKeyFile, { envelope })
}
