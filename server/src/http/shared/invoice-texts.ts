import Type, { type TOptional } from 'typebox'
import {
  aboutText,
  type InvoiceTextName,
  type InvoiceTexts,
  invoiceTextNames,
  type invoiceTexts,
} from '../../kernel/invoice-texts.ts'
import { Maybe, means, Prose, Text } from '../definitions/fields.ts'

type FormName = 'A' | 'B'
type NameIn<F extends FormName> = {
  [Name in InvoiceTextName]: F extends (typeof invoiceTexts)[Name]['forms'][number] ? Name : never
}[InvoiceTextName]

const MaybeText = Maybe(Type.String())

const ofForm = <F extends FormName, Value>(form: F, make: (name: InvoiceTextName) => Value) =>
  Object.fromEntries(
    invoiceTextNames.filter((name) => aboutText(name).forms.includes(form)).map((name) => [name, make(name)]),
  ) as { [Name in NameIn<F>]: Value }

/** The fields of a request for the texts that a form accepts. */
export const textFields = <F extends FormName>(form: F) =>
  ofForm(form, (name): TOptional<typeof MaybeText> => {
    const { description, kind, maxLength } = aboutText(name)
    return Type.Optional(means(description, Maybe(kind === 'line' ? Text(0, maxLength) : Prose(0, maxLength))))
  })

/** The fields of a reply for the texts that a form shows. */
export const textViews = <F extends FormName>(form: F) =>
  ofForm(form, (name) => means(`${aboutText(name).description} Null if not set.`, MaybeText))

export const toTexts = <F extends FormName>(form: F, invoice: InvoiceTexts) => ofForm(form, (name) => invoice[name])

/** The texts that were sent. */
export const sentTexts = (body: { readonly [Name in InvoiceTextName]?: string | null }): Partial<InvoiceTexts> =>
  Object.fromEntries(invoiceTextNames.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))
