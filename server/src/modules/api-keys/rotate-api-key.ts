import type { UserCaller } from '../../kernel/callers.ts'
import type { ApiKeyId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { requireOwnCapabilities } from '../organisations/index.ts'
import { type ApiKey, capabilitiesOfKey, requireLiveMode, type ShownKey, shown, statusOf } from './api-key.ts'
import { findApiKey, saveKeyStops } from './api-keys.store.ts'
import { keySubject, lockKeyToChange } from './change-api-key.ts'
import { requireRoomForKey } from './create-api-key.ts'
import { mailNewKey } from './key-mail.ts'
import { mintKey } from './mint-key.ts'

interface RotatedKeys {
  readonly previous: ShownKey
  readonly current: ShownKey & { key: string }
}

/** The old key goes on working for a while, so that programs need not stop. */
export const rotateApiKey = operation(
  {
    time: 'real',
    needs: ['api_key.rotate'],
    refuses: [
      'resource.not_found',
      'role.above_own',
      'live_mode.not_allowed',
      'key.not_usable',
      'key.already_rotating',
      'key.too_many',
    ],
  },
  async (
    context: Inside<UserCaller>,
    { id, graceSeconds }: { id: ApiKeyId; graceSeconds?: number | undefined },
  ): Promise<RotatedKeys> => {
    const { tx, caller, now, settings, emit, authChanged } = context
    const old = await lockKeyToChange(context, id)
    const status = statusOf(old, now)
    if (status === 'rotating') throw refuse('key.already_rotating')
    if (status !== 'active') throw refuse('key.not_usable')
    requireOwnCapabilities(caller.capabilities, capabilitiesOfKey(old))
    requireLiveMode(caller.capabilities, old.mode)
    const { organisationId, mode, name, preset, ownCapabilities, role, requestsPerMinute, dailyQuota, expiresAt } = old
    const stopsAt = new Date(now.getTime() + (graceSeconds ?? settings.keyGraceSeconds) * 1000)
    await saveKeyStops(tx, organisationId, id, stopsAt)
    await requireRoomForKey(context)
    const minted = await mintKey(context, organisationId, {
      mode,
      name,
      preset,
      ownCapabilities,
      roleId: role?.id ?? null,
      requestsPerMinute,
      dailyQuota,
      expiresAt,
      createdBy: caller.userId,
    })
    const current = (await findApiKey(tx, organisationId, minted.id)) as ApiKey
    emit(
      'api_key.rotated',
      { organisationId, objectId: id },
      { name, mode, replacedBy: minted.id, stopsAt: stopsAt.toISOString() },
    )
    authChanged(keySubject(id))
    await mailNewKey(context, current)
    return { previous: shown({ ...old, stopsAt }, now), current: { ...shown(current, now), key: minted.key } }
  },
)
