import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { networkOf } from '../../kernel/addresses.ts'
import { noOrganisation, type TokenCaller } from '../../kernel/callers.ts'
import { type Refusal, refuse } from '../../kernel/refusals.ts'

/** The share of the free memory that one caller may hold. The fuller the budget, the less each caller gets, so some is always left. */
const shareOfFree = 0.5
const comeBackSeconds = 5

/** Room for one body. */
export interface BodyClaim {
  /** Reserves memory for this many bytes in total; returns the refusal if there is none. */
  reserve(bytes: number): Refusal | undefined
}

/**
 * Limits the bytes of request bodies in memory, in the whole process and for each caller: an organisation, or a network if the request has
 * no token. Memory is reserved before a body is read, and freed when its response is closed.
 */
export class BodyBudget {
  readonly #bytes: number
  readonly #reservedBy = new Map<string, number>()
  /** If a connection ends, no close event comes for responses that have not begun. */
  readonly #onConnection = new WeakMap<Socket, Set<() => void>>()
  #reserved = 0

  constructor(bytes: number) {
    this.#bytes = bytes
  }

  get reservedBytes(): number {
    return this.#reserved
  }

  claim(request: FastifyRequest): BodyClaim {
    const caller = callerOf(request)
    let reserved = 0
    // A client that disconnected during authentication causes no further close event: its memory would never be freed.
    let isOver = request.raw.socket.destroyed
    const release = () => {
      isOver = true
      this.#add(caller, -reserved)
      reserved = 0
    }
    if (!isOver) this.#whenOver(request, release)
    return {
      reserve: (bytes) => {
        if (isOver) return refuse('request.malformed')
        const refusal = this.#refusalOf(caller, bytes - reserved)
        if (refusal) return refusal
        this.#add(caller, bytes - reserved)
        reserved = bytes
        return undefined
      },
    }
  }

  #refusalOf(caller: string, more: number): Refusal | undefined {
    const held = this.#reservedBy.get(caller) ?? 0
    if (held + more <= shareOfFree * (this.#bytes - this.#reserved)) return undefined
    return held > 0 ? tooManyOfCaller() : noRoom()
  }

  #add(caller: string, bytes: number): void {
    this.#reserved += bytes
    const held = (this.#reservedBy.get(caller) ?? 0) + bytes
    if (held > 0) this.#reservedBy.set(caller, held)
    else this.#reservedBy.delete(caller)
  }

  #whenOver(request: FastifyRequest, release: () => void): void {
    const { socket } = request.raw
    const known = this.#onConnection.get(socket)
    const claims = known ?? new Set<() => void>()
    if (!known) {
      this.#onConnection.set(socket, claims)
      socket.once('close', () => {
        for (const end of claims) end()
        claims.clear()
      })
    }
    claims.add(release)
    request.response?.once('close', () => {
      if (claims.delete(release)) release()
    })
  }
}

const tooManyOfCaller = (): Refusal =>
  refuse('limit.exceeded', {
    message: 'You are sending too much at the same time. Wait for the answers to your other requests, then try again.',
    retryAfterSeconds: comeBackSeconds,
  })

const noRoom = (): Refusal =>
  refuse('dependency.unavailable', {
    message: 'The service is receiving too much at the moment. Try again after the time in `Retry-After`.',
    retryAfterSeconds: comeBackSeconds,
    away: 'room for bodies',
  })

function callerOf({ tokenCaller, clientAddress }: FastifyRequest): string {
  return tokenCaller ? ownerOf(tokenCaller) : networkOf(clientAddress)
}

/** All keys and people of an organisation together. */
const ownerOf = (caller: TokenCaller): string =>
  caller.kind === 'user' && caller.tenant.organisationId === noOrganisation
    ? caller.userId
    : caller.tenant.organisationId

declare module 'fastify' {
  interface FastifyRequest {
    /** the refusal for the reply */
    response: ServerResponse | undefined
  }
  interface FastifyInstance {
    bodyBudget: BodyBudget
  }
}
