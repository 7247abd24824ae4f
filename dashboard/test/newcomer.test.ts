import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Risiti, startRisiti } from '../../bench/server-process.ts'
import { expectAccessible, openBrowser, type Visit } from '../../test/harness/browser.ts'

/** The goal from `npm start` to a submitted invoice, without any documentation. */
const mostMs = 3 * 60_000

let begunAt: number
let risiti: Risiti
let browser: Awaited<ReturnType<typeof openBrowser>>
beforeAll(async () => {
  begunAt = performance.now()
  risiti = await startRisiti()
  browser = await openBrowser(risiti.url)
})
afterAll(async () => {
  await browser?.close()
  await risiti?.stop()
})

/** The goal from the first page to a paid invoice. Each field counts too, because on a phone it is tapped. */
const mostTaps = 45

/** Counts the presses and the filled fields of a page. */
function countTaps({ page }: Visit): () => number {
  let taps = 0
  const counted = new WeakSet<object>()
  const count = <Locators extends ReturnType<typeof page.locator>>(found: Locators): Locators => {
    if (counted.has(found)) return found
    counted.add(found)
    for (const act of ['click', 'fill', 'check', 'selectOption', 'focus'] as const) {
      const run = found[act].bind(found) as (...given: unknown[]) => Promise<unknown>
      Object.assign(found, {
        [act]: async (...given: unknown[]) => {
          taps += 1
          return await run(...given)
        },
      })
    }
    return found
  }
  for (const find of ['getByRole', 'getByLabel', 'getByText'] as const) {
    const run = page[find].bind(page) as (...given: unknown[]) => ReturnType<typeof page.locator>
    Object.assign(page, {
      [find]: (...given: unknown[]) => {
        const found = count(run(...given))
        const first = found.first.bind(found)
        return Object.assign(found, { first: () => count(first()) })
      },
    })
  }
  return () => taps
}

/** Adds a business as the buyer inside the editor. Its tax number is checked there. */
async function addBuyer({ page }: Visit): Promise<void> {
  await page.getByRole('combobox', { name: 'Buyer' }).fill('Ngozi Fabrics')
  await page.getByRole('option', { name: 'Add “Ngozi Fabrics”' }).click()
  await page.getByLabel('Tax number', { exact: true }).fill('20198222-0002')
  await page.getByLabel('Email').fill('shop@ngozi.test')
  await page.getByLabel('Street and number').fill('1 Marina')
  await page.getByLabel('City').fill('Lagos')
  const add = page.getByRole('button', { name: 'Add the buyer' })
  await add.click()
  // The words that confirm it stay for some seconds only.
  await add.waitFor({ state: 'detached' })
}

/** Writes an invoice of one line and submits it, with the main button of each page. */
async function submitFirst(visit: Visit, toBusiness = false): Promise<void> {
  const { page } = visit
  const next = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('link', { name: 'New invoice' }).first().click()
  if (toBusiness) await addBuyer(visit)
  await page.getByLabel('Line 1: description').fill('Swivel chair')
  await page.getByLabel('Line 1: price').fill('25,000')
  // The page reports the missing code during typing, and the field finds the code by description.
  await page.getByText('Line 1: Must have a product code, or a service code: add one.').waitFor()
  await page.getByLabel('Line 1: code').focus()
  const found = page.locator('#editor-codes option', { hasText: /swivel/i }).first()
  await found.waitFor({ state: 'attached' })
  await page.getByLabel('Line 1: code').fill((await found.getAttribute('value')) as string)
  await page.getByText('Ready: the tax authority would accept this document.').waitFor()
  await page.getByText('₦26,875.00').waitFor()
  await next('Save draft')
  await next('Finalise')
  await next('Finalise now')
  await next('Submit')
  await next('Submit to the tax authority')
  await page.getByText('Accepted', { exact: true }).waitFor()
}

test('the demo submits an accepted invoice soon after the first start', { timeout: mostMs }, async () => {
  const visit = await browser.visit()
  await visit.page.goto('/')
  await visit.page.getByRole('button', { name: 'Enter the demo' }).click()
  await submitFirst(visit)
  const took = performance.now() - begunAt
  process.stdout.write(`from the start of the service to an accepted invoice: ${Math.round(took / 1_000)} s\n`)
  expect(took).toBeLessThan(mostMs)
  expect(visit.complaints).toEqual([])
})

test('a new account finds the mailed code, a test business and the missing details, and is paid by a business', {
  timeout: mostMs,
}, async () => {
  const visit = await browser.visit({ width: 390, theme: 'dark' })
  const { page } = visit
  const taps = countTaps(visit)
  const begun = performance.now()
  const next = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await page.goto('/')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('First name').fill('Amaka')
  await page.getByLabel('Last name').fill('Eze')
  await page.getByLabel('Name of your business').fill('Eze Stores')
  await page.getByLabel('Email').fill('amaka@example.test')
  await page.getByLabel('Password').fill('a chair under the mango tree')
  await next('Create the account')
  const [mailbox] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'playground mailbox' }).click(),
  ])
  const code = /\b\d{6}\b/.exec(await mailbox.locator('body').innerText())?.[0] as string
  await mailbox.close()
  await expectAccessible(page)
  await page.getByLabel('Code').fill(code)
  await next('Continue')

  await next('Connect')
  await next('Use a test business')
  await page.getByLabel('I agree').check()
  await expectAccessible(page)
  await next('Connect the sandbox')
  await page.getByText('1 of 5 steps done.').waitFor()
  await next('Add your details')
  await page.getByLabel('Contact email').fill('accounts@eze.test')
  await page.getByLabel('Street and number').fill('4 Broad Street')
  await page.getByLabel('City').fill('Lagos')
  await page.getByLabel('State').fill('Lagos')
  await next('Save the profile')
  await page.getByText('2 of 5 steps done.').waitFor()
  await submitFirst(visit, true)
  await next('Record payment')
  await next('Record the payment')
  await page.getByText('Paid', { exact: true }).first().waitFor()
  await expectAccessible(page)
  process.stdout.write(`from the first page to a paid invoice: ${taps()} taps\n`)
  expect(taps()).toBeLessThanOrEqual(mostTaps)
  expect(performance.now() - begun).toBeLessThan(mostMs)
  expect(visit.complaints).toEqual([])
})
