/** What a client of PostgreSQL has sent: the letter that says what it is, and what follows its length. */
export interface FrontendMessage {
  readonly type: string
  readonly body: Buffer
}

const lengthBytes = 4

/** Takes what a client sends, cut wherever the network cut it, and tells of every whole message. The first has no letter: it opens the connection. */
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

/** The name that a statement is prepared under, which is empty for one that is not kept; nothing for messages that bring no statement. */
export function statementName({ type, body }: FrontendMessage): string | undefined {
  if (type === 'Q') return ''
  return type === 'P' ? body.toString('utf8', 0, body.indexOf(0)) : undefined
}
