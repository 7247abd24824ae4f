/** A message of a PostgreSQL client: its type letter and its body. */
export interface FrontendMessage {
  readonly type: string
  readonly body: Buffer
}

const lengthBytes = 4

/**
 * Collects the chunks of a client and calls back for every complete message. The first message has no letter, because
 * it opens the connection.
 */
export function messageReader(hear: (message: FrontendMessage) => void): (chunk: Buffer) => void {
  let unread: Buffer = Buffer.alloc(0)
  let isOpened = false
  return (chunk) => {
    unread = Buffer.concat([unread, chunk])
    for (;;) {
      const letters = isOpened ? 1 : 0
      if (unread.length < letters + lengthBytes) return
      const end = letters + unread.readInt32BE(letters)
      if (unread.length < end) return
      if (isOpened)
        hear({ type: String.fromCharCode(unread[0] as number), body: unread.subarray(letters + lengthBytes, end) })
      isOpened = true
      unread = unread.subarray(end)
    }
  }
}

/** The name of a prepared statement, empty for an unnamed one. `undefined` for messages without a statement. */
export function statementName({ type, body }: FrontendMessage): string | undefined {
  if (type === 'Q') return ''
  return type === 'P' ? body.toString('utf8', 0, body.indexOf(0)) : undefined
}
