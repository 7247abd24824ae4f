import type { Vault } from '../../../platform/secrets/secrets.ts'
import { type Endpoint, type EndpointId, previousSecretPlace, secretPlace } from './endpoint.ts'

/** The sealed secrets of an endpoint. */
interface SealedSecrets extends Pick<Endpoint, 'sealedSecret' | 'sealedPreviousSecret' | 'previousSecretUntil'> {
  readonly endpointId: EndpointId
}

const mostKept = 1_000

/**
 * Secrets that sign a delivery: the current one, and the previous one during a rotation. Decrypting costs as much as
 * signing, so that recently used secrets stay decrypted.
 */
export class SigningKeys {
  readonly #vault: Vault
  /** By ciphertext, with the endpoint: a secret encrypted for one endpoint must not open for another. */
  readonly #opened = new Map<string, { readonly endpointId: string; readonly secret: string }>()

  constructor(vault: Vault) {
    this.#vault = vault
  }

  get size(): number {
    return this.#opened.size
  }

  of(
    { endpointId, sealedSecret, sealedPreviousSecret, previousSecretUntil }: SealedSecrets,
    now: Date,
  ): [string, ...string[]] {
    const current = this.#open(sealedSecret, endpointId, secretPlace)
    if (sealedPreviousSecret === null || previousSecretUntil === null || previousSecretUntil <= now) return [current]
    return [current, this.#open(sealedPreviousSecret, endpointId, previousSecretPlace)]
  }

  #open(sealed: string, endpointId: string, place: typeof secretPlace): string {
    const known = this.#opened.get(sealed)
    if (known?.endpointId === endpointId) return known.secret
    const secret = this.#vault.open(sealed, place(endpointId))
    if (this.#opened.size >= mostKept) this.#opened.clear()
    this.#opened.set(sealed, { endpointId, secret })
    return secret
  }
}
