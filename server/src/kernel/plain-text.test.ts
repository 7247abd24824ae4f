import { expect, test } from 'vitest'
import { asSingleLine, isProse, isSingleLine } from './plain-text.ts'

const named = (text: string) => [JSON.stringify(text), text] as const

test.each(
  [
    'INV-7',
    'Adébáyọ̀ & Ṣadé',
    'مكتبة النور',
    'חנות ספרים',
    'نمی‌خواهم',
    'क्‍ष',
    '日本',
    '👩‍👧',
    'a\u00a0b',
    'a\u00adb',
    '',
  ].map(named),
)('%s is one line, and prose', (_, text) => {
  expect([isSingleLine(text), isProse(text)]).toEqual([true, true])
})

test.each(['a\nb', 'a\r\nb', 'a\tb', '\n', 'a\u200eb', 'a\u200fb', 'a\u061cb', 'a\u2028b', 'a\u2029b'].map(named))(
  '%s is no line, but prose',
  (_, text) => {
    expect([isSingleLine(text), isProse(text)]).toEqual([false, true])
  },
)

test.each(
  ['a\u200bb', '\ufeffINV-7', 'INV\u2060-7', '\u3164', '\uffa0', 'a\u180eb', 'a\ufff9b', 'a\u{e0041}b'].map(named),
)('%s shows less than it holds: no line, but prose', (_, text) => {
  expect([isSingleLine(text), isProse(text)]).toEqual([false, true])
})

test.each(['\u200d', '\ufe0f\u200d', ' \u00ad ', '\u0301', '\u034f', '\u2800', '\u200c\u2800'].map(named))(
  '%s looks blank: no line, but prose',
  (_, text) => {
    expect([isSingleLine(text), isProse(text)]).toEqual([false, true])
  },
)

test.each(
  ['a\0b', 'a\u0007b', 'a\u001b[31mb', 'a\u007fb', 'a\u0085b', 'a\u202eb', 'a\u202ab', 'a\u2066b', 'a\u2069b'].map(
    named,
  ),
)('%s is neither', (_, text) => {
  expect([isSingleLine(text), isProse(text)]).toEqual([false, false])
})

test('foreign text becomes a single line', () => {
  expect(asSingleLine('curl/8\r\n\u202ebad\u0085', 100)).toBe('curl/8   bad ')
  expect(asSingleLine('x'.repeat(20), 10)).toHaveLength(10)
})
