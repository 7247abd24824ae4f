export interface Attachment {
  readonly filename: string
  readonly contentType: string
  readonly base64: string
  /** Name for references in the HTML. Such an attachment is shown in the mail, not beside it. */
  readonly cid?: string
}

export interface MessageBody {
  /** ISO 639-1 code of the language that it is written in; not said if absent. */
  readonly language?: string
  /** Sender's name with our address; ours if absent. */
  readonly fromName?: string
  readonly replyTo?: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: readonly Attachment[]
}

/** A mail or text message. `id` is the same at every attempt; carriers derive the Message-ID from it. */
export interface OutgoingMessage extends MessageBody {
  readonly id: string
  readonly channel: 'email' | 'sms'
  readonly to: string
  readonly createdAt: Date
}

/** The carrier knows that the message did not leave. After any other failure the message may have reached the recipient. */
export class MessageNotTaken extends Error {}

/** Carries messages to people. If `carry` throws, the message must be retried. */
export interface MessageCarrier {
  /** False if this carrier cannot send text messages. */
  readonly textsPhones: boolean
  /** True if mail reaches its recipients, false if only developers can see it. */
  readonly reachesPeople: boolean
  carry(message: OutgoingMessage): Promise<void>
}

declare module '../../platform/operations/ports.ts' {
  interface Ports {
    readonly messageCarrier: MessageCarrier
  }
}
