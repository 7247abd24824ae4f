import { describe, expect, test } from 'vitest'
import { isProse } from '../plain-text.ts'
import { aboutField, writtenFieldNames } from '../written-fields.ts'
import type { PluralForms, TextKey } from './catalogue.ts'
import { en } from './en.ts'
import { type Language, languageCodes, languages } from './languages.ts'
import { asDocumentText, catalogues, wordingOf } from './wording.ts'

const others = languageCodes.filter((code) => code !== 'en')
const namesIn = (text: string): string[] => [...new Set(text.match(/\{[^}]*\}/g) ?? [])].sort()
const formsOf = (text: string | PluralForms): string[] => (typeof text === 'string' ? [text] : Object.values(text))

/** The catalogue of a language with the labels of the written fields. */
const wordsOf = (code: Language): Readonly<Record<string, string | PluralForms>> => ({
  ...catalogues[code],
  ...Object.fromEntries(writtenFieldNames.map((name) => [`label of ${name}`, aboutField(name).label[code]])),
})

test('a label of a written field without a language does not compile', () => {
  const { ar: _, ...rest } = aboutField('contractReference').label
  // @ts-expect-error: the label in Arabic is missing
  const label: ReturnType<typeof aboutField>['label'] = rest
  expect(Object.keys(label)).toHaveLength(languageCodes.length - 1)
})

/** Words that are the same in English and in this language, or international. */
const sameAsEnglish: Readonly<Record<Exclude<Language, 'en'>, readonly string[]>> = {
  fr: [
    'Logo',
    'Date',
    'Minute',
    'Page',
    'Page {page} of {pages}',
    'Litre',
    'Tonne',
    '{seller} via Risiti',
    'Total',
    'Version {version}',
  ],
  pt: ['Subtotal', 'Total', '{seller} via Risiti'],
  ha: [],
  yo: [],
  ig: ['Gram', 'Kilogram'],
  ar: [],
}

describe.each(others)('the catalogue %s', (code) => {
  const catalogue = wordsOf(code)
  const english = wordsOf('en')

  test('has the keys of the English one, in its order', () => {
    expect(Object.keys(catalogues[code])).toEqual(Object.keys(en))
  })

  test('has the placeholders of the English one, and no empty or untidy text', () => {
    for (const [key, text] of Object.entries(catalogue)) {
      const wanted = namesIn(formsOf(english[key] as PluralForms).at(-1) as string)
      expect(namesIn(formsOf(text).at(-1) as string), key).toEqual(wanted)
      for (const form of formsOf(text)) {
        expect(form, key).toBe(form.trim().normalize('NFC'))
        expect(form, key).not.toBe('')
        expect(form, key).not.toMatch(/\s{2}/)
        for (const name of namesIn(form)) expect(wanted, key).toContain(name)
      }
    }
  })

  test('has a form for each plural category that whole numbers need', () => {
    const rules = new Intl.PluralRules(languages[code].locale)
    const needed = [...new Set(Array.from({ length: 1_000 }, (_, number) => rules.select(number)))].sort()
    for (const [key, text] of Object.entries(catalogue))
      if (typeof text !== 'string') expect(Object.keys(text).sort(), key).toEqual(needed)
  })

  test('is translated', () => {
    const same = Object.entries(catalogue).filter(([key, text]) => text === english[key])
    const unexplained = same.filter(([, text]) => !sameAsEnglish[code].includes(text as string))
    expect(unexplained).toEqual([])
  })
})

test.each(languageCodes)('the catalogue %s names no country, currency or authority', (code) => {
  const text = JSON.stringify(wordsOf(code))
  expect(text).not.toMatch(/nigeria|naira|najeriya|nàìjíríà|نيجيريا|\b(NGN|NRS|IRN|TIN|FIRS)\b/i)
})

/** Letters that the language does not write. Short words in capitals and brackets of values are left out. */
const foreignLetters = { ha: /[pqvx]/, yo: /[cqvxz]/, ig: /[qx]|c(?!h)/ } as const
/** Letters that only this language has: without them, somebody typed on an English keyboard. */
const ownLetters = { ha: 'ɓɗƙ', yo: 'ẹọṣ', ig: 'ịọụ' } as const

test.each(['ha', 'yo', 'ig'] as const)('the catalogue %s is written with the letters of its language', (code) => {
  const texts = Object.values(wordsOf(code)).flatMap(formsOf)
  const written = texts
    .join(' ')
    .normalize('NFD')
    .replace(/\{[^}]*\}|\b[A-Z]{2,}\b|Risiti/g, '')
    .normalize('NFC')
    .toLowerCase()
  const words = written.split(/[^\p{L}\p{M}’]+/u)
  expect(words.filter((word) => foreignLetters[code].test(word.normalize('NFD')))).toEqual([])
  for (const letter of ownLetters[code]) expect(written.normalize('NFD')).toContain(letter.normalize('NFD'))
})

