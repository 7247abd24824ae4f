import type { Vault } from '../../platform/secrets/secrets.ts'
import { previousSecretPlace, secretPlace } from './endpoint.ts'
import type { Target } from './sending.store.ts'

const mostKept = 1_000

/**
 * The secrets that a delivery is signed with: the current one, and during a rotation the one before. Unsealing costs as much as signing, and
 * what is sent to one endpoint comes in runs: those used lately are kept open.
 */
export class SigningKeys {
  readonly #vault: Vault
  /** by what is sealed, with whose it is: what was sealed for one endpoint opens for no other */
  readonly #opened = new Map<string, { readonly endpointId: string; readonly secret: string }>()

  constructor(vault: Vault) {
    this.#vault = vault
  }

  get size(): number {
    return this.#opened.size
  }

  of(
    { endpointId, sealedSecret, sealedPreviousSecret, previousSecretUntil }: Target,
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
