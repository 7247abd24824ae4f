import { refusals } from '../../kernel/refusals.ts'
import type { Form } from '../definitions/form.ts'
import type { Guide } from '../guides/guides.ts'
import type { JsonSchema } from '../openapi/document.ts'
import { constraintsOf, flatten, typeOf, variantsOf } from '../openapi/schema-fields.ts'
import { errorCodes } from './error-page.ts'
import { aboutEvents, eventsTitle } from './events.ts'
import type { Reference } from './reference.ts'
import { curl, pretty, sampleOf } from './samples.ts'
import { type Group, type ServedOperation, successSchemaOf } from './served-operations.ts'

/** The first page as Markdown, for programs: where everything is. */
export const firstMarkdown = ({ document, form, groups, events }: Reference): string =>
  `${[
    `# ${document.info.title}`,
    document.info.description,
    `The OpenAPI document is at \`${form.prefix}/openapi.json\`. Every code of a refusal has a page below \`${form.prefix}/docs/errors/\`. Guides are at \`/guides.md\`.`,
    '## Resources',
    [
      ...groups.map(
        ({ name, title, served }) => `- [${title}](${form.prefix}/docs/${name}.md): ${operations(served.length)}`,
      ),
      ...(events.length > 0 ? [`- [${eventsTitle}](${form.prefix}/docs/events.md): ${events.length} types`] : []),
    ].join('\n'),
  ].join('\n\n')}\n`

const operations = (count: number): string => (count === 1 ? 'one operation' : `${count} operations`)

/** A resource with all its operations. */
export const groupMarkdown = ({ form }: Reference, { title, description, served }: Group): string =>
  `${[
    `# ${title} (${form.title})`,
    ...(description === undefined ? [] : [description]),
    ...served.flatMap((one) => operationText(one, form)),
  ].join('\n\n')}\n`

export const eventsMarkdown = ({ form, events }: Reference): string =>
  `${[
    `# ${eventsTitle} (${form.title})`,
    aboutEvents,
    ...events.flatMap(({ name, description, payload, example }) => [
      `## \`${name}\``,
      description,
      ...fieldsText('Payload, under `data`', payload),
      `\`\`\`json\n${pretty(example)}\n\`\`\``,
    ]),
  ].join('\n\n')}\n`

function operationText(served: ServedOperation, form: Form): string[] {
  const { method, path, operation } = served
  const body = operation.requestBody?.content['application/json'].schema
  const reply = successSchemaOf(operation)?.properties?.data
  const parameters = operation.parameters.map(({ name, in: place, required, description, schema }) =>
    fieldText(name, [place], required === true, description ? { ...schema, description } : schema),
  )
  return [
    `## ${operation.summary}`,
    `\`${method} ${form.prefix}${path}\` (\`${operation.operationId}\`)`,
    operation.description,
    ...(parameters.length > 0 ? [`Parameters:\n\n${parameters.join('\n')}`] : []),
    ...fieldsText('Body', body),
    ...fieldsText('Reply, under `data`', reply),
    `Refusals:\n\n${refusalsText(served, form)}`,
    `\`\`\`sh\n${curl(sampleOf(served, form))}\n\`\`\``,
  ]
}

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
export function llmsText(references: readonly Reference[], guides: readonly Guide[]): string {
  const ofForm = ({ form, groups }: Reference) => [
    `## ${form.title}`,
    form.description,
    `- [Reference](${form.prefix}/docs.md): how to begin, and all resources`,
    ...groups.map(
      ({ name, title }) => `- [${title}](${form.prefix}/docs/${name}.md): every operation, field and refusal`,
    ),
    `- [${eventsTitle}](${form.prefix}/docs/events.md): every type and its fields`,
    `- [OpenAPI 3.1](${form.prefix}/openapi.json)`,
    `- [Changes](${form.prefix}/docs/changes.md): what was added and removed, day by day`,
    ...errorCodes(form).map(
      ({ code, reasons }) =>
        `- [${code}](${form.prefix}/docs/errors/${code}.md): ${reasons.map(({ reason }) => reason).join(', ')}`,
    ),
  ]
  const parts = [
    '# Risiti',
    '> Invoicing and e-invoice reporting, with an API in two forms over one core. A client for TypeScript is `@risiti/sdk`.',
    ['## Guides', ...guides.map(({ name, title }) => `- [${title}](/guides/${name}.md)`)].join('\n'),
    ...references.map((reference) => ofForm(reference).join('\n')),
  ]
  return `${parts.join('\n\n')}\n`
}