describe('numbers and dates', () => {
  const rows: Record<Language, readonly [amount: string, money: string, quantity: string, day: string]> = {
    en: ['−1,234,567.50', '₦1,234.50', '7.5', '3 August 2026'],
    fr: ['−1\u202f234\u202f567,50', '1\u202f234,50\u00a0₦', '7,5', '3 août 2026'],
    ha: ['−1,234,567.50', '₦1,234.50', '7.5', '3 Agusta, 2026'],
    yo: ['−1,234,567.50', '₦1,234.50', '7.5', '3 Oṣù Ògún 2026'],
    ig: ['−1,234,567.50', '₦1,234.50', '7.5', '3 Ọgọọst 2026'],
    pt: ['−1\u00a0234\u00a0567,50', '1\u00a0234,50\u00a0₦', '7,5', '3 de agosto de 2026'],
    ar: ['−1,234,567.50', '₦1,234.50', '7.5', '3 أغسطس 2026'],
  }
  test.each(languageCodes)('in %s', (code) => {
    const wording = wordingOf(code)
    const [amount, money, quantity, day] = rows[code]
    expect(wording.amount(-123_456_750n, 'NGN')).toBe(amount)
    expect(wording.money(123_450n, 'NGN')).toBe(money)
    expect(wording.quantity({ units: 750n, scale: 2 })).toBe(quantity)
    expect(wording.day('2026-08-03')).toBe(day)
    expect(wording.day('soon')).toBe('soon')
  })

  test('an amount beyond the numbers of the machine stays exact', () => {
    expect(wordingOf('fr').amount(12_345_678_901_234_567_890_12n, 'NGN').replace(/\s/g, '')).toBe(
      '12345678901234567890,12',
    )
  })

  test('a currency without a clear symbol is written as its code', () => {
    expect(wordingOf('fr').money(123_450n, 'XOF')).toBe('123\u202f450\u00a0XOF')
    expect(wordingOf('ar').money(-123_450n, 'USD')).toMatch(/^−(US\$|\$|USD\u00a0)1,234\.50$/)
  })
})

test('parts of a line keep their order and direction', () => {
  expect(wordingOf('fr').join(['TIN 1', null, '', 'RC 2'])).toBe('TIN 1 · RC 2')
  expect(wordingOf('ar').join(['TIN 1', undefined])).toBe('TIN 1')
  expect(wordingOf('ar').join(['TIN 1', 'RC 2'])).toBe('\u200f\u2068TIN 1\u2069 · \u2068RC 2\u2069')
  expect(wordingOf('en').join([])).toBe('')
})

test.each(['مكتبة النور', 'דפוס', 'ߒߞߏ', '𞤀𞤣𞤤𞤢𞤥'])(
  '%s in English text is isolated, so that a date after it stays behind it',
  (seller) => {
    const said = wordingOf('en').say('mail.statement.subject', { seller, from: '1 May 2026', to: '31 May 2026' })
    expect(said).toBe(`Statement of account from \u2068${seller}\u2069, 1 May 2026 to 31 May 2026`)
    expect(wordingOf('fr').labelled('N°', seller)).toBe(`N° \u2068${seller}\u2069`)
  },
)

test('a text that becomes part of a document has no marks that the API refuses', () => {
  const said = wordingOf('ar').say('offer.deposit_deducted', { amount: '₦1,234.50', number: 'PP000001' })
  expect(isProse(said)).toBe(false)
  expect(isProse(asDocumentText(said))).toBe(true)
  expect(asDocumentText(said)).toContain('\u200e₦1,234.50\u200e')
})

test('values in Arabic text are isolated, unless they are plain figures', () => {
  const wording = wordingOf('ar')
  const said = wording.say('mail.sent', { seller: 'Acme \u2067Ltd', document: 'INV-7' })
  expect(said).toContain('\u2068Acme Ltd\u2069')
  // Otherwise the symbol would move to the other side of the number, and a number with dashes would be reversed.
  expect(wording.say('mail.amount_to_pay', { amount: '₦1,234.50' })).toContain('\u2068₦1,234.50\u2069')
  expect(wording.labelled('رقم', '12345678-0001')).toBe('رقم \u206812345678-0001\u2069')
  const document = wording.labelled('فاتورة', '2026-0042')
  expect(wording.say('mail.sent', { seller: 'Acme', document })).toContain('\u2068فاتورة \u20682026-0042\u2069\u2069')
  expect(wording.labelled('رقم', '1,234.50')).toBe('رقم 1,234.50')
  expect(wordingOf('fr').labelled('N°', '12345678-0001')).toBe('N° 12345678-0001')
  expect(wordingOf('fr').say('mail.amount_to_pay', { amount: 'INV-7' })).not.toMatch(/[\u2066-\u2069]/)
})

test('counted texts take the form of their number', () => {
  const late = (code: Language, days: number) => wordingOf(code).count('mail.was_due', days, { amount: '1', date: '2' })
  expect(late('en', 1)).toContain('yesterday')
  expect(late('en', 2)).toContain('2 days ago')
  expect([1, 2, 3, 11, 100].map((days) => late('ar', days).split('، ')[1])).toEqual([
    'أي أمس.',
    'قبل يومين.',
    'قبل 3 أيام.',
    'قبل 11 يوما.',
    'قبل 100 يوم.',
  ])
})

test('a key of the program is found only if the catalogue has it', () => {
  expect(wordingOf('fr').find('unit.HUR')).toBe('Heure')
  expect(wordingOf('fr').find('unit.XYZ')).toBeUndefined()
  expect(wordingOf('fr').find('toString')).toBeUndefined()
  expect(wordingOf(null).say('title.invoice' satisfies TextKey)).toBe('Invoice')
})
