import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { AuthorityUnavailable } from '../port.ts'

/** Not there, or null: the authority does not keep the two apart. */
const Perhaps = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))
/** Longer than anything that a register says of somebody. */
const Text = Type.String({ maxLength: 2_000 })

/**
 * Reads what the authority said. Fields that we do not know are let pass; those that we read must be what they ought to
 * be. The error names the place and never the value.
 */
function reader<S extends TSchema>(schema: S): (value: unknown) => Static<S> {
  const compiled = Compile(schema)
  return (value) => {
    if (compiled.Check(value)) return value as Static<S>
    const place = compiled.Errors(value)[0]?.instancePath
    throw new AuthorityUnavailable(
      `the authority answered in another form than it should${place ? `, at ${place}` : ''}`,
    )
  }
}

export const readHealth = reader(Type.Object({ healthy: Type.Boolean() }))

export const readSuccess = reader(
  Type.Object({ code: Type.Union([Type.Literal(200), Type.Literal(201)]), data: Type.Unknown() }),
)

/** `error` tells an unknown thing from an unknown route: a path that is not there says nothing about what we asked for. */
const readNo = reader(
  Type.Object({
    code: Type.Integer(),
    message: Perhaps(Text),
    error: Type.Object({ details: Type.Optional(Type.Unknown()), public_message: Perhaps(Text) }),
  }),
)

/** The authority understood the question and said no. */
export interface Refused {
  readonly refused: 400 | 404
  /** its words about why */
  readonly texts: readonly string[]
}

/** It says these with 400, as it says everything: they are about its own trouble or our keys, not about the question. */
const ownTrouble = /unable to complete this operation|try again later/i
const keyTrouble = /unable to validate api key/i

export function readFailure(status: 400 | 404, value: unknown): Refused {
  const { code, message, error } = readNo(value)
  if (code !== status) throw new AuthorityUnavailable('the authority answered two things at once')
  const texts = [message, error.details, error.public_message].filter((text) => typeof text === 'string')
  if (texts.some((text) => keyTrouble.test(text))) throw new AuthorityUnavailable('the authority refused our keys')
  if (texts.some((text) => ownTrouble.test(text))) throw new AuthorityUnavailable('the authority asks us to come later')
  return { refused: status, texts }
}

const number = '(?:tin|tax ?id|tax ?payer)(?: (?:number|record|information|details?))?'
/**
 * That nobody has the number, said in words. Its usual "unable to process your request" can mean anything, and "not found"
 * of something else than the number (a key, a service) is no answer either: then it is better to ask again.
 */
const unknownNumber = new RegExp(
  `\\b${number}(?:[ :]{1,2}['"]?(?:RN-)?\\d[\\d-]{0,40}['"]?)? (?:(?:was |is |could |can ?)?not (?:be )?found|does not exist)\\b` +
    `|\\bno such ${number}\\b|\\bno ${number} (?:was )?found\\b`,
  'i',
)

export const saysUnknownNumber = ({ refused, texts }: Refused): boolean =>
  refused === 404 || texts.some((text) => unknownNumber.test(text))

export const readTaxpayer = reader(
  Type.Object({
    tin: Perhaps(Text),
    jtb_tin: Perhaps(Text),
    rc_number: Perhaps(Text),
    taxpayer_name: Perhaps(Text),
    address: Perhaps(Text),
    email: Perhaps(Text),
    phone: Perhaps(Text),
  }),
)

export const readNetworkEntry = reader(Type.Object({ tin: Text, is_active: Type.Boolean(), app_name: Perhaps(Text) }))

export const readEntity = reader(
  Type.Object({
    id: Text,
    businesses: Perhaps(Type.Array(Type.Object({ id: Text }), { maxItems: 1_000 })),
  }),
)

export const readBusiness = reader(
  Type.Object({ name: Text, tin: Text, irn_template: Type.String({ minLength: 1, maxLength: 200 }) }),
)

/** `null` where there are none. */
export const readItems = reader(Type.Union([Type.Array(Type.Unknown()), Type.Null()]))

/** One line, without characters that nobody sees or that a database cannot hold. */
export const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cf}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
