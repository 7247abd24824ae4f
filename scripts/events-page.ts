import type { DocumentedWebhook, OpenApiDocument } from '../server/src/http/openapi/document.ts'

const intro = `# Events

Every event that a webhook endpoint can receive, with its meaning and a sample. [Webhooks](webhooks.md) explains endpoints, signatures and retries. This page is generated from the
OpenAPI documents: run \`npm run openapi\` after a change.

A new event type, and a new field of a payload, can come with any version. So ignore what you do not know.
`

const familyOf = (name: string): string => name.split('.')[0] as string

/** The part of a sample that differs from event to event. */
function payloadOf({ requestBody }: DocumentedWebhook): unknown {
  const { example } = requestBody.content['application/json'] as { readonly example: { readonly data: unknown } }
  const data = example.data as { readonly object?: unknown }
  return data.object ?? data
}

const section = (name: string, webhook: DocumentedWebhook): string =>
  `#### ${name}\n\n${webhook.description}\n\n\`\`\`json\n${JSON.stringify(payloadOf(webhook), null, 2)}\n\`\`\`\n`

function ofForm(name: string, { webhooks = {} }: OpenApiDocument): string {
  const families = Map.groupBy(Object.entries(webhooks), ([event]) => familyOf(event))
  const parts = [...families].map(
    ([family, events]) =>
      `### ${family} (Form ${name})\n\n${events.map(([event, { post }]) => section(event, post)).join('\n')}`,
  )
  return `## Form ${name}\n\n${parts.join('\n')}`
}

/** The page of all events, by form and family. */
export const eventsPage = (documents: Readonly<Record<string, OpenApiDocument>>): string =>
  [intro, ...Object.entries(documents).map(([name, document]) => ofForm(name, document))].join('\n')
