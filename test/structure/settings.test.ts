import { expect, test } from 'vitest'
import { readServiceConfig as readConfig } from '../../server/src/bin/service-config.ts'
import { checkSettings, rulesOf, settingsRead } from './settings.ts'
import { readCommitted } from './source-tree.ts'

const page = readCommitted('docs/settings.md')

test('the check finds planted violations', () => {
  const changed = (from: string | RegExp, to: string) => {
    const planted = page.replace(from, to)
    expect(planted).not.toBe(page)
    return checkSettings(planted, readConfig)
  }
  expect(changed(/^\| `SMTP_URL`.*\n/m, '')).toEqual(['the table of docs/settings.md lacks SMTP_URL'])
  expect(changed('| `SMTP_URL` |', '| `SMTP_URL`, `POP_URL` |')).toEqual([
    'the table of docs/settings.md names POP_URL, which is not read',
  ])
  expect(changed('from 0 to 65535', 'from 1 to 65535')).toEqual([
    'docs/settings.md does not say of PORT: a whole number from 0 to 65535',
  ])
  expect(changed('at least 16 characters', 'many characters')).toEqual([
    'docs/settings.md does not say of METRICS_TOKEN: have at least 16 characters',
  ])
  expect(changed('| `86400` |', '| `3600` |')).toEqual([
    'docs/settings.md says that KEY_GRACE_SECONDS is 3600 when it is not set, and it is not',
  ])
})

test('rules are found where there are any', () => {
  expect(settingsRead(readConfig).length).toBeGreaterThan(25)
  const ruled = new Set(rulesOf(readConfig).map(({ name }) => name))
  for (const name of ['PORT', 'PUBLIC_URL', 'DATABASE_URL', 'SECRETS_FILE', 'STRIPE_WEBHOOK_SECRET', 'NRS_API_KEY'])
    expect(ruled).toContain(name)
})

test('docs/settings.md documents every setting with its rules and its default', () => {
  expect(checkSettings(page, readConfig)).toEqual([])
})
