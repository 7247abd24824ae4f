import { html } from '../reference/markup.ts'
import { wholePage } from '../shared-page/page.ts'

/** For a person whose program sent the browser here with a request that cannot be used. */
export const faultPage = (description: string): string =>
  wholePage(
    'This program cannot be connected',
    html`<main class="sheet lost">
<h1>This program cannot be connected</h1>
<p>${description}</p>
<p>Nothing was allowed. Close this page, and tell whoever makes the program.</p>
</main>`,
  )
