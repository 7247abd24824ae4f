import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { asSingleLine } from '../kernel/plain-text.ts'

/** Kobo or cents. Above the safe integers the exact number is lost. */
export const Minor = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const Maybe = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
/** Missing or null: providers do not distinguish the two. */
export const Perhaps = <S extends TSchema>(schema: S) => Type.Optional(Maybe(schema))

/** An answer about one object that is malformed or about another object. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer'
}

/**
 * Validates a provider's answer. Unknown fields are allowed, because providers add some at any time. The error names
 * the path, never the value, which may be secret.
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
 * Validates the envelope of an answer. A wrong envelope means that the provider itself has trouble. The error has no
 * cause, so that callers do not take it for a fault of one object.
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

/** A provider's message may repeat secrets, and messages are logged and shown. Keys and card numbers are removed. */
export const withoutSecrets = (message: string, ...keys: readonly string[]): string =>
  keys
    .reduce((text, key) => (key === '' ? text : text.replaceAll(key, '[hidden]')), message)
    .replaceAll(secrets, '[hidden]')
    .slice(0, 300)

/** Only http and https URLs are safe for a browser; `javascript:` is not. */
export function webAddress(provider: string, text: string): string {
  const protocol = URL.parse(text)?.protocol
  if (protocol === 'https:' || protocol === 'http:') return text
  throw new Error(`${provider} gave no web address to pay at`)
}

/** Returns undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Outside text is stored as a single, shortened line. */
export const plainLine = (text: string, most: number): string | null => asSingleLine(text, most).trim() || null

/** Providers have no common code for this, so the message is matched. */
export const isBalanceTooLow = (message: string): boolean =>
  /insufficient (balance|funds)|balance is (not enough|too low|insufficient)|low balance/i.test(message)

export const isLiveKey = (secretKey: string): boolean => /^[sr]k_live_/.test(secretKey)
