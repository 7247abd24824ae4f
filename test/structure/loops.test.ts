import { expect, test } from 'vitest'
import { checkLoops } from './loops.ts'
import { file, readTree } from './source-tree.ts'

const inCode = (text: string, path = 'server/src/jobs/a.ts') => [file(path, text)]

const endless = [
  'while (true) await look()',
  'while (1) { if (await done()) return }',
  'for (;;) { if (await done()) break }',
  'do { await look() } while (await more())',
  'while (!done) { done = await look(); await wait(10) }',
  'while ((await take(batch)) > 0);',
  'while (queue.length > 0) await work(queue.shift())',
  'for (let done = batch; done === batch; ) done = await take(batch)',
  'for (let after = first; ; ) { const found = await list(after); if (!found) return; after = found }',
  // A limit that the loop never approaches, and exits that do not leave the loop.
  'while (here < there) await look()',
  'while (text.length < 10) other += 1',
  'for (let tries = 0; ; tries++) { await look(() => { if (tries === 10) return }) }',
  'for (let tries = 0; ; tries++) { for (const one of all) if (tries === 10) break }',
  'for (let tries = 0; ; tries++) { switch (tries) { case 1: if (tries === 10) break } }',
  'for (let tries = 0; ; tries++) if (tries === 10) log(tries)',
  'for (let tries = 0; ; tries++) if (tries === 10 && (await done())) return',
  'for (let at = 0; ; at++) if (row.at === 10) return',
  'for (let at = place; at; at = other.above) look(at)',
  'for (;;) if (Date.now() === until) return',
]

test.each(endless)('the check finds %s', (loop) => {
  const text = `async function go() {\n${loop}\n}`
  expect(checkLoops(inCode(text), {})).toEqual([expect.stringContaining('a.ts:2 may go round for ever')])
  expect(checkLoops(inCode(text, 'simulators/src/checkout/a.ts'), {})).toHaveLength(1)
})

const bounded = [
  'for (const one of all) await look(one)',
  'for (const name in names) await look(name)',
  'for await (const chunk of stream) await look(chunk)',
  'for (let at = 0; at < text.length; at++) look(at)',
  'for (let at = 0; at + 12 <= bytes.length; ) at += lengthAt(at)',
  'while (scale > 0 && units % 10n === 0n) { units /= 10n; scale-- }',
  'while (text.length < 10) text = zero + text',
  'while (left-- > 0) await look()',
  'for (let at = place; at; at = at.above) look(at)',
  'for (let child = node.first; child !== null; child = child.next) look(child)',
  'do { tries += 1 } while (tries < 5 && !(await done()))',
  'while (performance.now() < until) await look()',
  'for (;;) { if (await done()) return; if (Date.now() >= until) throw late() }',
  'for (;;) { for (const one of all) { if (Date.now() > until) return } }',
  'for (let tries = 1; ; tries++) { try { return await go() } catch (error) { if (isFinal(error) || tries === most) throw error } }',
  'for (let looks = 0; await others(); looks++) { if (looks === 10) break }',
]

test.each(bounded)('the check lets pass %s', (loop) => {
  expect(checkLoops(inCode(`async function go() {\n${loop}\n}`), {})).toEqual([])
})

test('a listed loop may be endless, and the list has no unused entries', () => {
  const loop = inCode('while (\n  !signal.aborted\n) await look()')
  const listed = { 'server/src/jobs/a.ts': { '!signal.aborted': 'it follows' } }
  expect(checkLoops(loop, listed)).toEqual([])
  expect(checkLoops(inCode('look()'), listed)).toEqual([expect.stringContaining('that it does not have')])
})

test('every loop has a bound, or is listed with the reason for having none', () => {
  expect(checkLoops(readTree())).toEqual([])
})
