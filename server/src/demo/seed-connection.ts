import { createPublicKey } from 'node:crypto'
import { CompactEncrypt } from 'jose'
import type { UserCaller } from '../kernel/callers.ts'
import { Refusal } from '../kernel/refusals.ts'
import { connectToAuthority, getConnection, getTransportKey, storeKeyFile } from '../modules/tax-connection/index.ts'
import type { AnyOperation } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { demoOrigin } from './seed-organisation.ts'

/** The business that the simulated authority takes the demo organisation for, and the service id that it has for it. */
const demoBusiness = { businessId: '3f1c9a52-7b40-4d8e-9a61-2c5e8d0f7a16', serviceId: '7B404B39' }

/**
 * Connects the demo organisation as its owner would: the simulated authority is asked, and its answer gives the seller a confirmed tax
 * number. Where it does not answer the connection says so, and can be refreshed; the demo starts all the same.
 */
export async function seedConnection(runner: Runner, owner: UserCaller): Promise<void> {
  const act = <Input, Output>(operation: AnyOperation<UserCaller, Input, Output>, input: Input): Promise<Output> =>
    runner.run(operation, { caller: owner, origin: demoOrigin, input })
  const { connection, consent } = await act(getConnection, undefined)
  if (connection || !consent) return
  const input = { ...demoBusiness, consentVersion: consent.textVersion, numberTemplate: null, credentials: null }
  await act(connectToAuthority, input).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
  })
}

/** The key file of a business, as the simulated authority gives it; nothing where that does not answer. */
export type KeyFiles = (businessId: string, signal: AbortSignal) => Promise<string | undefined>

/** Gives the demo its key file, as its owner would after fetching it: accepted invoices have their QR code by it. */
export async function seedKeyFile(
  runner: Runner,
  owner: UserCaller,
  keyFileOf: KeyFiles,
  signal: AbortSignal,
): Promise<void> {
  const act = <Input, Output>(operation: AnyOperation<UserCaller, Input, Output>, input: Input): Promise<Output> =>
    runner.run(operation, { caller: owner, origin: demoOrigin, input })
  const { connection } = await act(getConnection, undefined)
  if (!connection || connection.keyFileAt) return
  const keyFile = await keyFileOf(demoBusiness.businessId, signal)
  const transportKey = await act(getTransportKey, undefined)
  if (keyFile === undefined || !transportKey) return
  const envelope = await new CompactEncrypt(Buffer.from(keyFile))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: transportKey.keyId })
    .encrypt(createPublicKey(transportKey.publicKeyPem))
  await act(storeKeyFile, { envelope })
}
