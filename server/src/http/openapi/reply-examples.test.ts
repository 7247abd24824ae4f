import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { formA } from '../form-a/index.ts'
import { formB } from '../form-b/index.ts'
import { strictCheck } from '../request/validate.ts'
import { openApiOf } from './index.ts'
import { isKept, replyExample } from './reply-examples.ts'

describe.each([formA, formB])('the reply examples of $title', (form) => {
  test('exist for every operation, and fit its current schema', () => {
    const unfit = form.routes.flatMap((one) => {
      const { data } = replyExample(form, one) as { data: unknown }
      return strictCheck(one.route.reply as TSchema)(data).map((fault) => ({
        route: `${one.module}_${one.name}`,
        fault,
      }))
    })
    expect(unfit).toEqual([])
  })

  test('are real replies of the service', () => {
    const madeUp = form.routes.filter((one) => !isKept(form, one)).map(({ module, name }) => `${module}_${name}`)
    expect(madeUp, 'run `npm run replies:keep <their tests>`').toEqual([])
  })

  test('are in the document, each once, and never use the word “example” as a value', () => {
    const document = openApiOf(form)
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
    for (const { responses, operationId } of operations) {
      const [, given] = Object.entries(responses).find(([status]) => status < '300') ?? []
      const success = given && '$ref' in given ? document.components.responses[given.$ref.split('/')[3] ?? ''] : given
      const shown = success?.content?.['application/json']
      expect([operationId, shown?.example ?? shown?.examples]).not.toContain(undefined)
      const shared = shown?.examples?.shared
      if (shared && '$ref' in shared)
        expect(document.components.examples).toHaveProperty(shared.$ref.split('/')[3] as string)
    }
    const shown = JSON.stringify(form.routes.map((one) => replyExample(form, one)))
    expect(shown.match(/:"(example|string|foo|test)"/gi)).toBeNull()
  })
})

test('an empty reply is shown as empty', () => {
  // What was just submitted has no number of the authority yet.
  const submitting = formA.routes.find(({ module, name }) => module === 'submissions' && name === 'createAndSubmit')
  expect(JSON.stringify(submitting && replyExample(formA, submitting))).toContain('"irn":null')
})
