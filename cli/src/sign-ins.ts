import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { exitCodes, Failure } from './failures.ts'
import { folderOf, readJson, writeJson } from './files.ts'
import type { Io } from './io.ts'
import { withLock } from './lock.ts'
import { OAuthRefused, renewTokens, revokeTokens, type Tokens } from './oauth.ts'

/** A token that expires sooner is renewed before it is used. */
const leastLifeMs = 60_000

const isFresh = ({ expiresAt }: Tokens): boolean => Date.parse(expiresAt) - Date.now() > leastLifeMs

/**
 * The tokens of a person's sign-in, in a file that all processes of a profile share. The server takes each refresh token once and ends the
 * sign-in at a second use. So processes renew one after the other, and each one first looks whether another was faster.
 */
export class SignIn {
  readonly #path: string
  readonly #server: string
  readonly #profileName: string
  #tokens: Tokens | undefined
  #renewing: Promise<Tokens> | undefined

  constructor(io: Pick<Io, 'env'>, server: string, id: string, profileName: string) {
    this.#path = join(folderOf(io), 'sign-ins', `${id}.json`)
    this.#server = server
    this.#profileName = profileName
  }

  async store(tokens: Tokens): Promise<void> {
    await writeJson(this.#path, tokens)
    this.#tokens = tokens
  }

  async token(): Promise<string> {
    this.#tokens ??= await this.#read()
    if (!isFresh(this.#tokens)) await this.#renewUnlessNew(this.#tokens.accessToken)
    return this.#tokens.accessToken
  }

  /** After the server refused the token. */
  async renew(): Promise<boolean> {
    await this.#renewUnlessNew(this.#tokens?.accessToken)
    return true
  }

  /** Forgets the tokens here, and ends the sign-in on the server. Returns whether the server answered. */
  async end(): Promise<boolean> {
    return await withLock(this.#lock, async () => {
      const tokens = await readJson<Tokens>(this.#path)
      if (!tokens) return true
      try {
        await revokeTokens(this.#server, tokens.refreshToken)
        return true
      } catch {
        return false
      } finally {
        await rm(this.#path, { force: true })
      }
    })
  }

  get #lock(): string {
    return `${this.#path}.lock`
  }

  async #read(): Promise<Tokens> {
    const tokens = await readJson<Tokens>(this.#path)
    if (!tokens) throw this.#ended()
    return tokens
  }

  /** Calls of one process share a renewal. */
  async #renewUnlessNew(old: string | undefined): Promise<void> {
    this.#renewing ??= withLock(this.#lock, () => this.#renewLocked(old)).finally(() => {
      this.#renewing = undefined
    })
    this.#tokens = await this.#renewing
  }

  async #renewLocked(old: string | undefined): Promise<Tokens> {
    const stored = await this.#read()
    if (stored.accessToken !== old && isFresh(stored)) return stored
    try {
      const tokens = await renewTokens(this.#server, stored.refreshToken)
      await writeJson(this.#path, tokens)
      return tokens
    } catch (error) {
      if (error instanceof OAuthRefused && error.error === 'invalid_grant') throw this.#ended()
      throw error
    }
  }

  #ended(): Failure {
    return new Failure(
      exitCodes.notAllowed,
      `The sign-in of the profile ${JSON.stringify(this.#profileName)} has ended: it was disconnected, or not used for 30 days. Sign in again with \`risiti login --profile ${this.#profileName}\`.`,
    )
  }
}
