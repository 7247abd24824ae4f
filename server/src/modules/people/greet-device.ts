import { neighbourhoodOf } from '../../kernel/addresses.ts'
import type { Caller } from '../../kernel/callers.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { networkMacOf } from './attempt-limits.ts'
import { rememberDevice } from './people.store.ts'
import type { Person } from './person.ts'
import { sendSecurityNotice } from './security-notice.ts'

/**
 * Mails a person about a sign-in from a device that is new to us. The first sign-in of all is the registration and is
 * not reported.
 */
export async function greetDevice(context: Inside<Caller>, person: Person): Promise<void> {
  const { address, userAgent } = context.origin
  // A device is a program in a network.
  const named = [`device ${person.id}`, `${neighbourhoodOf(address)} ${userAgent}`] as const
  const device = {
    deviceMac: context.vault.mac(...named),
    knownAs: context.vault.macsOf(...named),
    networkMac: networkMacOf(context),
  }
  const { isNew, others } = await rememberDevice(context.tx, person.id, device, context.now)
  if (isNew && others)
    await sendSecurityNotice(
      context,
      person,
      'New sign-in to Risiti',
      'Your account was used to sign in from a device we have not seen before.',
    )
}
