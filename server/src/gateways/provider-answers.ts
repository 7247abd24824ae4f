import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { asSingleLine } from '../kernel/plain-text.ts'

/** Kobo or cents. Beyond the safe integers the number that was meant is no longer known. */
export const Minor = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const Maybe = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
/** Not there, or null: providers do not keep the two apart. */
export const Perhaps = <S extends TSchema>(schema: S) => Type.Optional(Maybe(schema))

/** What a provider said of one thing has another form than it should, or is about another thing. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer'
}

/**
 * Reads what a provider said. Fields that we do not know are let pass, for providers add some at any time; those that we
 * read must be what they ought to be. The error names the place and never the value, which may be a secret.
 */
export function reader<S extends TSchema>(provider: string, schema: S): (value: unknown) => Static<S> {
  const compiled = Compile(schema)
  return (value) => {
    if (compiled.Check(value)) return value as Static<S>
    const place = compiled.Errors(value)[0]?.instancePath
    throw new UnreadableAnswer(`${provider} answered in another form than it should${place ? `, at ${place}` : ''}`)
  }
}

/**
 * Reads what stands around every answer: a provider that gets this wrong is not well, whatever it was asked about. The error has no cause, so that
 * nobody takes it for what was said of one thing.
 */
export function envelopeReader<S extends TSchema>(provider: string, schema: S): (value: unknown) => Static<S> {
  const read = reader(provider, schema)
  return (value) => {
    try {
      return read(value)
    } catch (error) {
      throw new Error(error instanceof Error ? error.message : `${provider} gave no answer`)
    }
  }
}

const secrets = /\b(?:sk|rk|whsec|AUTH|cus|pm|card|src)_\w+/g

/** What a provider says may repeat what it was told. Messages are logged and shown, so keys and cards are taken out. */
export const withoutSecrets = (message: string, ...keys: readonly string[]): string =>
  keys
    .reduce((text, key) => (key === '' ? text : text.replaceAll(key, '[hidden]')), message)
    .replaceAll(secrets, '[hidden]')
    .slice(0, 300)

/** Where a browser can be sent. Anything else, `javascript:` above all, is no answer. */
export function webAddress(provider: string, text: string): string {
  const protocol = URL.parse(text)?.protocol
  if (protocol === 'https:' || protocol === 'http:') return text
  throw new Error(`${provider} gave no web address to pay at`)
}

/** Undefined for what is no JSON: no provider answers with nothing else than that. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What somebody else wrote is kept as one line, and not all of it. */
export const plainLine = (text: string, most: number): string | null => asSingleLine(text, most).trim() || null

/** Providers have no common code for it: they say it in words. */
export const isBalanceTooLow = (message: string): boolean =>
  /insufficient (balance|funds)|balance is (not enough|too low|insufficient)|low balance/i.test(message)

export const isLiveKey = (secretKey: string): boolean => /^[sr]k_live_/.test(secretKey)
