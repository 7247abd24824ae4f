import type { UserCaller } from '../../../kernel/callers.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { lockToChange } from './change-endpoint.ts'
import { type Endpoint, type EndpointId, previousSecretPlace, secretPlace } from './endpoint.ts'
import { emitEndpointEvent } from './endpoint-events.ts'
import { saveSecret } from './endpoints.store.ts'
import { newSecret } from './signatures.ts'

export const usualOverlapSeconds = 86_400
export const longestOverlapSeconds = 604_800

/**
 * Only this reply has the new secret. The previous one signs too for a while, so that receivers can be switched one by
 * one. Without overlap it ends at once, as after a leak. Rotating again ends the older one, so that there are never
 * more than two.
 */
export const rotateSecret = operation(
  { time: 'real', needs: ['webhook.endpoint.manage'], refuses: ['resource.not_found'] },
  async (
    context: Inside<UserCaller>,
    { id, overlapSeconds = usualOverlapSeconds }: { id: EndpointId; overlapSeconds?: number | undefined },
  ): Promise<Endpoint & { secret: string }> => {
    const { tx, now, vault } = context
    const before = await lockToChange(context, id)
    const secret = newSecret()
    const until = overlapSeconds === 0 ? null : new Date(now.getTime() + overlapSeconds * 1_000)
    const previous = until && vault.seal(vault.open(before.sealedSecret, secretPlace(id)), previousSecretPlace(id))
    const rotated = await saveSecret(
      tx,
      before,
      id,
      {
        sealedSecret: vault.seal(secret, secretPlace(id)),
        sealedPreviousSecret: previous,
        previousSecretUntil: until,
      },
      now,
    )
    emitEndpointEvent(context, 'webhook_endpoint.secret_rotated', rotated, {
      previousUntil: until?.toISOString() ?? null,
    })
    return { ...rotated, secret }
  },
)
