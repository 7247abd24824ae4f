import type { Caller } from '../../kernel/callers.ts'
import type { UserId } from '../../kernel/ids.ts'
import type { EndOfProgram } from '../../kernel/program-payloads.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { findPerson, sendSecurityNotice } from '../people/index.ts'
import { type ConnectedProgram, programSubject } from './program.ts'
import { lockLiveProgramsOf, saveEnded } from './programs.store.ts'

/** The program's row is locked. */
export async function endProgram(
  { tx, now, emit, authChanged }: Inside<Caller>,
  { id, organisationId, mode, name }: ConnectedProgram,
  why: EndOfProgram,
): Promise<void> {
  await saveEnded(tx, id, now)
  emit('connected_program.ended', { organisationId, mode, objectId: id }, { name, why })
  authChanged(programSubject(id))
}

/** A code or token that is used twice was copied. Either side may be the thief, so the program ends. */
export async function endMisusedProgram(context: Inside<Caller>, program: ConnectedProgram): Promise<void> {
  await endProgram(context, program, 'token_misused')
  const person = await findPerson(context.tx, program.userId)
  if (person)
    await sendSecurityNotice(
      context,
      person,
      'A connected program was disconnected',
      `A code or token of the program “${program.name}” was used twice or by another program, so it may have been copied. We disconnected the program.`,
    )
}

/** For a person whose password was changed, or whose account was closed. */
export async function endProgramsOf(context: Inside<Caller>, userId: UserId): Promise<void> {
  for (const program of await lockLiveProgramsOf(context.tx, userId, context.now))
    await endProgram(context, program, 'account_secured')
}
