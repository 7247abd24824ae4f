/**
 * What must not stand in text that others read: control characters, marks that turn the direction of writing, and characters that nobody
 * sees, with all of which one text passes for another. Letters of every script are welcome, and so are the joiners that some of them need.
 */
const turning = '\\u202A-\\u202E\\u2066-\\u2069'
/** Spaces of no width, fillers in place of letters, and tags. */
const unseen =
  '\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u200B\\u2060-\\u2064\\u3164\\uFEFF\\uFFA0\\uFFF9-\\uFFFB\\u{E0000}-\\u{E007F}'
const notInLine = new RegExp(`[\\p{Cc}\\u061C\\u200E\\u200F\\u2028\\u2029${turning}${unseen}]`, 'u')
const notInProse = new RegExp(`[\\p{Cc}${turning}]`, 'u')
const breaks = /[\t\n\r]/g

/** A name, a number, a reference: one line, and what is seen is what is there. */
export const isSingleLine = (text: string): boolean => !notInLine.test(text)

/** Notes and descriptions, which may go over several lines. */
export const isProse = (text: string): boolean => !notInProse.test(text.replace(breaks, ' '))

const everyBadMark = new RegExp(notInLine, 'gu')

/** Text that somebody sends along without being asked: as one line, and not longer than this. */
export const asSingleLine = (text: string, most: number): string => text.slice(0, most).replace(everyBadMark, ' ')
