import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fieldSentence } from '../../dashboard/src/words/field-faults.ts'
import { glossary } from '../../dashboard/src/words/glossary.ts'
import { refusalWords, unclear } from '../../dashboard/src/words/refusals.ts'
import { technical } from '../../dashboard/src/words/technical.ts'
import { refusals } from '../../server/src/kernel/refusals.ts'

test.each(Object.entries(refusals))('%s has words for people', (reason, message) => {
  const words = refusalWords(reason, message)
  expect(words).not.toMatch(technical)
  expect(words).not.toBe(unclear)
  expect(words).toMatch(/^[A-Z].*[.…]$/s)
})

const server = join(import.meta.dirname, '../../server/src')
const sources = ['http', 'jurisdictions', 'kernel', 'modules'].flatMap((folder) =>
  readdirSync(join(server, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(server, folder, file), 'utf8')),
)

/** Every message about a field that the sources of the service contain. A value that is inserted counts as a number. */
const messages = new Set(
  sources.flatMap((text) =>
    [
      ...text.matchAll(
        /(['`])((?:must|is required|is not|is needed|is missing|is already|has|needs the|should|cannot|you lack) (?:(?!\1).)+)\1/g,
      ),
    ].map(([, , message = '']) => message.replaceAll(/\$\{[^}]*\}/g, '7')),
  ),
)

test('the messages about fields were found', () => {
  expect(messages.size).toBeGreaterThan(120)
  expect([...messages]).toContain('must be in E.164 form, such as +12025550143')
})

test.each([...messages])('“%s” is said in words for people', (message) => {
  const words = fieldSentence(message)
  expect(words).not.toMatch(technical)
  expect(words).toMatch(/^[A-Z0-9“].*[.!?]$/s)
})

test('unknown messages, such as those of a proxy, are replaced by words without routes', () => {
  expect(refusalWords(undefined, 'the answer was 502')).not.toMatch(/502/)
  expect(refusalWords('something.new', 'Call POST /i/v1/things with itemId.')).toBe(unclear)
})

test('a number of documents that has changed is no matter of requests', () => {
  const message = '3 documents match now, not 2. Look at the list again, then repeat the request with the new number.'
  expect(refusalWords('bulk_job.count_changed', message)).not.toMatch(/request/)
})

test.each(Object.entries(glossary))('the help for %s is short and plain', (_, [term, meaning]) => {
  expect(term).not.toMatch(technical)
  expect(meaning).not.toMatch(technical)
  expect(meaning.length).toBeLessThan(260)
})
