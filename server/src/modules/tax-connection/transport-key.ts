import { createPublicKey, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint } from 'jose'
import type { UserCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import type { SealedPlace, Vault } from '../../platform/secrets/secrets.ts'
import { findTransportKey, insertTransportKey, type TransportKey } from './transport-keys.store.ts'

export const transportKeyPlace = (id: string): SealedPlace => ({
  table: 'tax_transport_keys',
  column: 'sealed_private_key',
  id,
})

const keyPair = promisify(generateKeyPair)

async function makeTransportKey(vault: Vault, now: Date): Promise<TransportKey> {
  const { publicKey, privateKey } = await keyPair('rsa', { modulusLength: 2_048 })
  const id: TransportKey['id'] = newId()
  return {
    id,
    keyId: await calculateJwkThumbprint(publicJwkOf(publicKey.export({ type: 'spki', format: 'pem' }).toString())),
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sealedPrivateKey: vault.seal(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), transportKeyPlace(id)),
    createdAt: now,
  }
}

/** The public key in the format that JWE libraries take. */
export function publicJwkOf(publicKeyPem: string): { kty: string; n: string; e: string } {
  const { kty = '', n = '', e = '' } = createPublicKey(publicKeyPem).export({ format: 'jwk' })
  return { kty, n, e }
}

/**
 * The key that encrypts key files. A tenant's key pair is created on first use and never changes, so a public key
 * fetched earlier keeps working.
 */
export const getTransportKey = preparedOperation(
  { needs: ['tax_connection.manage'], refuses: [] },
  async ({ db, caller, vault, now }: Outside<UserCaller>) => {
    const known = await findTransportKey(db, caller.tenant)
    return known ? { known } : { made: await makeTransportKey(vault, now) }
  },
  async ({ tx, caller }: Inside<UserCaller>, _input: undefined, { known, made }) =>
    made ? await insertTransportKey(tx, caller.tenant, made) : known,
)
