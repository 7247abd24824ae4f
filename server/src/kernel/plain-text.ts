/**
 * What must not stand in text that others read: control characters, and marks that turn the direction of writing, with which one text
 * passes for another. Letters of every script are welcome, and so are the joiners that some of them need.
 */
const turning = '\\u202A-\\u202E\\u2066-\\u2069'
const notInLine = new RegExp(`[\\p{Cc}\\u061C\\u200E\\u200F\\u2028\\u2029${turning}]`, 'u')
const notInProse = new RegExp(`[\\p{Cc}${turning}]`, 'u')
const breaks = /[\t\n\r]/g

/** A name, a number, a reference: one line, and what is seen is what is there. */
export const isSingleLine = (text: string): boolean => !notInLine.test(text)

/** Notes and descriptions, which may go over several lines. */
export const isProse = (text: string): boolean => !notInProse.test(text.replace(breaks, ' '))

const everyBadMark = new RegExp(notInLine, 'gu')

/** Text that somebody sends along without being asked: as one line, and not longer than this. */
export const asSingleLine = (text: string, most: number): string => text.slice(0, most).replace(everyBadMark, ' ')
