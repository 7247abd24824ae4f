import type { Form } from '../kernel/form.ts'
import type { OpenApiDocument } from '../openapi/index.ts'
import { badge } from './elements.ts'
import { type DocumentedEvent, eventsMenu } from './events.ts'
import { chaptersOf } from './introduction.ts'
import { html } from './markup.ts'
import type { Group } from './served-operations.ts'

export const sidebar = (
  document: OpenApiDocument,
  groups: readonly Group[],
  events: readonly DocumentedEvent[],
  others: readonly Form[],
) => html`<header class="sidebar">
<a class="brand" href="#content">${document.info.title}</a>
<div class="tools" hidden><label for="filter">Filter</label><input id="filter" type="search" autocomplete="off">
<p id="filtered" role="status"></p></div>
<div class="tools" hidden><label for="token">Token for the samples</label><input id="token" autocomplete="off" spellcheck="false"></div>
<details class="menu">
<summary>Contents</summary>
<nav aria-label="Contents">
<p class="nav-title">Start here</p>
<ul>${chaptersOf(others).map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
${groups.map(
  (
    group,
  ) => html`<div data-group="tag-${group.name}"><p class="nav-title"><a href="#tag-${group.name}">${group.title}</a></p>
<ul>${group.served.map(
    ({ method, operation }) =>
      html`<li><a href="#${operation.operationId}"><span>${operation.summary}</span>${badge(method)}</a></li>`,
  )}</ul></div>`,
)}
${eventsMenu(events)}
</nav>
</details>
</header>`
