import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Refusal } from '../port.ts'
import { notProtocol, unclear } from './unanswered.ts'

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
    throw notProtocol(`the authority answered in another form than it should${place ? `, at ${place}` : ''}`)
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
  /** its words about why, those about the field first */
  readonly texts: readonly string[]
  /** whether it went into details */
  readonly isDetailed: boolean
}

/**
 * It says this with 400 to what it has already as well as in its own passing troubles, so it is neither a no nor an outage. Whoever
 * asked has to find out what became of it.
 */
const mayMeanAnything = /unable to complete this operation|try again later/i
const keyTrouble = /unable to validate api key/i

export function readFailure(status: 400 | 404, value: unknown): Refused {
  const { code, message, error } = readNo(value)
  if (code !== status) throw notProtocol('the authority answered two things at once')
  const { details, public_message } = error
  const texts = [details, public_message, message]
    .filter((text) => typeof text === 'string')
    .map((text) => cleanText(text.slice(0, longestText)))
    .filter((text) => text !== '')
  if (texts.some((text) => keyTrouble.test(text))) throw unclear('keys_refused', 'the authority refused our keys')
  if (texts.some((text) => mayMeanAnything.test(text)))
    throw unclear('ambiguous', 'the authority asks us to come later', told(texts))
  return { refused: status, texts, isDetailed: typeof details === 'string' && details.trim() !== '' }
}

/** Longer ones are cut: nobody reads on. */
const longestText = 500
/** What it says with every failure is no news. */
const told = (texts: readonly string[]): string[] => [...new Set(texts.filter((text) => text !== 'error has occurred'))]

/** What it says of all that it does not like, with details or without. */
const saysNothing = /^(?:validation failed: )?we are unable to process your request/i
/** It has it already, or so it seems: then the first one counts, and this is no refusal of it. */
const repeated = /\balready\b|\bduplicate/i

/** A no that is about what was sent. Throws where the words may mean something else. */
export function refusalIn({ texts, isDetailed }: Refused): Refusal {
  const [first = ''] = texts
  const said = told(texts)
  if (saysNothing.test(first)) throw unclear('ambiguous', 'the authority refuses and does not say why', said)
  if (repeated.test(first)) throw unclear('ambiguous', 'the authority may have it already', said)
  // The rest of what it says stands beside every fault.
  return { kind: 'refused', told: isDetailed ? [first] : said }
}

/** That it has no such document, said clearly: by the status of an unknown thing, or in words that mean nothing else. */
const unknownDocument =
  /^(?:the )?(?:invoice|irn|record|document)(?: [\dA-Z-]{1,80})? (?:(?:was |is |could |can ?)?not (?:be )?found|does not exist)\.?$/i

export const saysUnknownDocument = ({ refused, texts }: Refused): boolean =>
  refused === 404 || texts.some((text) => unknownDocument.test(text))

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

export const readOk = reader(Type.Object({ ok: Type.Literal(true), irn: Perhaps(Text) }))

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}' })

export const readConfirmation = reader(
  Type.Object({
    irn: Perhaps(Text),
    issue_date: Day,
    sync_date: Perhaps(Day),
    payment_status: Perhaps(Text),
    transmitted: Perhaps(Type.Boolean()),
    delivered: Perhaps(Type.Boolean()),
  }),
)

export const readEnvelope = reader(
  Type.Object({
    iv_hex: Type.String({ pattern: '^[\\dA-Fa-f]{32}$' }),
    pub: Type.String({ minLength: 1, maxLength: 64 }),
    data: Type.String({ minLength: 1 }),
  }),
)

const Listed = Perhaps(Type.Array(Type.Unknown(), { maxItems: 10_000 }))
export const readPulled = reader(Type.Object({ invoices: Listed }))
export const readMentioned = reader(Type.Object({ irn: Text }))

export const readExchange = reader(
  Type.Object({
    irn: Text,
    parties: Perhaps(Type.Array(Type.Object({ tin: Text, acknowledged: Perhaps(Type.Boolean()) }), { maxItems: 100 })),
  }),
)

export const readEntities = reader(
  Type.Object({
    items: Perhaps(Type.Array(Type.Object({ businesses: Perhaps(Type.Array(Type.Object({ id: Text }))) }))),
    page: Type.Object({ hasNextPage: Type.Boolean() }),
  }),
)
