import { html, type Markup } from '../reference/markup.ts'
import { codeOf, excerptOf, linksOf, type MailboxMessage } from './contents.ts'

const home = '/dev/mailbox'
export const scriptPath = `${home}/page.js`
export const stylesheetPath = `${home}/page.css`

const pathOfRecipient = (recipient: string) => `${home}?to=${encodeURIComponent(recipient)}`

export interface MailboxView {
  /** newest first */
  readonly messages: readonly MailboxMessage[]
  /** everybody with a message, for the choice */
  readonly recipients: readonly string[]
  readonly to: string | undefined
}

/** All messages, or those to one recipient. The script copies codes and reloads the page for a new message. */
export function mailboxPage({ messages, recipients, to }: MailboxView): string {
  return wholePage(
    to === undefined ? 'Playground mailbox' : `Mail to ${to} · Playground mailbox`,
    html`<main data-newest="${messages[0]?.id ?? ''}">
<h1>Playground mailbox</h1>
<p class="soft">This installation sends no email. Its emails and text messages are here, the newest first. Programs get them as JSON from the same address.</p>
${recipientForm(recipients, to)}
${messages.length === 0 ? html`<p class="empty" role="status">${to === undefined ? 'No messages yet.' : `No messages to ${to} yet.`} New ones appear here by themselves.</p>` : html`<ol class="mails">${messages.map(listItem)}</ol>`}
</main>`,
  )
}

/** One message: its code, its text with links, and its HTML in a frame without rights. */
export function mailPage(message: MailboxMessage): string {
  const { id, channel, fromName, replyTo, subject, text, html: body, attachments } = message
  const files = attachments.flatMap((file, index) =>
    file.cid === undefined ? [html`<li><a href="${home}/${id}/attachments/${index}">${file.filename}</a></li>`] : [],
  )
  return wholePage(
    `${subject} · Playground mailbox`,
    html`<main>
<p class="back"><a href="${home}">All messages</a></p>
<h1>${subject}</h1>
${messageFacts(message)}
${fromName !== undefined && html`<p class="soft">From ${fromName}</p>`}
${replyTo !== undefined && html`<p class="soft">Replies go to ${replyTo}</p>`}
${codeBlock(message)}
${files.length > 0 && html`<section><h2>Attachments</h2><ul>${files}</ul></section>`}
<section><h2>As text</h2><p class="text">${withLinks(text)}</p></section>
${channel === 'email' && body !== '' && html`<section><h2>As HTML</h2><iframe title="The mail as HTML" src="${home}/${id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe></section>`}
</main>`,
  )
}

const recipientForm = (
  recipients: readonly string[],
  to: string | undefined,
): Markup => html`<form method="get" action="${home}">
<label for="to">Recipient</label>
<select id="to" name="to"><option value="">Everybody</option>${[
  ...new Set([...(to === undefined ? [] : [to]), ...recipients]),
].map((recipient) => html`<option${recipient === to && html` selected`}>${recipient}</option>`)}</select>
<button>Show</button>
${to !== undefined && html`<a href="${home}">Show everybody</a>`}
</form>`

function listItem(message: MailboxMessage): Markup {
  const { id, subject, text } = message
  const links = linksOf(text)
  const excerpt = excerptOf(message)
  return html`<li class="mail">
<h2><a href="${home}/${id}">${subject}</a></h2>
${messageFacts(message)}
${codeBlock(message)}
${excerpt !== subject && html`<p class="excerpt">${excerpt}</p>`}
${links.length > 0 && html`<p class="links">${links.map(({ words, href }) => html`<a href="${href}" target="_blank" rel="noreferrer">${words}</a> `)}</p>`}
</li>`
}

function messageFacts({ channel, to, createdAt, attachments }: MailboxMessage): Markup {
  const files = attachments.filter(({ cid }) => cid === undefined).length
  return html`<p class="soft">To <a href="${pathOfRecipient(to)}">${to}</a> · <time datetime="${createdAt.toISOString()}">${createdAt.toUTCString()}</time>${channel === 'sms' && ' · Text message'}${files > 0 && ` · ${files === 1 ? '1 attachment' : `${files} attachments`}`}</p>`
}

function codeBlock(message: MailboxMessage): Markup {
  const code = codeOf(message)
  return html`${code !== undefined && html`<p class="code"><span>${code}</span> <button type="button" data-copy="${code}" hidden>Copy the code</button></p>`}`
}

/** The text with its addresses as links. Everything else stays text. */
const withLinks = (text: string): Markup[] =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((piece, index) =>
      index % 2 === 1 ? html`<a href="${piece}" target="_blank" rel="noreferrer">${piece}</a>` : html`${piece}`,
    )

const wholePage = (title: string, body: Markup): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${stylesheetPath}">
<script src="${scriptPath}" defer></script>
</head>
<body>
${body}
</body>
</html>
`.text
