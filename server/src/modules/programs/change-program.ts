import type { UserCaller } from '../../kernel/callers.ts'
import { type Capability, programCapabilities } from '../../kernel/capabilities.ts'
import type { ProgramId } from '../../kernel/ids.ts'
import { invalid, refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { limitFaults } from './answer-request.ts'
import { endProgram } from './end-program.ts'
import { type ConnectedProgram, programSubject, type SpendingLimits } from './program.ts'
import { lockLiveProgram, saveRights } from './programs.store.ts'
import { findShownProgram, type ShownProgram } from './read-programs.ts'

type Context = Inside<UserCaller>

interface Change {
  readonly id: ProgramId
  readonly capabilities?: readonly Capability[] | undefined
  readonly limits?: SpendingLimits | undefined
}

/** More capabilities need the consent page again, where the person sees who asks. */
function faultsOf({ capabilities, limits }: Change, program: ConnectedProgram) {
  return [
    ...(capabilities ?? [])
      .filter((name) => !program.capabilities.includes(name))
      .map((name) => ({
        path: 'capabilities',
        rule: 'unknown',
        message: `must not have ${name}: the program lacks it. To give it more, connect it again`,
      })),
    ...(limits ? limitFaults(limits, program.resource) : []),
  ]
}

/** Fewer capabilities or other limits, for a program of the caller. */
export const changeConnectedProgram = operation(
  { time: 'real', needs: [], refuses: ['resource.not_found', 'request.invalid'] },
  async (context: Context, change: Change): Promise<ShownProgram> => {
    const { tx, caller, now, ports, emit, authChanged } = context
    const program = await lockLiveProgram(tx, change.id, now)
    if (program?.userId !== caller.userId) throw refuse('resource.not_found')
    const faults = faultsOf(change, program)
    if (faults.length > 0) throw invalid(faults)
    const kept = change.capabilities ?? program.capabilities
    const capabilities = programCapabilities.filter((name) => kept.includes(name))
    await saveRights(tx, program.id, { ...program, ...change.limits, capabilities })
    const { organisationId, mode, name } = program
    emit('connected_program.updated', { organisationId, mode, objectId: program.id }, { name, capabilities })
    authChanged(programSubject(program.id))
    const changed = await findShownProgram(tx, program.id, ports, now)
    if (!changed) throw refuse('resource.not_found')
    return changed
  },
)

/** People revoke their own programs. With the right to revoke keys, they also revoke the programs of the organisation. */
export const revokeConnectedProgram = operation(
  { time: 'real', needs: [], refuses: ['resource.not_found'] },
  async (context: Context, { id }: { id: ProgramId }): Promise<{ id: ProgramId; revoked: true }> => {
    const { tx, caller, now } = context
    const program = await lockLiveProgram(tx, id, now)
    const isOwn = program?.userId === caller.userId
    const isManaged =
      program?.organisationId === caller.tenant.organisationId && caller.capabilities.has('api_key.revoke')
    if (!program || !(isOwn || isManaged)) throw refuse('resource.not_found')
    await endProgram(context, program, 'revoked')
    return { id, revoked: true }
  },
)
