import type { Caller } from '../../kernel/callers.ts'
import type { UserId } from '../../kernel/ids.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { lockPerson, nobodysHash, personSubject, saveClosed, saveTotpOff } from '../people/index.ts'
import { programAccess } from '../programs/index.ts'
import { sessionSubject } from './session.ts'
import { endSessionsOf } from './sessions.store.ts'

/**
 * Ends every way to sign in as a person. Their past actions stay recorded under their id, so that this cannot be
 * undone.
 */
export async function closeAccount(context: Inside<Caller>, id: UserId): Promise<void> {
  const { tx, now, authChanged } = context
  // A sign-in under way ends first, and its session with the others.
  await lockPerson(tx, id)
  await saveTotpOff(tx, id, now)
  await saveClosed(tx, id, nobodysHash(), now)
  const ended = await endSessionsOf(tx, id, null, now)
  authChanged(personSubject(id), ...ended.map(sessionSubject))
  await programAccess.endProgramsOf(context, id)
}
