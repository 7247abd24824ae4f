import type { UserCaller } from '../../kernel/callers.ts'
import { type Capability, programCapabilities } from '../../kernel/capabilities.ts'
import { newId, type OrganisationId, type ProgramId } from '../../kernel/ids.ts'
import { type Fault, invalid, refuse } from '../../kernel/refusals.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { type Inside, type Outside, operation, preparedOperation } from '../../platform/operations/operation.ts'
import { capabilitiesWith, listActiveMemberships } from '../organisations/index.ts'
import { lockPerson, sendSecurityNotice } from '../people/index.ts'
import { hashOfSecret, newSecret } from './issue-tokens.ts'
import { plainUserCode, userCodePurpose } from './open-request.ts'
import {
  type ConnectedProgram,
  hasLimits,
  issuerOf,
  kindOfResource,
  mostPrograms,
  type SpendingLimits,
} from './program.ts'
import { answerAt, type ProgramRequest, type ProgramRequestId, takeWithinMs } from './program-request.ts'
import { countLivePrograms, insertProgram, isSessionLive } from './programs.store.ts'
import { lockRequest, lockRequestByUserCode, saveApproved, saveRequestStatus, saveSeen } from './requests.store.ts'

type Context = Inside<UserCaller>
const facts = { time: 'real', needs: [], refuses: ['resource.not_found'] } as const

/** A request that this person may answer. One that another person has seen does not exist for this one. */
function requireOwn(request: ProgramRequest | undefined, { caller, now }: Context): ProgramRequest {
  const isOpen = request?.status === 'open' && request.expiresAt > now
  if (!request || !isOpen || (request.seenBy ?? caller.userId) !== caller.userId) throw refuse('resource.not_found')
  return request
}

/** An organisation that the person may choose, with what the person could give a program there. */
export interface Choice {
  readonly organisationId: OrganisationId
  readonly name: string
  readonly capabilities: readonly Capability[]
}

async function choicesOf({ tx, caller }: Context): Promise<Choice[]> {
  return (await listActiveMemberships(tx, caller.userId)).map(
    ({ organisationId, organisationName, role, extraCapabilities }) => {
      const held = capabilitiesWith(role, extraCapabilities)
      return {
        organisationId,
        name: organisationName,
        capabilities: programCapabilities.filter((one) => held.has(one)),
      }
    },
  )
}

export interface ShownRequest extends ProgramRequest {
  readonly choices: readonly Choice[]
}

/** From now on, only this person can answer. Otherwise a request could be shown to one person and approved by another. */
async function show(context: Context, found: ProgramRequest | undefined): Promise<ShownRequest> {
  const request = requireOwn(found, context)
  await saveSeen(context.tx, request.id, context.caller.userId)
  return { ...request, choices: await choicesOf(context) }
}

export const getProgramRequest = operation(
  facts,
  async (context: Context, { id }: { id: ProgramRequestId }): Promise<ShownRequest> =>
    await show(context, await lockRequest(context.tx, id)),
)

const codesADay = 100

/** A person types the code that a program shows. Guesses are throttled. */
export const findProgramRequest = preparedOperation(
  facts,
  (outside: Outside<UserCaller>, _: { userCode: string }) =>
    outside.throttle('program-code', outside.caller.userId, { perDay: codesADay }),
  async (context: Context, { userCode }): Promise<ShownRequest> =>
    await show(
      context,
      await lockRequestByUserCode(context.tx, context.vault.macsOf(userCodePurpose, plainUserCode(userCode))),
    ),
)

interface Approval extends SpendingLimits {
  readonly id: ProgramRequestId
  readonly organisationId: OrganisationId
  readonly mode: Mode
  readonly capabilities: readonly Capability[]
}

/** The faults of limits, wherever a person sets them. */
export function limitFaults(limits: SpendingLimits, resource: string): Fault[] {
  const { mostPerChange, mostPerDay, currency } = limits
  const hasAmounts = mostPerChange !== null || mostPerDay !== null
  return [
    // Over the API, a change is one request, and nothing would count what it commits.
    ...(hasLimits(limits) && kindOfResource(resource) === 'api'
      ? [{ path: 'limits', rule: 'conflict', message: 'must be empty: only programs for /mcp can have limits' }]
      : []),
    ...(hasAmounts === (currency !== null)
      ? []
      : [{ path: 'limits.currency', rule: 'conflict', message: 'must be sent with an amount, and only then' }]),
  ]
}

