import type { readMailbox } from '../../modules/messages/index.ts'

/** An email or a text message. */
export type MailboxMessage = Awaited<ReturnType<typeof readMailbox>>[number]

/** The code to type elsewhere: it stands on a line of its own, or somewhere in a text message. */
export function codeOf({ channel, text }: Pick<MailboxMessage, 'channel' | 'text'>): string | undefined {
  const code = channel === 'sms' ? /\b\d{6}\b/ : /^(?:\d{6}|(?:[A-Z0-9]{4}-){1,2}[A-Z0-9]{4})$/m
  return code.exec(text)?.[0]
}

export interface MailLink {
  readonly words: string
  readonly href: string
}

/** The links of a mail. Each one is a paragraph: words, a colon and the address. */
export const linksOf = (text: string): MailLink[] =>
  [...text.matchAll(/^(.+): (https?:\/\/\S+)$/gm)].map(([, words, href]) => ({ words, href }) as MailLink)

const longestExcerpt = 180

/** The first words of a mail after its greeting, without its code and its links. */
export function excerptOf({ channel, text }: Pick<MailboxMessage, 'channel' | 'text'>): string {
  const paragraphs = text.split(/\n+/).filter((line) => line !== '' && !/https?:\/\//.test(line))
  const code = codeOf({ channel, text })
  const words = paragraphs.slice(channel === 'email' ? 1 : 0).filter((line) => line !== code)
  const excerpt = words.join(' ')
  return excerpt.length <= longestExcerpt ? excerpt : `${excerpt.slice(0, longestExcerpt - 1).trimEnd()}…`
}

/** The HTML of a mail for a frame: attached pictures are part of the page, and links open a new tab. */
export function framedHtml({ html, attachments }: Pick<MailboxMessage, 'html' | 'attachments'>): string {
  let framed = html
  for (const { cid, contentType, base64 } of attachments)
    if (cid !== undefined) framed = framed.replaceAll(`"cid:${cid}"`, `"data:${contentType};base64,${base64}"`)
  return framed.includes('<body') ? framed.replace('<body', '<base target="_blank"><body') : framed
}
