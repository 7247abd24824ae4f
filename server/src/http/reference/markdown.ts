import { refusals } from '../../kernel/refusals.ts'
import type { Form } from '../kernel/form.ts'
import type { JsonSchema } from '../openapi/document.ts'
import type { OpenApiDocument } from '../openapi/index.ts'
import { constraintsOf, flatten, typeOf, variantsOf } from '../openapi/schema-fields.ts'
import { errorCodes } from './error-page.ts'
import { aboutEvents, type DocumentedEvent, eventsOf, eventsTitle } from './events.ts'
import { curl, pretty, sampleOf } from './samples.ts'
import { groupsOf, type ServedOperation, successSchemaOf } from './served-operations.ts'

/** The reference as Markdown, for programs. */
export function referenceMarkdown(document: OpenApiDocument, form: Form): string {
  return `${[
    `# ${document.info.title}`,
    document.info.description,
    `The OpenAPI document is at \`${form.prefix}/openapi.json\`. Every code of a refusal has a page below \`${form.prefix}/docs/errors/\`.`,
    ...groupsOf(document).flatMap(({ title, description, served }) => [
      `## ${title}`,
      ...(description === undefined ? [] : [description]),
      ...served.flatMap((one) => operationText(one, form)),
    ]),
    ...eventsText(eventsOf(document)),
  ].join('\n\n')}\n`
}

function operationText(served: ServedOperation, form: Form): string[] {
  const { method, path, operation } = served
  const body = operation.requestBody?.content['application/json'].schema
  const reply = successSchemaOf(operation)?.properties?.data
  const parameters = operation.parameters.map(({ name, in: place, required, description, schema }) =>
    fieldText(name, [place], required === true, description ? { ...schema, description } : schema),
  )
  return [
    `### ${operation.summary}`,
    `\`${method} ${form.prefix}${path}\` (\`${operation.operationId}\`)`,
    operation.description,
    ...(parameters.length > 0 ? [`Parameters:\n\n${parameters.join('\n')}`] : []),
    ...fieldsText('Body', body),
    ...fieldsText('Reply, under `data`', reply),
    `Refusals:\n\n${refusalsText(served, form)}`,
    `\`\`\`sh\n${curl(sampleOf(served, form))}\n\`\`\``,
  ]
}

const eventsText = (events: readonly DocumentedEvent[]): string[] =>
  events.length === 0
    ? []
    : [
        `## ${eventsTitle}`,
        aboutEvents,
        ...events.flatMap(({ name, description, payload, example }) => [
          `### \`${name}\``,
          description,
          ...fieldsText('Payload, under `data`', payload),
          `\`\`\`json\n${pretty(example)}\n\`\`\``,
        ]),
      ]

function fieldsText(title: string, schema: JsonSchema | undefined): string[] {
  const fields = schema ? flatten(schema).map((field) => fieldText(field.path, [], field.required, field.schema)) : []
  return fields.length > 0 ? [`${title}:\n\n${fields.join('\n')}`] : []
}

function fieldText(name: string, marks: readonly string[], required: boolean, schema: JsonSchema): string {
  const meaning = schema.description ?? variantsOf(schema)[0]?.description
  const about = [
    ...marks,
    typeOf(schema),
    ...(required ? ['required'] : []),
    ...variantsOf(schema).flatMap(constraintsOf),
  ].join(', ')
  return `- \`${name}\` (${about})${meaning ? `: ${meaning}` : ''}`
}

const refusalsText = ({ operation }: ServedOperation, form: Form): string =>
  Object.entries(operation.responses)
    .flatMap(([status, { 'x-risiti-reasons': reasons = [] }]) =>
      reasons.map((reason) => `- ${status} \`${form.answers[reason].code}\` \`${reason}\`: ${refusals[reason]}`),
    )
    .join('\n')

/** The index of all documents, for programs. */
export function llmsText(forms: readonly Form[]): string {
  const ofForm = (form: Form) => [
    `## ${form.title}`,
    form.description,
    `- [Reference](${form.prefix}/docs.md): every operation, field and refusal`,
    `- [OpenAPI 3.1](${form.prefix}/openapi.json)`,
    `- [Changes](${form.prefix}/docs/changes.md): what was added and removed, day by day`,
    ...errorCodes(form).map(
      ({ code, reasons }) =>
        `- [${code}](${form.prefix}/docs/errors/${code}.md): ${reasons.map(({ reason }) => reason).join(', ')}`,
    ),
  ]
  return `# Risiti\n\n> Invoicing and e-invoice reporting, with an API in two forms over one core. A client for TypeScript is \`@risiti/sdk\`.\n\n${forms
    .map((form) => ofForm(form).join('\n'))
    .join('\n\n')}\n`
}
