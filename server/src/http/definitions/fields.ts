import Type, { type TObjectOptions, type TProperties, type TSchema } from 'typebox'
import { Format } from 'typebox/format'
import { isCountry } from '../../jurisdictions/countries.ts'
import type { UserCaller } from '../../kernel/callers.ts'
import { longestCursor, readCursor } from '../../kernel/cursors.ts'
import { isEmailAddress } from '../../kernel/email-address.ts'
import type { UserId } from '../../kernel/ids.ts'
import { noAddressPattern, organisationNamePattern, personNamePattern } from '../../kernel/links.ts'
import { type PageRequest, wrongCursor } from '../../kernel/paging.ts'
import { isBlankOrSingleLine, isProse, isSingleLine } from '../../kernel/plain-text.ts'
import { invalid } from '../../kernel/refusals.ts'
import { type Mode, modes } from '../../kernel/tenant.ts'

/** An object that allows only the fields it names. */
export const Fields = <P extends TProperties>(properties: P, options: TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/**
 * An object with a name: documents and clients define it once and refer to it. Two different objects may not share a name; the document
 * then cannot be written.
 */
export const Named = <P extends TProperties>(name: string, properties: P, options: TObjectOptions = {}) =>
  Fields(properties, { ...options, named: name })

/** A name for a schema that is not an object, such as a list of words. */
export const named = <S extends TSchema>(name: string, schema: S): S => Object.assign(schema, { named: name })

/** The same schema with a description for the API documents. */
export function means<S extends TSchema>(meaning: string, schema: S): S {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)) as S
  return Object.assign(copy, 'named' in schema ? { here: meaning } : { description: meaning })
}

Format.Set('single-line', isSingleLine)
Format.Set('blank-or-single-line', isBlankOrSingleLine)
Format.Set('multi-line', isProse)
const notBlank = { pattern: '\\S', explanation: 'must not be blank' }
const between = (minLength: number, maxLength: number) => ({
  ...(minLength > 0 ? { minLength } : {}),
  maxLength,
  ...(minLength > 0 ? notBlank : {}),
})

/** One line of text, not empty unless that is allowed. */
export const Text = (minLength: number, maxLength: number) =>
  Type.String({ format: minLength > 0 ? 'single-line' : 'blank-or-single-line', ...between(minLength, maxLength) })

/** Words to search for. Marks without a letter find nothing, and are no mistake. */
export const SearchWords = (minLength: number, maxLength: number) =>
  Type.String({ format: 'blank-or-single-line', ...between(minLength, maxLength) })

/** The name of a person. Names appear in mails to strangers, where a mail program would turn an address into a link. */
export const PersonName = (minLength: number, maxLength: number) =>
  Type.String({
    format: 'single-line',
    ...between(minLength, maxLength),
    pattern: personNamePattern,
    explanation: 'must be a name that is not blank and contains no web address, domain or email address',
  })

/** The name of an organisation. Acme.com is allowed; www.acme.com and https://acme.com are not. */
export const OrganisationName = (minLength: number, maxLength: number) =>
  Type.String({
    format: 'single-line',
    ...between(minLength, maxLength),
    pattern: organisationNamePattern,
    explanation:
      'must be a name that is not blank and contains no web or email address; a domain such as Acme.com is allowed',
  })

/** Text that is mailed to a person whom the sender chooses. */
export const MailedWords = (minLength: number, maxLength: number) =>
  Type.String({
    format: 'multi-line',
    ...between(minLength, maxLength),
    pattern: minLength > 0 ? noAddressPattern : `^$|^\\s*$|${noAddressPattern}`,
    explanation: 'must not be blank or contain a web or email address',
  })

/** Text of one or more lines. */
export const Prose = (minLength: number, maxLength: number) =>
  Type.String({ format: 'multi-line', ...between(minLength, maxLength) })

Format.Set('password', () => true)
Format.Set('byte', () => true)
Format.Set('file', () => true)
/** A text that is never shown, such as a password: accepted exactly as typed. */
export const Secret = (minLength: number, maxLength: number) =>
  Type.String({ format: 'password', minLength, maxLength })

