import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import type { UserCaller } from '../../kernel/callers.ts'
import { refusals } from '../../kernel/refusals.ts'
import { operation } from '../../platform/operations/operation.ts'
import { describeRoute, elsewhere } from '../definitions/describe-route.ts'
import { Email, Fields, List, Maybe, OneOf, Text, Uuid } from '../definitions/fields.ts'
import { form } from '../definitions/form.ts'
import { defineRoute } from '../definitions/route-definition.ts'
import { type Answers, sharedAnswers } from '../reply/answers.ts'
import { strictCheck } from '../request/validate.ts'
import { firstPage, groupPage, operationPage } from './page.ts'
import { referenceOf } from './reference.ts'
import type { Group, ServedOperation } from './served-operations.ts'

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
const reference = referenceOf(boxes, [{ ...boxes, name: 'B', prefix: '/form-b' }])
const group = reference.groups[0] as Group
const pageOf = (id: string) =>
  operationPage(reference, group, group.served.find(({ operation }) => operation.operationId === id) as ServedOperation)
const first = firstPage(reference)
const [hostilePage, createPage] = [pageOf('boxes_hostile'), pageOf('boxes_create')]
const pages = [first, groupPage(reference, group), hostilePage, createPage]

const unescaped = (text: string) =>
  text.replace(
    /&(lt|gt|quot|#39|amp);/g,
    (_, name) => ({ lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' })[name as 'lt'],
  )

describe('the pages of the reference', () => {
  it('show hostile text as text', () => {
    for (const page of pages) {
      expect(page).not.toContain('<img')
      expect(page.match(/<script/gi)).toHaveLength(1)
      expect(page.match(/<\/style>/g)).toHaveLength(1)
    }
    expect(hostilePage).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; ')
  })

  it('link to every operation and chapter, and have each anchor once', () => {
    const targets = [...first.matchAll(/href="\/docs#([^"]+)"/g)].map((match) => match[1])
    expect(targets).toContain('errors')
    for (const id of targets) expect(first.split(`id="${id}"`)).toHaveLength(2)
    for (const page of pages)
      for (const address of ['/docs/boxes', '/docs/boxes/hostile', '/docs/boxes/create'])
        expect(page).toContain(`href="${address}"`)
  })

  it('load nothing from other hosts', () => {
    for (const page of pages) {
      expect(page).not.toMatch(/(src|href|action)="(https?:)?\/\//)
      expect(page).not.toMatch(/<(link|iframe|img|object)|@import|url\(/)
      expect(page).toContain('<script src="/docs/reference.js" defer></script>')
      expect(page).not.toMatch(/ style="| on\w+="/)
    }
  })

  it('have one h1, and never skip a heading', () => {
    for (const page of pages) {
      const levels = [...page.matchAll(/<h([1-6])[ >]/g)].map((match) => Number(match[1]))
      expect(levels.filter((level) => level === 1)).toHaveLength(1)
      const steps = levels.map((level, index) => level - (levels[index - 1] ?? 0))
      expect(Math.max(...steps)).toBe(1)
    }
  })

  it('list every refusal of the form with its message', () => {
    for (const [name, message] of Object.entries(refusals)) {
      expect(first).toContain(`<code>${name}</code>`)
      expect(unescaped(first)).toContain(message)
    }
  })

  it('show nested fields with their full path', () => {
    const text = createPage.replace(/<[^>]+>/g, '')
    for (const path of ['owner.firstName', 'parts[].quantity', 'labels']) expect(text).toContain(path)
  })

  it('name the operations that only the other form has', () => {
    expect(first.replaceAll('<wbr>', '')).toContain('/form-b/only-in-the-other')
    expect(first).toContain('href="/form-b/docs"')
  })

  it('show a curl command whose body fits the schema', () => {
    const shown = /-d &#39;(\{.*?\n {2}\})&#39;<\/code>/s.exec(createPage)?.[1] as string
    expect(unescaped(shown)).toContain("it'\\''s")
    const body = JSON.parse(unescaped(shown).replaceAll("'\\''", "'"))
    expect(strictCheck(Body)(body)).toEqual([])
    expect(body).toMatchObject({ email: 'ada@example.com', weight: 7, owner: { firstName: 'Ada' } })
  })

  it('show each request in four languages, the first without a script', () => {
    const shown = createPage
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
