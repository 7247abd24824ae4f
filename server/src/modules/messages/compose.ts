import { type Wording, wordingOf } from '../../kernel/languages/wording.ts'
import { withoutLinks } from '../../kernel/links.ts'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => escapes[char] as string)

export interface Contents {
  /** The language that it is written in; English if absent. */
  readonly wording?: Wording
  /** Sender's name; ours if absent. */
  readonly sender?: string
  /** A picture attached to the mail, shown at its head instead of the sender's name. */
  readonly logoCid?: string
  /** absent if the paragraphs begin with one */
  readonly greeting?: string
  readonly paragraphs: readonly string[]
  /** Shown large, to be typed elsewhere. */
  readonly code?: string
  readonly link?: { readonly words: string; readonly href: string }
  /** Several links below each other. */
  readonly links?: readonly { readonly words: string; readonly href: string }[]
  /** What follows the links. */
  readonly after?: readonly string[]
  /** Small print below. */
  readonly closing?: string
}

/**
 * The same words as plain text and as simple HTML that every mail program shows well. Only `link` and `links` become
 * links, because names and other words may come from strangers.
 */
export function compose(contents: Contents): { text: string; html: string } {
  const { logoCid, code, link } = contents
  const links = (contents.links ?? []).map(({ words, href }) => ({ words: withoutLinks(words), href }))
  const { language, direction } = contents.wording ?? wordingOf('en')
  const written = direction === 'rtl' ? `lang="${language}" dir="rtl"` : `lang="${language}"`
  const sender = withoutLinks(contents.sender ?? 'Risiti')
  const greeting = contents.greeting === undefined ? [] : [withoutLinks(contents.greeting)]
  const paragraphs = contents.paragraphs.map(withoutLinks)
  const after = (contents.after ?? []).map(withoutLinks)
  const closing = contents.closing === undefined ? undefined : withoutLinks(contents.closing)
  const text = [
    ...greeting,
    ...(code === undefined ? [] : [code]),
    ...paragraphs,
    ...(link === undefined ? [] : [`${link.words}: ${link.href}`]),
    ...links.map(({ words, href }) => `${words}\n${href}`),
    ...after,
    ...(closing === undefined ? [] : [closing]),
    sender,
  ].join('\n\n')
  const p = (words: string, style = '') => `<p style="margin:0 0 16px;${style}">${escapeHtml(words)}</p>`
  const body = [
    ...greeting.map((words) => p(words)),
    ...(code === undefined
      ? []
      : [p(code, 'font:600 28px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:4px;color:#0b5d3b')]),
    ...paragraphs.map((words) => p(words)),
    ...(link === undefined
      ? []
      : [
          `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:4px 0 20px"><tr><td style="background:#0b5d3b;border-radius:8px"><a href="${escapeHtml(link.href)}" style="display:inline-block;padding:11px 20px;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(link.words)}</a></td></tr></table>`,
        ]),
    ...links.map(
      ({ words, href }) =>
        `<p style="margin:0 0 10px"><a href="${escapeHtml(href)}" style="color:#0b5d3b">${escapeHtml(words)}</a></p>`,
    ),
    ...after.map((words) => p(words)),
    ...(closing === undefined ? [] : [p(closing, 'color:#5b6660;font-size:13px')]),
  ]
  const name = escapeHtml(sender)
  const head = logoCid ? `<img src="cid:${logoCid}" alt="${name}" style="max-width:170px;max-height:46px">` : name
  const html = `<!doctype html><html ${written}><body style="margin:0;background:#f4f6f5;font:15px/1.55 -apple-system,'Segoe UI',Roboto,Arial,sans-serif;color:#17211c"><div style="max-width:520px;margin:0 auto;padding:32px 24px"><div style="background:#fff;border-radius:12px;padding:28px 28px 12px"><p style="margin:0 0 20px;font-weight:700;color:#0b5d3b">${head}</p>${body.join('')}<p style="margin:0 0 16px">${name}</p></div></div></body></html>`
  return { text, html }
}
