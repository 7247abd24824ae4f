import type { UserCaller } from '../../kernel/callers.ts'
import type { Capability } from '../../kernel/capabilities.ts'
import type { RoleId } from '../../kernel/ids.ts'
import { invalid, refuse } from '../../kernel/refusals.ts'
import { systemRole } from '../../kernel/roles.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { requireCurrentCapabilities, requireOwnCapabilities } from '../organisations/index.ts'
import { type ApiKey, expiryFaults, requireLiveMode, type ShownKey, shown } from './api-key.ts'
import { countUsableKeys, findApiKey } from './api-keys.store.ts'
import { mailNewKey } from './key-mail.ts'
import { roleForKey } from './key-role.ts'
import { mintKey } from './mint-key.ts'
import { type PresetName, presets } from './presets.ts'

/** A key has a list of capabilities and a preset, or a role. */
export type Grant =
  | {
      readonly kind: 'capabilities'
      readonly preset?: PresetName | undefined
      readonly capabilities?: readonly Capability[] | undefined
    }
  | { readonly kind: 'role'; readonly roleId?: RoleId | undefined }

interface NewKey {
  readonly name: string
  readonly mode: Mode
  readonly grant: Grant
  readonly expiresAt?: Date | undefined
  readonly requestsPerMinute?: number | undefined
  readonly dailyQuota?: number | undefined
}

const mostKeys = 100

/** Rotating keys still work, so that they count. */
export async function requireRoomForKey({ tx, caller, now }: Inside<UserCaller>): Promise<void> {
  if ((await countUsableKeys(tx, caller.tenant.organisationId, now)) >= mostKeys) throw refuse('key.too_many')
}

async function resolve({ tx, caller }: Inside<UserCaller>, grant: Grant) {
  if (grant.kind === 'role') {
    const role = await roleForKey(tx, caller.tenant.organisationId, grant.roleId ?? systemRole('VIEWER').id)
    requireOwnCapabilities(caller.capabilities, role.capabilities)
    return { preset: null, ownCapabilities: [], roleId: role.id }
  }
  const preset = grant.preset ?? (grant.capabilities === undefined ? 'read_only' : null)
  const ownCapabilities = [...new Set([...(preset ? presets[preset] : []), ...(grant.capabilities ?? [])])]
  requireOwnCapabilities(caller.capabilities, ownCapabilities)
  return { preset, ownCapabilities, roleId: null }
}

/** A key may do at most what its creator may. Its text exists only in this reply. */
export const createApiKey = operation(
  { time: 'real', needs: ['api_key.create'], refuses: ['role.above_own', 'live_mode.not_allowed', 'key.too_many'] },
  async (context: Inside<UserCaller>, input: NewKey): Promise<ShownKey & { key: string }> => {
    const { tx, caller, now } = context
    const { organisationId } = caller.tenant
    const { name, mode, expiresAt, requestsPerMinute = null, dailyQuota = null } = input
    const faults = expiryFaults(expiresAt, now)
    if (faults.length > 0) throw invalid(faults)
    requireLiveMode(caller.capabilities, mode)
    await requireCurrentCapabilities(context)
    const grant = await resolve(context, input.grant)
    await requireRoomForKey(context)
    const minting = {
      mode,
      name,
      ...grant,
      requestsPerMinute,
      dailyQuota,
      createdBy: caller.userId,
      expiresAt: expiresAt ?? null,
    }
    const { id, key } = await mintKey(context, organisationId, minting)
    const made = (await findApiKey(tx, organisationId, id)) as ApiKey
    await mailNewKey(context, made)
    return { ...shown(made, now), key }
  },
)
