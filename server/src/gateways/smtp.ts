import { createTransport } from 'nodemailer'
import { type MessageCarrier, preparedMessages } from '../modules/messages/index.ts'

/** The server refused the mail, or no connection was made. A connection that broke may have carried the mail. */
function wasNotTaken(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const { responseCode, syscall, timeoutType, code } = error as Error & Record<string, unknown>
  return (
    typeof responseCode === 'number' ||
    syscall === 'connect' ||
    timeoutType === 'CONNECT_TIMEOUT' ||
    timeoutType === 'GREETING_TIMEOUT' ||
    code === 'EDNS'
  )
}

/** `url` is SMTP_URL. Certificates are verified. */
export function smtpCarrier(url: string, from: string): MessageCarrier & { close(): void } {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 4,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  })
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'risiti.test'
  const address = /<([^>]+)>/.exec(from)?.[1] ?? from
  return {
    textsPhones: false,
    reachesPeople: true,
    async carry({ id, to, subject, text, html, attachments, createdAt, fromName, replyTo, language }) {
      const sent = transport.sendMail({
        from: fromName === undefined ? from : { name: fromName.replace(/\p{Cc}+/gu, ' '), address },
        ...(replyTo !== undefined && { replyTo }),
        ...(language !== undefined && { headers: { 'Content-Language': language } }),
        to,
        subject,
        text,
        html,
        date: createdAt,
        // Identical for every attempt, so that mail programs show a repeated mail once.
        messageId: `<${id}@${domain}>`,
        attachments: attachments.map(({ filename, contentType, base64, cid }) => ({
          filename,
          ...(cid !== undefined && { cid, contentDisposition: 'inline' as const }),
          contentType,
          content: base64,
          encoding: 'base64',
        })),
      })
      await sent.catch((error: unknown) => {
        throw wasNotTaken(error) ? new preparedMessages.MessageNotTaken(error.message, { cause: error }) : error
      })
    },
    close: () => transport.close(),
  }
}
