import pg from 'pg'
import { expect, test } from 'vitest'
import { isConnectionFailure, isPassingFailure } from './database.ts'
import { codeOf } from './error-codes.ts'

/** An error as a coordinator reports it. */
const reported = (code: string, words: string): Error =>
  Object.assign(new pg.DatabaseError(words, words.length, 'error'), { code })

test.each([
  ['duplicate key value violates unique constraint "items_name"', '23505'],
  ['insert or update on table "items" violates foreign key constraint "items_seller"', '23503'],
  ['new row for relation "items" violates check constraint "items_price"', '23514'],
  ['deadlock detected', '40P01'],
  ['canceling statement due to lock timeout', '55P03'],
  ['canceling statement due to statement timeout', '57014'],
  ['terminating connection due to administrator command', '57P01'],
  ['terminating connection because of crash of another server process', '57P02'],
  ['the database system is shutting down', '57P03'],
  ['the database system is starting up', '57P03'],
  ['the database system is in recovery mode', '57P03'],
  ['the database system is not yet accepting connections', '57P03'],
  ['something else', 'XX000'],
])('an internal error with the words “%s” of a worker has the code %s', (words, code) => {
  expect(codeOf(reported('XX000', words))).toBe(code)
  // An error with a code of its own keeps it.
  expect(codeOf(reported('22000', words))).toBe('22000')
})

test.each([
  ['XX000', 'server closed the connection unexpectedly'],
  ['XX000', 'connection not open'],
  ['XX000', 'could not receive data from server: Connection reset by peer'],
  ['XX000', 'SSL SYSCALL error: EOF detected'],
  ['XX000', 'SSL connection has been closed unexpectedly'],
  ['XX000', 'SSL error: unexpected eof while reading'],
  ['XX000', 'terminating connection due to administrator command'],
  ['XX000', 'failed to COPY to shard 102008 : connection not open'],
  ['58030', 'failed to complete COPY on worker-1.internal:5432'],
])('%s %s means that a worker was lost', (code, words) => {
  const error = reported(code, words)
  expect(isConnectionFailure(error)).toBe(true)
  expect(isPassingFailure(error)).toBe(true)
  // The same words in an error of another kind say nothing about a worker.
  expect(isConnectionFailure(reported('22000', words))).toBe(false)
})

test.each([
  ['XX000', 'cache lookup failed for relation 7'],
  ['58030', 'could not write to file "base/1"'],
])('%s %s is no lost worker', (code, words) => {
  expect(isConnectionFailure(reported(code, words))).toBe(false)
})
