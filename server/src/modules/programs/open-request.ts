import { randomInt } from 'node:crypto'
import type { PublicCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { type AskedRights, askedRights, type RequestParameters } from './asked-rights.ts'
import { takesAnswersAt } from './client.ts'
import { type FoundClient, findClient, noteClient } from './find-client.ts'
import { hashOfSecret, newSecret } from './issue-tokens.ts'
import { isOAuthError, type OAuthError, oauthError } from './oauth-error.ts'
import {
  answerWithinMs,
  firstPollSeconds,
  mostRequests,
  type ProgramRequest,
  type ProgramRequestId,
} from './program-request.ts'
import { type DeviceCodes, insertRequest } from './requests.store.ts'

/** The parameters, and the origin under which the program reached us. */
interface RequestInput {
  readonly parameters: RequestParameters
  readonly issuer: string
}

const unknownClient = oauthError(
  'invalid_client',
  'This program is unknown, or its document cannot be read. Start again from the program.',
)
const tooManyRequests = oauthError('temporarily_unavailable', 'Too many programs are asking. Try again in ten minutes.')

const longestState = 1_024

const findAskingClient = (
  outside: Outside<PublicCaller>,
  { parameters }: RequestInput,
): Promise<FoundClient | undefined> => findClient(outside, parameters.client_id ?? '')

/** Stores the request; `undefined` if too many requests wait. */
async function open(
  context: Inside<PublicCaller>,
  found: FoundClient,
  rights: AskedRights,
  answer: ProgramRequest['answer'],
  codes?: DeviceCodes,
): Promise<ProgramRequestId | undefined> {
  const { tx, now } = context
  await noteClient(context, found)
  const id: ProgramRequestId = newId()
  const { clientId, name, host } = found.client
  const expiresAt = new Date(now.getTime() + answerWithinMs)
  const request = { id, program: { clientId, name, host }, ...rights, answer, expiresAt }
  return (await insertRequest(tx, request, codes, { now, most: mostRequests })) ? id : undefined
}

/** The faults of a request whose answer goes through the browser. */
function redirectFault(parameters: RequestParameters): OAuthError | undefined {
  const { response_type: type, code_challenge: challenge, code_challenge_method: method, state } = parameters
  if (type !== 'code') return oauthError('unsupported_response_type', 'The response_type must be code.')
  if (method !== 'S256' || challenge === undefined || !/^[A-Za-z0-9_-]{43}$/.test(challenge))
    return oauthError('invalid_request', 'Send a code_challenge with the code_challenge_method S256 (PKCE).')
  if (state !== undefined && (state.length > longestState || !/^[\x20-\x7e]*$/.test(state)))
    return oauthError('invalid_request', `The state must be at most ${longestState} printable ASCII characters.`)
  return undefined
}

/**
 * A program sends the browser of a person. An error is shown to the person and never sent on: anybody can register a program, and we must
 * not take people to its address before they agreed (RFC 9700, section 4.11).
 */
export const askInBrowser = preparedOperation(
  { time: 'real', needs: [], refuses: [] },
  findAskingClient,
  async (
    context: Inside<PublicCaller>,
    { parameters, issuer }: RequestInput,
    found,
  ): Promise<{ id: ProgramRequestId } | OAuthError> => {
    if (!found) return unknownClient
    const { redirect_uri: redirectUri = '', code_challenge: codeChallenge = '', state = null } = parameters
    if (!takesAnswersAt(found.client, redirectUri))
      return oauthError('invalid_request', 'The redirect_uri is not one of those that the program gave us.')
    const fault = redirectFault(parameters)
    if (fault) return fault
    const rights = askedRights(parameters, issuer)
    if (isOAuthError(rights)) return rights
    const id = await open(context, found, rights, { kind: 'redirect', redirectUri, state, codeChallenge })
    return id ? { id } : tooManyRequests
  },
)

/** Without vowels, so that no words arise, and without letters that look alike. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const newUserCode = (): string => Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')

/** As people type it: without the hyphen, in any case. */
export const plainUserCode = (typed: string): string => typed.toUpperCase().replace(/[\s-]/g, '')
export const userCodePurpose = 'program user code'

/** What a program without a browser gets. */
export interface DeviceStart {
  readonly deviceCode: string
  readonly userCode: string
  readonly expiresIn: number
  readonly interval: number
}

/** A program shows a code, which a person types on another device (RFC 8628). */
export const askWithCode = preparedOperation(
  { time: 'real', needs: [], refuses: [] },
  findAskingClient,
  async (
    context: Inside<PublicCaller>,
    { parameters, issuer }: RequestInput,
    found,
  ): Promise<DeviceStart | OAuthError> => {
    if (!found) return unknownClient
    const rights = askedRights(parameters, issuer)
    if (isOAuthError(rights)) return rights
    const { vault, origin } = context
    const [deviceCode, userCode] = [newSecret('program_dc_'), newUserCode()]
    const codes = { codeHash: hashOfSecret(deviceCode), userCodeMac: vault.mac(userCodePurpose, userCode) }
    const answer = {
      kind: 'device',
      askedAddress: origin.address,
      askedUserAgent: origin.userAgent,
      pollSeconds: firstPollSeconds,
      polledAt: null,
    } as const
    if (!(await open(context, found, rights, answer, codes))) return tooManyRequests
    return {
      deviceCode,
      userCode: `${userCode.slice(0, 4)}-${userCode.slice(4)}`,
      expiresIn: answerWithinMs / 1000,
      interval: firstPollSeconds,
    }
  },
)
