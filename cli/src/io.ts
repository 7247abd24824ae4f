import type { ListenTimes } from './listen/follow.ts'

/** What a command uses of its process. Tests give their own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  /** data, and nothing else */
  out(text: string): void
  /** everything for people: notices, progress, errors */
  note(text: string): void
  /** whether a person reads stdout */
  readonly isTerminal: boolean
  /** stdin, piece by piece */
  input(): AsyncIterable<string>
  /** aborts when the person interrupts the command */
  readonly signal: AbortSignal
  /** opens an address in the browser; returns whether that worked */
  open(url: string): Promise<boolean>
  /** how long `listen` waits and pauses, if it is not the usual */
  readonly listenTimes?: ListenTimes | undefined
}

export async function textOfInput(io: Pick<Io, 'input'>): Promise<string> {
  let text = ''
  for await (const piece of io.input()) text += piece
  return text
}

/** Control and invisible characters in text from outside could move the cursor or change the terminal. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, ' ')
