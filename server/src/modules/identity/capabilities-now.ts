import type { Maker } from '../../kernel/callers.ts'
import type { Capability } from '../../kernel/capabilities.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { capabilitiesOfKey, findUsableKey } from '../api-keys/index.ts'
import { capabilitiesWith, roleFrom } from '../organisations/index.ts'
import { programAccess } from '../programs/index.ts'
import { findSessionMember } from './sessions.store.ts'

/**
 * Current capabilities of a session, key or program in a tenant. None if it has ended, or its member is not active. A session
 * that switched to another organisation still counts here for what it did before.
 */
export async function capabilitiesNow(
  db: Queryable,
  { organisationId, mode }: Tenant,
  maker: Maker,
  now: Date,
): Promise<ReadonlySet<Capability>> {
  if (maker.kind === 'key') {
    const key = await findUsableKey(db, organisationId, maker.id, now)
    return new Set(key?.mode === mode ? capabilitiesOfKey(key) : [])
  }
  if (maker.kind === 'program') {
    const program = await programAccess.findProgramPrincipal(db, maker.id, now)
    const isHere = program?.organisationId === organisationId && program.mode === mode
    return isHere ? program.held : new Set()
  }
  const member = await findSessionMember(db, organisationId, maker.id, now)
  return member ? capabilitiesWith(roleFrom(member), member.extraCapabilities) : new Set()
}
