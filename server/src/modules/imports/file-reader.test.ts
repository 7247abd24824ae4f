import { afterAll, expect, test } from 'vitest'
import { words } from '../../jurisdictions/ng/words.ts'
import { newId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusals.ts'
import { silentLogger } from '../../platform/logger.ts'
import { createFileReader } from './file-reader.ts'
import { type FileToRead, readFile } from './read-file.ts'

const reader = createFileReader(silentLogger)
afterAll(() => reader.close())

const file = (content: string | Uint8Array, more: Partial<FileToRead> = {}): FileToRead => ({
  kind: 'buyers',
  content,
  columns: undefined,
  words: words.imports,
  ...more,
})
const small = 'Customer,TIN\nOke Wood Works,20198222-0002\n'
const refusalOf = async (work: Promise<unknown>): Promise<Refusal> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(Refusal)
  return error as Refusal
}

test('a thread reads a file as the main thread would', async () => {
  expect(await reader.read(newId(), file(small))).toEqual(await readFile(file(small)))
})

test('faults in a file are reported as if it were read here', async () => {
  const columns = [{ column: 'Nothing', field: 'name' }]
  const { refusal, details } = await refusalOf(reader.read(newId(), file(small, { columns })))
  const here = await refusalOf(readFile(file(small, { columns })))
  expect([refusal, details]).toEqual(['request.invalid', here.details])
  const broken = await refusalOf(reader.read(newId(), file(Buffer.from('not a workbook'))))
  expect(broken.details?.[0]?.path).toBe('content')
})

test('the queue is limited, and no organisation fills it alone', async () => {
  const narrow = createFileReader(silentLogger, { mostWaitingEach: 1 })
  const [busy, other] = [newId(), newId()]
  const settled = await Promise.allSettled([
    narrow.read(busy, file(small)),
    narrow.read(busy, file(small)),
    narrow.read(busy, file(small)),
    narrow.read(other, file(small)),
  ])
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  const [, , third] = settled
  expect(third?.status === 'rejected' && (third.reason as Refusal).refusal).toBe('dependency.unavailable')
  await narrow.close()
})

test('a file that takes too long is refused, and the next one is read', async () => {
  // Starting its thread takes longer than this deadline.
  const hasty = createFileReader(silentLogger, { deadlineMs: 1 })
  expect((await refusalOf(hasty.read(newId(), file(small)))).refusal).toBe('request.invalid')
  await hasty.close()
})
