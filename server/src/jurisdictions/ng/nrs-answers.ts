import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { RefusedAnswer } from '../port.ts'
import { notProtocol, unclear } from './unanswered.ts'

/** Absent or null: the authority does not distinguish them. */
const Perhaps = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))
/** Longer than any text in a register. */
const Text = Type.String({ maxLength: 2_000 })

/**
 * Reads an answer of the authority. Unknown fields are ignored; known fields must have the right type. The error
 * names the field and never its value.
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

/** `error` distinguishes an unknown object from an unknown route: a missing path says nothing about the object. */
const readNo = reader(
  Type.Object({
    code: Type.Integer(),
    message: Perhaps(Text),
    error: Type.Object({ details: Type.Optional(Type.Unknown()), public_message: Perhaps(Text) }),
  }),
)

/** The authority understood the request and refused it. */
export interface NrsFailure {
  readonly refused: 400 | 404
  /** its reasons, those about a field first */
  readonly texts: readonly string[]
  /** whether the reasons have details */
  readonly isDetailed: boolean
}

/**
 * The authority says this with status 400 for documents that it already has and for its own passing failures. So it
 * is neither a refusal nor an outage, and the caller must look the document up.
 */
const mayMeanAnything = /unable to complete this operation|try again later/i
const keyTrouble = /unable to validate api key/i

export function readFailure(status: 400 | 404, value: unknown): NrsFailure {
  const { code, message, error } = readNo(value)
  if (code !== status) throw notProtocol('the authority answered two things at once')
  const { details, public_message } = error
  const texts = [details, public_message, message]
    .filter((text) => typeof text === 'string')
    .map((text) => cleanText(text.slice(0, longestText)))
    .filter((text) => text !== '')
  if (texts.some((text) => keyTrouble.test(text))) throw unclear('keys_refused', 'the authority refused our keys')
  if (texts.some((text) => mayMeanAnything.test(text)))
    throw unclear('ambiguous', 'the authority asks us to come later', specific(texts))
  return { refused: status, texts, isDetailed: typeof details === 'string' && details.trim() !== '' }
}

/** Longer texts are cut. */
const longestText = 500
/** Without texts that come with every failure. */
const specific = (texts: readonly string[]): string[] => [
  ...new Set(texts.filter((text) => text !== 'error has occurred')),
]

/** The general text of every refusal, with or without details. */
const saysNothing = /^(?:validation failed: )?we are unable to process your request/i
/** The authority seems to have the document already: this is no refusal of it. */
const repeated = /\balready\b|\bduplicate/i

/** A refusal of what was sent. Throws if the words may mean something else. */
export function refusedAnswerIn({ texts, isDetailed }: NrsFailure): RefusedAnswer {
  const [first = ''] = texts
  const messages = specific(texts)
  if (saysNothing.test(first)) throw unclear('ambiguous', 'the authority refuses and does not say why', messages)
  if (repeated.test(first)) throw unclear('ambiguous', 'the authority may have it already', messages)
  // The remaining texts come with every fault.
  return { kind: 'refused', messages: isDetailed ? [first] : messages }
}

/** A clear "no such document": by the status of an unknown object, or by unambiguous words. */
const unknownDocument =
  /^(?:the )?(?:invoice|irn|record|document)(?: [\dA-Z-]{1,80})? (?:(?:was |is |could |can ?)?not (?:be )?found|does not exist)\.?$/i

export const saysUnknownDocument = ({ refused, texts }: NrsFailure): boolean =>
  refused === 404 || texts.some((text) => unknownDocument.test(text))

const number = '(?:tin|tax ?id|tax ?payer)(?: (?:number|record|information|details?))?'
/**
 * Nobody has the tax number, in clear words. The usual "unable to process your request" can mean anything, and "not
 * found" may concern a key or a service: then we ask again.
 */
const unknownNumber = new RegExp(
  `\\b${number}(?:[ :]{1,2}['"]?(?:RN-)?\\d[\\d-]{0,40}['"]?)? (?:(?:was |is |could |can ?)?not (?:be )?found|does not exist)\\b` +
    `|\\bno such ${number}\\b|\\bno ${number} (?:was )?found\\b`,
  'i',
)

export const saysUnknownNumber = ({ refused, texts }: NrsFailure): boolean =>
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

/** `null` for an empty list. */
export const readItems = reader(Type.Union([Type.Array(Type.Unknown()), Type.Null()]))

/** One line, without invisible characters or characters that a database cannot store. */
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
