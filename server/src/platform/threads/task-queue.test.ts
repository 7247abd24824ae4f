import { expect, test } from 'vitest'
import { NoRoom, type QueuedTask, type QueueLimits, TaskQueue } from './task-queue.ts'
import { ThreadTime } from './thread-time.ts'

interface TestTask extends QueuedTask {
  readonly name: string
}

function queueWith(limits: Partial<QueueLimits> = {}) {
  let nowMs = 0
  const rejected: [string, unknown][] = []
  const queue = new TaskQueue<TestTask>(
    { size: 1, mostWaiting: 100, mostWaitingEach: 100, ...limits },
    new ThreadTime(() => nowMs),
  )
  const add = (name: string, isGone?: () => boolean) =>
    queue.add({
      name,
      owner: name.replace(/\d+$/, ''),
      signal: isGone && {
        throwIfAborted: () => {
          if (isGone()) throw new Error('gone')
        },
      },
      reject: (error) => rejected.push([name, error]),
    })
  /** takes the next one, and ends it after so long */
  const work = (threadMs: number): string | undefined => {
    const taken = queue.take()
    taken?.over(threadMs)
    return taken?.task.name
  }
  const workAll = (threadMs: number): string[] => {
    const names: string[] = []
    for (let name = work(threadMs); name !== undefined && names.length < 1_000; name = work(threadMs)) names.push(name)
    return names
  }
  return { queue, add, work, workAll, rejected, pass: (ms: number) => (nowMs += ms) }
}

test('owners take turns', () => {
  const { add, workAll } = queueWith()
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) add(name)
  expect(workAll(1)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('an owner that used much time lately waits behind owners that used little, until that time has expired', () => {
  const { add, work, workAll, pass } = queueWith()
  add('a1')
  expect(work(15_000)).toBe('a1')
  for (const name of ['a2', 'a3', 'b1', 'b2']) add(name)
  expect(workAll(1)).toEqual(['b1', 'b2', 'a2', 'a3'])
  pass(300_000)
  for (const name of ['a4', 'b3']) add(name)
  expect(workAll(1)).toEqual(['a4', 'b3'])
})

test('four owners whose tasks take long leave a thread for a fifth owner', () => {
  const { queue, add, work } = queueWith({ size: 2 })
  const hogs = ['a', 'b', 'c', 'd']
  for (const hog of hogs) for (let nth = 0; nth < 20; nth++) add(`${hog}${nth}`)
  for (const _ of hogs) work(15_000)
  expect(queue.take()?.task.name).toBe('a1')
  // A second thread is idle, and stays so for somebody else.
  expect(queue.take()).toBeUndefined()
  add('e1')
  expect(queue.take()?.task.name).toBe('e1')
})

test('an owner that used little time goes before owners that used some, even if none is heavy', () => {
  const { add, work, workAll } = queueWith()
  for (const hog of ['a', 'b', 'c', 'd']) {
    add(`${hog}1`)
    work(1_500)
    add(`${hog}2`)
  }
  add('e1')
  expect(workAll(1)[0]).toBe('e1')
})

test('owners that wait for each other count as heavy while they wait', () => {
  const { queue, add, work, pass } = queueWith({ size: 2 })
  for (const hog of ['a', 'b', 'c', 'd']) {
    add(`${hog}1`)
    work(5_000)
    pass(5_000)
    add(`${hog}2`)
  }
  expect(queue.take()?.task.name).toBeDefined()
  expect(queue.take()).toBeUndefined()
})

test('no owner has all the threads at once', () => {
  const { queue, add } = queueWith({ size: 2 })
  add('a1')
  add('a2')
  const first = queue.take()
  expect([first?.task.name, queue.take()]).toEqual(['a1', undefined])
  add('b1')
  expect(queue.take()?.task.name).toBe('b1')
  first?.over(1)
  expect(queue.take()?.task.name).toBe('a2')
})

test('in a full queue, a newcomer takes the last place of the owner with the most tasks', () => {
  const { add, workAll, rejected } = queueWith({ mostWaiting: 4 })
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) add(name)
  expect(rejected).toEqual([['a3', expect.any(NoRoom)]])
  // Those who have as much as anybody take nothing from others.
  add('b2')
  add('d1')
  expect(rejected.map(([name]) => name)).toEqual(['a3', 'b2', 'a2'])
  expect(workAll(1)).toEqual(['a1', 'b1', 'c1', 'd1'])
})

test('the limit of waiting tasks of one owner also holds in an empty queue', () => {
  const { add, workAll, rejected } = queueWith({ mostWaitingEach: 1 })
  for (const name of ['a1', 'a2', 'b1']) add(name)
  expect(rejected).toEqual([['a2', expect.any(NoRoom)]])
  expect(workAll(1)).toEqual(['a1', 'b1'])
})

test.each([
  ['its turn comes', { mostWaiting: 9 }],
  ['its place is needed', { mostWaiting: 2 }],
  ['its owner needs its place', { mostWaitingEach: 1 }],
])('a task whose caller is gone leaves the queue when %s', (_, limits) => {
  const { add, workAll, rejected } = queueWith(limits)
  let isGone = false
  add('a1', () => isGone)
  add('b1')
  isGone = true
  add('a2')
  expect(workAll(1)).toEqual(expect.arrayContaining(['a2', 'b1']))
  expect(rejected).toEqual([['a1', new Error('gone')]])
})

test('a place is free again after a task ends, however long the task took', () => {
  const { add, workAll } = queueWith({ size: 3, mostWaiting: 3 })
  for (let round = 0; round < 5; round++) {
    for (const name of ['a1', 'b1', 'c1']) add(name)
    expect(workAll(round * 5_000)).toHaveLength(3)
  }
})