export const Uuid = Type.String({ format: 'uuid' })
/** Any number of decimals. The library also parses longer texts. */
const longestInstant = 64
/** An instant that exists: leap seconds are refused, because they equal the second after them. */
Format.Set(
  'date-time',
  (text) => text.length <= longestInstant && Format.IsDateTime(text) && !Number.isNaN(Date.parse(text)),
)
/** The calendar begins with the year 1. */
Format.Set('date', (text) => Format.IsDate(text) && !text.startsWith('0000'))
Format.Set('uuid-or-me', (text) => text === 'me' || Format.IsUuid(text))
/** The organisation of the token, by its id or as `me`. */
export const OrgId = Type.String({
  format: 'uuid-or-me',
  description: 'The id of the organisation of your token, or `me`.',
})
export const Instant = Type.String({ format: 'date-time' })
/** Every email address is one that mail can reach. */
Format.Set('email', isEmailAddress)
export const Email = (maxLength = 254) => Type.String({ format: 'email', maxLength })
export const OneOf = <const V extends readonly string[]>(...values: V) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values] })
/**
 * A text of a closed list that the core checks. Documents and clients know the list, and a wrong value is refused together with all other
 * faults.
 */
export const Listed = <S extends TSchema, const V extends readonly string[]>(schema: S, values: V): S =>
  Object.assign(Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)) as S, { listed: [...values] })
export const Maybe = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
export const List = <S extends TSchema>(schema: S) => Type.Array(schema)

export const ModeField = named(
  'Mode',
  Type.Unsafe<Mode>({
    ...OneOf(...modes),
    description: 'Whether the data is for trying out (`sandbox`) or for real business (`live`). The two never mix.',
  }),
)

export const emptyObject = Fields({})

/** Where a page begins, for lists that change while they are read. */
export const After = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: longestCursor,
    format: 'single-line',
    description:
      'The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`.',
  }),
)

export const PageQuery = (standardLimit = 20) => ({
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 1,
      description: 'The number of the page, from 1. Leave it out if you send `after`.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: standardLimit,
      description: 'The maximum number of entries on a page.',
    }),
  ),
  after: After,
})

interface AskedPage {
  readonly page?: number | undefined
  readonly limit?: number | undefined
  readonly after?: string | undefined
}

export function pageFrom({ page = 1, limit, after }: AskedPage, standardLimit = 20): PageRequest {
  if (after === undefined) return { page, limit: limit ?? standardLimit }
  if (page > 1) throw invalid([{ path: 'page', rule: 'conflict', message: 'must be left out if `after` is sent' }])
  const cursor = readCursor(after)
  if (!cursor) throw wrongCursor()
  return { page, limit: limit ?? standardLimit, after: cursor }
}

/** A member by id, or `me`. */
export const UserRef = Type.String({
  format: 'uuid-or-me',
  description: 'The user id of a member, or `me` for yourself.',
})

export const userFrom = (ref: string, caller: UserCaller): UserId => (ref === 'me' ? caller.userId : (ref as UserId))

export const Phone = Type.String({
  pattern: '^\\+[1-9][0-9]{6,14}$',
  explanation: 'must be in E.164 form, such as +12025550143',
})
Format.Set('country', isCountry)
/** Only codes that ISO 3166-1 has assigned. */
export const Country = Type.String({
  format: 'country',
  explanation: 'must be an ISO 3166-1 alpha-2 country code, such as NG',
})
/** A web address with a scheme that a browser opens. */
export const WebAddress = Type.String({
  format: 'uri',
  maxLength: 255,
  pattern: '^https?://',
  explanation: 'must begin with http:// or https://',
})

/** Money as a whole number of minor units, such as cents. The description of each field says so. */
export const MinorUnits = Type.Integer()

/** A calendar day that exists. */
export const Day = Type.String({ format: 'date' })

export const isoOrNull = (instant: Date | null): string | null => instant?.toISOString() ?? null
