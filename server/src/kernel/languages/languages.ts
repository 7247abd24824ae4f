/** A language of documents, public pages and mails to buyers, by its ISO 639-1 code. */
export const languages = {
  en: { name: 'English', locale: 'en-GB', direction: 'ltr' },
  fr: { name: 'Français', locale: 'fr', direction: 'ltr' },
  ha: { name: 'Hausa', locale: 'ha', direction: 'ltr' },
  yo: { name: 'Yorùbá', locale: 'yo', direction: 'ltr' },
  ig: { name: 'Igbo', locale: 'ig', direction: 'ltr' },
  pt: { name: 'Português', locale: 'pt-PT', direction: 'ltr' },
  // Latin digits: amounts and numbers can be compared with a bank's and copied into its forms.
  ar: { name: 'العربية', locale: 'ar-u-nu-latn', direction: 'rtl' },
} as const satisfies Readonly<Record<string, LanguageFacts>>

interface LanguageFacts {
  /** as its speakers write it */
  readonly name: string
  /** for numbers, dates and names of countries and currencies */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
}

export type Language = keyof typeof languages
export const languageCodes = Object.keys(languages) as Language[]

/** The language of buyers who have none. */
export const standardLanguage: Language = 'en'

/** `undefined` if the text is no code of a language that we have. */
export const languageIn = (code: unknown): Language | undefined => languageCodes.find((known) => known === code)
