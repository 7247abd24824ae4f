/**
 * Characters that let one text pass for another: control characters, direction marks and invisible characters. Letters
 * of every script and their joiners are allowed.
 */
const turning = '\\u202A-\\u202E\\u2066-\\u2069'
/** Zero-width spaces, fillers and tags. */
const unseen =
  '\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u200B\\u2060-\\u2064\\u3164\\uFEFF\\uFFA0\\uFFF9-\\uFFFB\\u{E0000}-\\u{E007F}'
const notInLine = new RegExp(`[\\p{Cc}\\u061C\\u200E\\u200F\\u2028\\u2029${turning}${unseen}]`, 'u')
const notInProse = new RegExp(`[\\p{Cc}${turning}]`, 'u')
const breaks = /[\t\n\r]/g

/** Joiners, soft hyphens, marks without a letter and the empty Braille pattern: a text of these alone looks blank. */
const looksBlank = /^\s*[\p{Cf}\p{Mn}\p{Me}\u2800][\s\p{Cf}\p{Mn}\p{Me}\u2800]*$/u

/** For words to search for, and for fields that may be empty: one line, without hidden characters. */
export const isBlankOrSingleLine = (text: string): boolean => !notInLine.test(text)

/** For names, numbers and references: one line in which something can be seen. */
export const isSingleLine = (text: string): boolean => isBlankOrSingleLine(text) && !looksBlank.test(text)

/** For remarks and descriptions, which can have several lines. */
export const isProse = (text: string): boolean => !notInProse.test(text.replace(breaks, ' '))

const everyBadMark = new RegExp(notInLine, 'gu')

/** Cleans text that a client sends unasked, such as a header: one line, cut to a length. */
export const asSingleLine = (text: string, most: number): string => text.slice(0, most).replace(everyBadMark, ' ')
