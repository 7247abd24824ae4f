import { createReadStream } from 'node:fs'
import { usage } from './failures.ts'
import type { Io } from './io.ts'

/** Nothing that the service takes is longer. A device such as `/dev/zero` has no end. */
const longestInput = 32 * 1024 * 1024

/** The text of stdin. */
export async function textOfInput(io: Pick<Io, 'input'>): Promise<string> {
  let text = ''
  for await (const piece of io.input()) {
    text += piece
    if (text.length > longestInput) throw usage(`stdin has more than ${longestInput} characters.`)
  }
  return text
}

/** The bytes of a file that a person named. */
export async function readGiven(path: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  try {
    for await (const piece of createReadStream(path)) {
      pieces.push(piece)
      length += piece.length
      if (length > longestInput) throw new Error(`it has more than ${longestInput} bytes`)
    }
  } catch (error) {
    throw usage(`${path} cannot be read: ${(error as Error).message}`)
  }
  return Buffer.concat(pieces)
}
