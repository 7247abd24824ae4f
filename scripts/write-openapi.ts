import { readFileSync, writeFileSync } from 'node:fs'
import { formA } from '../server/src/http/form-a/index.ts'
import { formB } from '../server/src/http/form-b/index.ts'
import { openApiOf } from '../server/src/http/openapi/index.ts'

const root = new URL('../', import.meta.url)
const documents = [
  { file: 'openapi/form-a.json', form: formA },
  { file: 'openapi/form-b.json', form: formB },
].map(({ file, form }) => ({ file, text: `${JSON.stringify(openApiOf(form), null, 2)}\n` }))

function written(file: string): string | undefined {
  try {
    return readFileSync(new URL(file, root), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function check(): void {
  for (const { file } of documents.filter(({ file, text }) => written(file) !== text)) {
    console.error(`${file} is stale; run node scripts/write-openapi.ts`)
    process.exitCode = 1
  }
}

function write(): void {
  for (const { file, text } of documents) writeFileSync(new URL(file, root), text)
}

if (process.argv.includes('--check')) check()
else write()
