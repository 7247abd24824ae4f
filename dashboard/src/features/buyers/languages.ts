import type { Language } from '@risiti/sdk'

/** The languages of documents, shared pages and mails, each also in its own words. */
export const languageWords: Readonly<Record<Language, string>> = {
  en: 'English',
  fr: 'French (Français)',
  ha: 'Hausa',
  yo: 'Yoruba (Yorùbá)',
  ig: 'Igbo',
  pt: 'Portuguese (Português)',
  ar: 'Arabic (العربية)',
}

/** The language of buyers who have none. */
export const standardLanguage: Language = 'en'
