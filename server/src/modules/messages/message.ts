export interface Attachment {
  readonly filename: string
  readonly contentType: string
  readonly base64: string
  /** what the HTML calls it by, where it is shown there and not beside it */
  readonly cid?: string
}

export interface MessageBody {
  /** in whose name it comes, from our address; ours unless said */
  readonly fromName?: string
  /** whom an answer goes to */
  readonly replyTo?: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: readonly Attachment[]
}

/** A mail or a text on its way. `id` is the same at every attempt; carriers make the Message-ID of it. */
export interface OutgoingMessage extends MessageBody {
  readonly id: string
  readonly channel: 'email' | 'sms'
  readonly to: string
  readonly createdAt: Date
}

/** Whoever takes messages to people. Throwing means "not taken, try again". */
export interface MessageCarrier {
  /** whether it can reach phones at all */
  readonly textsPhones: boolean
  /** whether mail comes to those whom it is addressed to, or only lies where developers look */
  readonly reachesPeople: boolean
  carry(message: OutgoingMessage): Promise<void>
}

declare module '../../platform/operations/ports.ts' {
  interface Ports {
    readonly messageCarrier: MessageCarrier
  }
}
