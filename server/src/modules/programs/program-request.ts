import type { Capability } from '../../kernel/capabilities.ts'
import type { Id, ProgramId, UserId } from '../../kernel/ids.ts'
import type { ProgramIdentity } from './program.ts'

export type ProgramRequestId = Id<'program-request'>

/** How long a person has to answer. */
export const answerWithinMs = 10 * 60_000
/** How long a program has to take the answer of a person. */
export const takeWithinMs = 60_000
/** Requests that anybody can make us store. */
export const mostRequests = 50_000

export const firstPollSeconds = 5
export const morePollSeconds = 5
export const mostPollSeconds = 60
/** A timer may fire a little early. */
export const pollToleranceMs = 1_000

export type RequestStatus = 'open' | 'approved' | 'denied' | 'taken'

/** The answer goes to an address, in the browser of the person. */
export interface RedirectAnswer {
  readonly kind: 'redirect'
  readonly redirectUri: string
  readonly state: string | null
  readonly codeChallenge: string
}

/** The program shows a code and asks for the answer. */
export interface DeviceAnswer {
  readonly kind: 'device'
  readonly askedAddress: string
  readonly askedUserAgent: string
  readonly pollSeconds: number
  readonly polledAt: Date | null
}

/** What a program asks a person to allow. */
export interface ProgramRequest {
  readonly id: ProgramRequestId
  readonly program: ProgramIdentity
  readonly resource: string
  readonly capabilities: readonly Capability[]
  readonly answer: RedirectAnswer | DeviceAnswer
  readonly seenBy: UserId | null
  readonly status: RequestStatus
  readonly programId: ProgramId | null
  readonly expiresAt: Date
}

/** The address to which the browser of the person goes, with the answer. */
export function answerAt(
  { redirectUri, state }: RedirectAnswer,
  issuer: string,
  values: Record<string, string>,
): string {
  // With the issuer, a program that asks several services cannot mix up their answers (RFC 9207).
  const query = new URLSearchParams({ ...values, ...(state === null ? {} : { state }), iss: issuer })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`
}