function faultsOf(approval: Approval, request: ProgramRequest, choices: readonly Choice[]): Fault[] {
  const choice = choices.find(({ organisationId }) => organisationId === approval.organisationId)
  if (!choice)
    return [{ path: 'organizationId', rule: 'unknown', message: 'must be an organisation in which you are active' }]
  return [
    ...approval.capabilities
      .filter((name) => !request.capabilities.includes(name) || !choice.capabilities.includes(name))
      .map((name) => ({
        path: 'capabilities',
        rule: 'unknown',
        message: `must not have ${name}: the program did not ask for it, or you lack it`,
      })),
    ...limitFaults(approval, request.resource),
  ]
}

/** Where the browser goes next; null if the program asks for the answer itself. */
interface Answered {
  readonly redirectTo: string | null
}

/** Nothing is given that the person does not hold. The program takes the answer within a minute. */
export const approveProgramRequest = operation(
  { ...facts, refuses: ['resource.not_found', 'program.too_many', 'session.ended', 'request.invalid'] },
  async (context: Context, approval: Approval): Promise<Answered> => {
    const { tx, caller, now, emit } = context
    const request = requireOwn(await lockRequest(tx, approval.id), context)
    // Two approvals at the same moment are counted one after the other. A new password locks the person too, and then ends sessions and
    // programs: a thief's session must not connect one afterwards.
    const person = await lockPerson(tx, caller.userId)
    if (!(await isSessionLive(tx, caller.sessionId, now))) throw refuse('session.ended')
    if ((await countLivePrograms(tx, person.id, now)) >= mostPrograms) throw refuse('program.too_many')
    const choices = await choicesOf(context)
    const faults = faultsOf(approval, request, choices)
    if (faults.length > 0) throw invalid(faults)
    const expiresAt = new Date(Math.max(request.expiresAt.getTime(), now.getTime() + takeWithinMs))
    const program = newProgram(approval, request, { userId: caller.userId, createdAt: now, expiresAt })
    if (!(await insertProgram(tx, program))) throw refuse('resource.not_found')
    const { answer, id } = request
    const code = answer.kind === 'redirect' ? newSecret('program_code_') : undefined
    const end = code === undefined ? expiresAt : new Date(now.getTime() + takeWithinMs)
    const codeHash = code === undefined ? null : hashOfSecret(code)
    await saveSeen(tx, id, caller.userId)
    await saveApproved(tx, id, { programId: program.id, codeHash, expiresAt: end })
    const { organisationId, mode, capabilities, clientId, name } = program
    emit(
      'connected_program.created',
      { organisationId, mode, objectId: program.id },
      { name, clientId, email: caller.email, capabilities },
    )
    const organisation = choices.find((choice) => choice.organisationId === organisationId)
    await sendSecurityNotice(
      context,
      person,
      'A program was connected to your account',
      `The program “${name}” can now act for you in ${organisation?.name ?? 'your organisation'}, in ${mode} mode. It may do ${capabilities.length} things, which your settings list.`,
    )
    return {
      redirectTo:
        answer.kind === 'redirect' && code !== undefined
          ? answerAt(answer, issuerOf(request.resource), { code })
          : null,
    }
  },
)

function newProgram(
  { organisationId, mode, capabilities, mostPerChange, mostPerDay, currency, mostChangesPerDay }: Approval,
  { program, resource }: ProgramRequest,
  times: Pick<ConnectedProgram, 'userId' | 'createdAt' | 'expiresAt'>,
): ConnectedProgram {
  const id: ProgramId = newId()
  const limits = { mostPerChange, mostPerDay, currency, mostChangesPerDay }
  return {
    ...program,
    ...limits,
    ...times,
    id,
    organisationId,
    mode,
    resource,
    capabilities: programCapabilities.filter((name) => capabilities.includes(name)),
    lastUsedAt: null,
  }
}

export const denyProgramRequest = operation(
  facts,
  async (context: Context, { id }: { id: ProgramRequestId }): Promise<Answered> => {
    const { answer, resource } = requireOwn(await lockRequest(context.tx, id), context)
    await saveRequestStatus(context.tx, id, 'denied')
    return {
      redirectTo: answer.kind === 'redirect' ? answerAt(answer, issuerOf(resource), { error: 'access_denied' }) : null,
    }
  },
)
