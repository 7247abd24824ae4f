import { randomInt } from 'node:crypto'
import type { Caller } from '../../kernel/callers.ts'
import type { UserId } from '../../kernel/ids.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { SealedPlace, Vault } from '../../platform/secrets/secrets.ts'
import { lockUnusedRecoveryCodes, replaceRecoveryCodes, saveRecoveryCodeUsed, takeTotpStep } from './people.store.ts'
import type { Person } from './person.ts'
import { totpStep } from './totp.ts'

export const totpSecretPlace = (userId: string): SealedPlace => ({ table: 'users', column: 'totp_secret', id: userId })

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeLength = 10
const howMany = 10

const recoveryPurpose = (userId: UserId) => `recovery ${userId}`

/** As people type them: without the hyphen, in any case, with the letters that Crockford's alphabet leaves out. */
const tidy = (code: string) => code.replace(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')

function newRecoveryCode(): string {
  const symbols = Array.from({ length: codeLength }, () => alphabet[randomInt(32)])
  return `${symbols.slice(0, 5).join('')}-${symbols.slice(5).join('')}`
}

export async function issueRecoveryCodes(context: Inside<Caller>, userId: UserId): Promise<string[]> {
  const codes = Array.from({ length: howMany }, newRecoveryCode)
  await replaceRecoveryCodes(
    context.tx,
    userId,
    codes.map((code) => context.vault.mac(recoveryPurpose(userId), tidy(code))),
  )
  return codes
}

export const openTotpSecret = (vault: Vault, userId: UserId, sealed: string): string =>
  vault.open(sealed, totpSecretPlace(userId))

/** Accepts a code of the app, or one of the recovery codes; either works once. */
export async function passSecondFactor(context: Inside<Caller>, person: Person, code: string): Promise<boolean> {
  if (!person.totpSecret) return true
  const digits = code.replace(/\s/g, '')
  if (/^\d{6}$/.test(digits)) {
    const step = totpStep(openTotpSecret(context.vault, person.id, person.totpSecret), digits, context.now)
    return step !== undefined && (await takeTotpStep(context.tx, person.id, step))
  }
  const unused = await lockUnusedRecoveryCodes(context.tx, person.id)
  const match = unused.find((row) => context.vault.macMatches(row.codeMac, recoveryPurpose(person.id), tidy(code)))
  if (match) await saveRecoveryCodeUsed(context.tx, person.id, match.position, context.now)
  return match !== undefined
}
