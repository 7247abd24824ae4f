import type { en } from './en.ts'

/** The forms of a text for numbers, by the plural categories of its language. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

type English = typeof en

export type TextKey = { [Key in keyof English]: English[Key] extends string ? Key : never }[keyof English]
export type CountedKey = Exclude<keyof English, TextKey>

/** All words of one language. The compiler refuses a catalogue that lacks a text. */
export type Catalogue = { readonly [Key in TextKey]: string } & { readonly [Key in CountedKey]: PluralForms }

/** The names in braces in a text. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
type FormsOf<Key extends CountedKey> = English[Key] extends { readonly other: infer Text extends string } ? Text : never

/** The values that a text needs, by the names in its braces. */
export type ValuesOf<Key extends TextKey> = { readonly [Name in NamesIn<English[Key]>]: string | number }
export type CountedValuesOf<Key extends CountedKey> = {
  readonly [Name in Exclude<NamesIn<FormsOf<Key>>, 'count'>]: string | number
}
