import type { Form } from '../definitions/form.ts'
import { badge } from './elements.ts'
import { chaptersOf } from './introduction.ts'
import { html, type Markup } from './markup.ts'
import type { Reference } from './reference.ts'
import { addressOf } from './served-operations.ts'

/** The contents of a form's reference. Only the resource that is shown lists its operations. */
export function sidebar({ form, others, groups, eventGroups }: Reference, shown?: string): Markup {
  const docs = `${form.prefix}/docs`
  return html`<header class="sidebar">
<a class="brand" href="${docs}">${form.title}</a>
<div class="tools" hidden><label for="filter">Search</label><input id="filter" type="search" autocomplete="off" data-index="${docs}/index.json">
<p id="filtered" role="status"></p><ul id="found"></ul></div>
<div class="tools" hidden><label for="token">Token for the samples</label><input id="token" autocomplete="off" spellcheck="false"></div>
<details class="menu">
<summary>Contents</summary>
<nav aria-label="Contents">
<p class="nav-title">Start here</p>
<ul><li><a href="/guides">Guides</a></li>${chaptersOf(others).map(([id, title]) => html`<li><a href="${docs}#${id}">${title}</a></li>`)}</ul>
<p class="nav-title">Resources</p>
<ul>${groups.map(
    (group) =>
      html`<li>${entry(`${docs}/${group.name}`, group.title, group.name === shown)}${
        group.name === shown && operationList(group.served, form)
      }</li>`,
  )}
${
  eventGroups.length > 0 &&
  html`<li>${entry(`${docs}/events`, 'Webhook events', shown === 'events')}${
    shown === 'events' &&
    html`<ul>${eventGroups.map(({ name, title }) => html`<li><a href="${docs}/events/${name}">${title}</a></li>`)}</ul>`
  }</li>`
}</ul>
</nav>
</details>
</header>`
}

const entry = (href: string, title: string, isShown: boolean): Markup =>
  isShown ? html`<a href="${href}" aria-current="true">${title}</a>` : html`<a href="${href}">${title}</a>`

const operationList = (served: Reference['groups'][number]['served'], form: Form): Markup =>
  html`<ul>${served.map(
    (one) =>
      html`<li><a href="${addressOf(one, form)}"><span>${one.operation.summary}</span>${badge(one.method)}</a></li>`,
  )}</ul>`
