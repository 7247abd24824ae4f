import { expect, test } from 'vitest'
import { checkRealTime, onRealTime } from './real-time.ts'
import { file, readTree } from './source-tree.ts'

test('the check finds planted violations', () => {
  const code = (text: string, path = 'modules/identity/log-in.ts') => checkRealTime([file(`server/src/${path}`, text)])
  expect(code(`const facts = { time: 'real', needs: [], refuses: [] }`)).toEqual([])
  expect(code(`const facts = {\n  time: 'real',\n  needs: [],\n}`)).toEqual([])
  expect(code(`const facts = {\n  needs: [],\n}`)).toEqual([
    "server/src/modules/identity/log-in.ts:2: this operation must say time: 'real', or a moved sandbox changes its time",
  ])
  expect(code('const facts = { needs: [] }', 'modules/invoices/share-invoice.ts')).toEqual([])
})

test('security and what both modes share have the real time', () => {
  const files = readTree()
  for (const folder of onRealTime)
    expect(files.some(({ path, text }) => path.startsWith(folder) && text.includes("time: 'real'"))).toBe(true)
  expect(checkRealTime(files)).toEqual([])
})
