import type { ListenTimes } from './listen/times.ts'

/** What a command uses of its process. Tests give their own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  /** data, and nothing else */
  out(text: string): void
  /** everything for people: notices, progress, errors */
  note(text: string): void
  /** whether a person reads stdout */
  readonly isTerminal: boolean
  /** characters in a line of that person's terminal */
  readonly lineWidth?: number | undefined
  /** stdin, piece by piece */
  input(): AsyncIterable<string>
  /** aborts when the person interrupts the command */
  readonly signal: AbortSignal
  /** opens an address in the browser; returns whether that worked */
  open(url: string): Promise<boolean>
  /** how long `listen` waits and pauses, if it is not the usual */
  readonly listenTimes?: ListenTimes | undefined
}

/** Control and invisible characters in text from outside could move the cursor or change the terminal. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, ' ')

/** The same for whole lines: such a character is shown by its number, which is also correct inside JSON. */
const visible = (text: string): string =>
  text.replace(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, (sign) =>
    Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )

/** A text that a person reads cannot give orders to the terminal, even if a stranger wrote it. A program gets stdout as it is. */
export const forTerminals = (io: Io): Io => ({
  ...io,
  note: (text) => io.note(visible(text)),
  ...(io.isTerminal ? { out: (text: string) => io.out(visible(text)) } : {}),
})
