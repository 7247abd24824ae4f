import Type, { type TOptional } from 'typebox'
import {
  aboutField,
  type DayName,
  type WrittenFieldName,
  type WrittenFields,
  writtenFieldNames,
  type writtenFields,
} from '../../kernel/written-fields.ts'
import { Day, Maybe, means, Prose, Text } from '../definitions/fields.ts'

type FormName = 'A' | 'B'
type NameIn<F extends FormName> = {
  [Name in WrittenFieldName]: F extends (typeof writtenFields)[Name]['forms'][number] ? Name : never
}[WrittenFieldName]

const MaybeText = Maybe(Type.String())
const MaybeDay: typeof MaybeText = Maybe(Day)

const ofForm = <F extends FormName, Value>(form: F, make: (name: WrittenFieldName) => Value) =>
  Object.fromEntries(
    writtenFieldNames.filter((name) => aboutField(name).forms.includes(form)).map((name) => [name, make(name)]),
  ) as { [Name in NameIn<F>]: Value }

/** The fields of a request for the written fields that a form accepts. */
export const writtenInputs = <F extends FormName>(form: F) =>
  ofForm(form, (name): TOptional<typeof MaybeText> => {
    const about = aboutField(name)
    if (about.kind !== 'day') {
      const { description, kind, maxLength } = about
      return Type.Optional(means(description, Maybe(kind === 'line' ? Text(0, maxLength) : Prose(0, maxLength))))
    }
    const limit = about.notBefore === undefined ? '' : ` Not before \`${about.notBefore}\`.`
    return Type.Optional(means(`${about.description}${limit}`, MaybeDay))
  })

/** The fields of a reply for the written fields that a form shows. */
export const writtenViews = <F extends FormName>(form: F) =>
  ofForm(form, (name) => {
    const { description, kind } = aboutField(name)
    return means(`${description} Null if not set.`, kind === 'day' ? MaybeDay : MaybeText)
  })

export const toWrittenViews = <F extends FormName>(form: F, invoice: WrittenFields) =>
  ofForm(form, (name) => invoice[name])

/** The texts among the written fields. Schedules of recurring invoices have them, and no days. */
export const textsAmong = <Value>(fields: { readonly [Name in NameIn<'A'>]: Value }) =>
  Object.fromEntries(
    Object.entries(fields).filter(([name]) => aboutField(name as WrittenFieldName).kind !== 'day'),
  ) as { [Name in Exclude<NameIn<'A'>, DayName>]: Value }

/** The written fields that were sent. */
export const sentFields = (body: { readonly [Name in WrittenFieldName]?: string | null }): Partial<WrittenFields> =>
  Object.fromEntries(writtenFieldNames.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))
