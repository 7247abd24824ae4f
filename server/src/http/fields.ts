import Type, { type TObjectOptions, type TProperties, type TSchema } from 'typebox'

/** An object that takes the fields it names and no others. */
export const Fields = <P extends TProperties>(properties: P, options: TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** Text with something in it. */
export const Text = (minLength: number, maxLength: number) =>
  Type.String({ minLength, maxLength, ...(minLength > 0 ? { pattern: '\\S', explanation: 'must not be blank' } : {}) })

export const Uuid = Type.String({ format: 'uuid' })
export const Instant = Type.String({ format: 'date-time' })
export const Email = (maxLength = 254) => Type.String({ format: 'email', maxLength })
export const OneOf = <const V extends readonly string[]>(...values: V) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values] })
export const Maybe = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
export const List = <S extends TSchema>(schema: S) => Type.Array(schema)

export const ModeField = OneOf('sandbox', 'live')

export const emptyObject = Fields({})
