const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => escapes[char] as string)

export interface Contents {
  /** in whose name it is written; ours unless said */
  readonly sender?: string
  readonly greeting: string
  readonly paragraphs: readonly string[]
  /** shown large, to be typed somewhere */
  readonly code?: string
  /** a page that leads on */
  readonly link?: { readonly words: string; readonly href: string }
  /** small print below */
  readonly closing?: string
}

/** The same words as plain text and as a simple HTML page that every mail program shows well. */
export function compose(contents: Contents): { text: string; html: string } {
  const { sender = 'Risiti', greeting, paragraphs, code, link, closing } = contents
  const text = [
    greeting,
    ...(code === undefined ? [] : [code]),
    ...paragraphs,
    ...(link === undefined ? [] : [`${link.words}: ${link.href}`]),
    ...(closing === undefined ? [] : [closing]),
    sender,
  ].join('\n\n')
  const p = (words: string, style = '') => `<p style="margin:0 0 16px;${style}">${escapeHtml(words)}</p>`
  const body = [
    p(greeting),
    ...(code === undefined
      ? []
      : [p(code, 'font:600 28px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:4px;color:#0b5d3b')]),
    ...paragraphs.map((words) => p(words)),
    ...(link === undefined
      ? []
      : [
          `<p style="margin:0 0 16px"><a href="${escapeHtml(link.href)}" style="color:#0b5d3b;font-weight:600">${escapeHtml(link.words)}</a></p>`,
        ]),
    ...(closing === undefined ? [] : [p(closing, 'color:#5b6660;font-size:13px')]),
  ]
  const html = `<!doctype html><html lang="en"><body style="margin:0;background:#f4f6f5;font:15px/1.55 -apple-system,'Segoe UI',Roboto,Arial,sans-serif;color:#17211c"><div style="max-width:520px;margin:0 auto;padding:32px 24px"><div style="background:#fff;border-radius:12px;padding:28px 28px 12px"><p style="margin:0 0 20px;font-weight:700;color:#0b5d3b">${escapeHtml(sender)}</p>${body.join('')}</div></div></body></html>`
  return { text, html }
}
