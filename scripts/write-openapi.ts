import { readFileSync, writeFileSync } from 'node:fs'
import * as forms from '../server/src/http/forms.ts'
import { type OpenApiDocument, openApiOf } from '../server/src/http/openapi/index.ts'
import { documentText } from '../server/src/http/openapi/text.ts'
import { logged } from './api-surface.ts'
import { cliExamplesText, cliText } from './cli-text.ts'
import { eventsPage } from './events-page.ts'
import { sdkText } from './sdk-text.ts'

const root = new URL('../', import.meta.url)
const documents = Object.fromEntries(Object.values(forms).map((form) => [form.name, openApiOf(form)]))
const written = [
  { file: 'docs/events.md', text: eventsPage(documents) },
  { file: 'cli/src/routes.gen.ts', text: cliText(forms.formA) },
  { file: 'cli/src/examples.gen.ts', text: cliExamplesText(forms.formA, openApiOf(forms.formA)) },
  ...Object.values(forms).flatMap((form) => {
    const name = `form-${form.name.toLowerCase()}`
    return [
      { file: `openapi/${name}.json`, text: documentText(openApiOf(form)) },
      { file: `sdk/src/${name}.gen.ts`, text: sdkText(form) },
    ]
  }),
]

function committed(file: string): string | undefined {
  try {
    return readFileSync(new URL(file, root), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function check(): void {
  for (const { file } of written.filter(({ file, text }) => committed(file) !== text)) {
    console.error(`${file} is stale; run: npm run openapi`)
    process.exitCode = 1
  }
}

const log = 'server/src/http/reference/api-changes.tsv'

/** Must run before the documents are overwritten: logs the differences from the current documents. */
function logChanges(): void {
  const today = new Date().toISOString().slice(0, 10)
  const text = Object.values(forms).reduce((told, form) => {
    const before = committed(`openapi/form-${form.name.toLowerCase()}.json`)
    if (before === undefined) return told
    return logged(told, today, form.name, JSON.parse(before) as OpenApiDocument, openApiOf(form))
  }, committed(log) ?? '')
  writeFileSync(new URL(log, root), text)
}

function write(): void {
  logChanges()
  for (const { file, text } of written) writeFileSync(new URL(file, root), text)
}

if (process.argv.includes('--check')) check()
else write()
