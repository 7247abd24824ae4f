export interface Attachment {
  readonly filename: string
  readonly contentType: string
  readonly base64: string
}

export interface MessageBody {
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
