import { hash } from 'node:crypto'
import type { PublicCaller } from '../../kernel/callers.ts'
import type { ProgramId } from '../../kernel/ids.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { capabilitiesIn, type RequestParameters } from './asked-rights.ts'
import { endMisusedProgram } from './end-program.ts'
import { hashOfSecret, issueProgramTokens, type ProgramTokens, wrongGrant } from './issue-tokens.ts'
import { isOAuthError, type OAuthError, oauthError } from './oauth-error.ts'
import {
  morePollSeconds,
  mostPollSeconds,
  type ProgramRequest,
  pollToleranceMs,
  type RedirectAnswer,
} from './program-request.ts'
import { findProgramToken, isSuccessorUnused, lockLiveProgram } from './programs.store.ts'
import { lockRequestByCode, savePolled, saveRequestStatus } from './requests.store.ts'

type Context = Inside<PublicCaller>
type Answer = ProgramTokens | OAuthError
const facts = { time: 'real', needs: [], refuses: [] } as const

async function misused(context: Context, id: ProgramId): Promise<OAuthError> {
  const program = await lockLiveProgram(context.tx, id, context.now)
  if (program) await endMisusedProgram(context, program)
  return wrongGrant
}

/** The first use of an approved request. */
async function take(context: Context, { id, programId }: ProgramRequest): Promise<Answer> {
  await saveRequestStatus(context.tx, id, 'taken')
  const program = programId && (await lockLiveProgram(context.tx, programId, context.now))
  return program ? await issueProgramTokens(context, program.id) : wrongGrant
}

const isVerifierOf = ({ codeChallenge }: RedirectAnswer, verifier: string | undefined): boolean =>
  verifier !== undefined &&
  /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) &&
  hash('sha256', verifier, 'base64url') === codeChallenge

/** A code works once. A second use, and a use by somebody without the verifier, ends the program: the code was copied. */
export const redeemCode = operation(facts, async (context: Context, parameters: RequestParameters): Promise<Answer> => {
  const request = await lockRequestByCode(context.tx, 'redirect', hashOfSecret(parameters.code ?? ''))
  if (!request?.programId || request.answer.kind !== 'redirect') return wrongGrant
  const { answer, program, status, programId, expiresAt, id } = request
  if (status === 'taken') return await misused(context, programId)
  if (expiresAt <= context.now) return wrongGrant
  const isOurs =
    parameters.client_id === program.clientId &&
    parameters.redirect_uri === answer.redirectUri &&
    isVerifierOf(answer, parameters.code_verifier)
  if (!isOurs) {
    await saveRequestStatus(context.tx, id, 'taken')
    return await misused(context, programId)
  }
  if (parameters.resource !== undefined && parameters.resource !== request.resource) return wrongResource
  return await take(context, request)
})

const wrongResource = oauthError('invalid_target', 'The program is connected for another resource.')

const pending = oauthError('authorization_pending', 'The person has not answered yet.')

/** Until the person has answered, the program asks again and again. */
export const redeemDeviceCode = operation(
  facts,
  async (context: Context, parameters: RequestParameters): Promise<Answer> => {
    const { tx, now } = context
    const request = await lockRequestByCode(tx, 'device', hashOfSecret(parameters.device_code ?? ''))
    if (request?.answer.kind !== 'device' || parameters.client_id !== request.program.clientId) return wrongGrant
    const { id, status, programId, expiresAt, answer } = request
    if (status === 'taken') return programId ? await misused(context, programId) : wrongGrant
    if (status === 'denied') return oauthError('access_denied', 'The person did not agree.')
    if (expiresAt <= now) return oauthError('expired_token', 'Nobody answered in time. Start again.')
    if (status === 'approved') return await take(context, request)
    const { pollSeconds, polledAt } = answer
    const isTooSoon = polledAt !== null && now.getTime() - polledAt.getTime() < pollSeconds * 1000 - pollToleranceMs
    await savePolled(tx, id, now, isTooSoon ? Math.min(pollSeconds + morePollSeconds, mostPollSeconds) : pollSeconds)
    return isTooSoon ? oauthError('slow_down', 'You ask too often. Wait five seconds longer each time.') : pending
  },
)

/**
 * A refresh token works once, but a program whose reply was lost may send it again until it used the next one. The lost token is discarded.
 * Any other second use ends the program: a thief and the program can never both go on.
 */
export const refreshProgram = operation(
  facts,
  async (context: Context, parameters: RequestParameters): Promise<Answer> => {
    const { tx, now } = context
    const tokenHash = hashOfSecret(parameters.refresh_token ?? '')
    const known = await findProgramToken(tx, tokenHash)
    const program = known && (await lockLiveProgram(tx, known.programId, now))
    // Read again: while this request waited for the program, another one may have used the token.
    const token = program && (await findProgramToken(tx, tokenHash))
    if (!token || program.clientId !== parameters.client_id) return wrongGrant
    if (token.usedAt && !(await isSuccessorUnused(tx, program.id, token.usedAt))) {
      await endMisusedProgram(context, program)
      return wrongGrant
    }
    if (parameters.resource !== undefined && parameters.resource !== program.resource) return wrongResource
    const asked = capabilitiesIn(parameters.scope)
    if (isOAuthError(asked)) return asked
    if (parameters.scope && asked.some((name) => !program.capabilities.includes(name)))
      return oauthError('invalid_scope', 'The scope has a capability that the person did not give the program.')
    return await issueProgramTokens(context, program.id, token.usedAt)
  },
)
