import { neighbourhoodOf } from '../../kernel/addresses.ts'
import type { Caller } from '../../kernel/callers.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { networkMacOf, type Person, rememberDevice } from '../people/index.ts'
import { sendSecurityNotice } from './security-letters.ts'

/** Tells a person of a sign-in from a device not seen before; the very first one is their own registration. */
export async function greetDevice(context: Inside<Caller>, person: Person): Promise<void> {
  const { address, userAgent } = context.origin
  // The program and where it is together are the device.
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
