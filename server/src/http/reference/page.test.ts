import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import type { UserCaller } from '../../kernel/callers.ts'
import { refusals } from '../../kernel/refusals.ts'
import { operation } from '../../platform/operations/operation.ts'
import { describeRoute, elsewhere } from '../kernel/describe-route.ts'
import { Email, Fields, List, Maybe, OneOf, Text, Uuid } from '../kernel/fields.ts'
import { form } from '../kernel/form.ts'
import { defineRoute } from '../kernel/route-definition.ts'
import { openApiOf } from '../openapi/index.ts'
import { type Answers, sharedAnswers } from '../reply/answers.ts'
import { strictCheck } from '../request/validate.ts'
import { referencePage } from './page.ts'

const hostile = `<img src=x onerror="alert('1')"> & </style><script>alert(2)</script>`
const unmapped = Object.fromEntries(Object.keys(refusals).map((name) => [name, { status: 418, code: 'TEST' }]))
const answers = { ...unmapped, ...sharedAnswers } as Answers

const doing = operation<UserCaller, object, object>({ needs: ['item.create'], refuses: [] }, async () => ({}))

const routes = {
  boxes: {
    hostile: defineRoute('GET', '/boxes/{id}', 'user', doing, { summary: hostile, description: hostile }),
    create: defineRoute('POST', '/boxes', 'user', doing, { summary: 'Create a box' }),
    other: defineRoute('GET', '/only-in-the-other', 'user', doing, { summary: 'Elsewhere' }),
  },
}

const Body = Fields({
  email: Email(),
  name: Text(1, 3),
  zipCode: Type.String({ pattern: '^[0-9]{6}$' }),
  kind: OneOf("it's", 'small'),
  weight: Type.Integer({ minimum: 5, maximum: 9, default: 7 }),
  owner: Maybe(Fields({ firstName: Text(1, 50), id: Uuid })),
  parts: Type.Array(Fields({ quantity: Type.Number({ minimum: 0 }) }), { minItems: 1, description: hostile }),
  labels: Type.Optional(List(Type.String())),
})

const same = { status: 200, reply: Body, decode: () => ({}), encode: () => ({}) as never }
const about = { name: 'A', title: `Boxes ${hostile}`, description: hostile, prefix: '', answers } as const
const boxes = form(routes, about, {
  boxes: {
    hostile: describeRoute(routes.boxes.hostile, { ...same, params: Fields({ id: Uuid }) }),
    create: describeRoute(routes.boxes.create, { ...same, body: Body }),
    other: elsewhere,
  },
})
const page = referencePage(openApiOf(boxes), boxes, [{ ...boxes, name: 'B', prefix: '/form-b' }])

const unescaped = (text: string) =>
  text.replace(
    /&(lt|gt|quot|#39|amp);/g,
    (_, name) => ({ lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' })[name as 'lt'],
  )

describe('the reference page', () => {
  it('shows hostile text as text', () => {
    expect(page).not.toContain('<img')
    expect(page.match(/<script/gi)).toHaveLength(1)
    expect(page.match(/<\/style>/g)).toHaveLength(1)
    expect(page).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; ')
  })

  it('has an anchor for every operation and chapter that it links to', () => {
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1])
    for (const id of ['boxes_hostile', 'boxes_create', 'tag-boxes', 'errors']) expect(targets).toContain(id)
    for (const id of targets) expect(page.split(`id="${id}"`)).toHaveLength(2)
  })

  it('loads nothing from other hosts', () => {
    expect(page).not.toMatch(/(src|href|action)="(https?:)?\/\//)
    expect(page).not.toMatch(/<(link|iframe|img|object)|@import|url\(/)
    expect(page).toContain('<script src="/docs/reference.js" defer></script>')
    expect(page).not.toMatch(/ style="| on\w+="/)
  })

  it('has one h1, and never skips a heading', () => {
    const levels = [...page.matchAll(/<h([1-6])[ >]/g)].map((match) => Number(match[1]))
    expect(levels.filter((level) => level === 1)).toHaveLength(1)
    const steps = levels.map((level, index) => level - (levels[index - 1] ?? 0))
    expect(Math.max(...steps)).toBe(1)
  })

  it('lists every refusal of the form with its message', () => {
    for (const [name, message] of Object.entries(refusals)) {
      expect(page).toContain(`<code>${name}</code>`)
      expect(unescaped(page)).toContain(message)
    }
  })

  it('shows nested fields with their full path', () => {
    const text = page.replace(/<[^>]+>/g, '')
    for (const path of ['owner.firstName', 'parts[].quantity', 'labels']) expect(text).toContain(path)
  })

  it('names the operations that only the other form has', () => {
    expect(page.replaceAll('<wbr>', '')).toContain('/form-b/only-in-the-other')
    expect(page).toContain('href="/form-b/docs"')
  })

  it('shows a curl command whose body fits the schema', () => {
    const shown = /-d &#39;(\{.*?\n {2}\})&#39;<\/code>/s.exec(page)?.[1] as string
    expect(unescaped(shown)).toContain("it'\\''s")
    const body = JSON.parse(unescaped(shown).replaceAll("'\\''", "'"))
    expect(strictCheck(Body)(body)).toEqual([])
    expect(body).toMatchObject({ email: 'ada@example.com', weight: 7, owner: { firstName: 'Ada' } })
  })

  it('shows each request in four languages, the first without a script', () => {
    const article = page.slice(page.indexOf('<article class="operation" id="boxes_create">'))
    const shown = article.slice(0, article.indexOf('</article>'))
    const languages = [...shown.matchAll(/data-language="(\w+)"( hidden)?/g)].map(([, language, hidden]) => [
      language,
      !hidden,
    ])
    expect(languages).toEqual([
      ['curl', true],
      ['JavaScript', false],
      ['Python', false],
      ['PHP', false],
    ])
    expect(unescaped(shown)).toContain('await risiti.boxes.create({')
    expect(unescaped(shown)).toContain('"Idempotency-Key": str(uuid.uuid4())')
    expect(JSON.parse(unescaped(/data-try="([^"]+)"/.exec(shown)?.[1] ?? ''))).toMatchObject({
      method: 'POST',
      path: '/boxes',
    })
  })
})
