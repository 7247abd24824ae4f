import { randomInt } from 'node:crypto'
import type { Caller } from '../../kernel/callers.ts'
import type { UserId } from '../../kernel/ids.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { SealedPlace, Vault } from '../../platform/secrets/secrets.ts'
import { type Attempt, countWrongTry, lockAttempts, networkOf } from './attempt-limits.ts'
import { lockUnusedRecoveryCodes, replaceRecoveryCodes, saveRecoveryCodeUsed, takeTotpStep } from './people.store.ts'
import type { Person } from './person.ts'
import { totpStep } from './totp.ts'

export const totpSecretPlace = (userId: string): SealedPlace => ({ table: 'users', column: 'totp_secret', id: userId })

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeLength = 10
const howMany = 10

const recoveryPurpose = (userId: UserId) => `recovery ${userId}`

/** Accepts any case, without the hyphen, with the letters that Crockford's alphabet leaves out. */
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

const openTotpSecret = (vault: Vault, userId: UserId, sealed: string): string =>
  vault.open(sealed, totpSecretPlace(userId))

/** Accepts a code of the app or a recovery code. Each works once. A wrong code is counted. */
export async function passSecondFactor(context: Inside<Caller>, person: Person, code: string): Promise<boolean> {
  if (!person.totpSecret) return true
  const secret = openTotpSecret(context.vault, person.id, person.totpSecret)
  return await withCountedAttempt(context, person, () => isRightFactor(context, person.id, secret, code))
}

/** The time step of a code of an app that is being set up. */
export async function confirmSecondFactor(
  context: Inside<Caller>,
  person: Person,
  sealedSecret: string,
  code: string,
): Promise<number | undefined> {
  const step = totpStep(openTotpSecret(context.vault, person.id, sealedSecret), code, context.now)
  await withCountedAttempt(context, person, async () => step !== undefined)
  return step
}

async function withCountedAttempt(
  context: Inside<Caller>,
  person: Person,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  const attempt: Attempt = {
    kind: 'second_factor',
    account: person.email,
    network: await networkOf(context, person.email),
  }
  await lockAttempts(context, attempt)
  if (await isRight()) return true
  await countWrongTry(context, attempt, person)
  return false
}

async function isRightFactor(
  { tx, vault, now }: Inside<Caller>,
  userId: UserId,
  secret: string,
  code: string,
): Promise<boolean> {
  const digits = code.replace(/\s/g, '')
  if (/^\d{6}$/.test(digits)) {
    const step = totpStep(secret, digits, now)
    return step !== undefined && (await takeTotpStep(tx, userId, step))
  }
  const unused = await lockUnusedRecoveryCodes(tx, userId)
  const match = unused.find((row) => vault.macMatches(row.codeMac, recoveryPurpose(userId), tidy(code)))
  if (match) await saveRecoveryCodeUsed(tx, userId, match.position, now)
  return match !== undefined
}
