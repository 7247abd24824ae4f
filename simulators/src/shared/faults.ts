import type { Reply } from './http.ts'

/** What a proxy in between might say: the status is fine, and nothing else is. */
export const nonsense: Reply = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><title>Welcome</title><p>It works!</p>',
}

export const slowMs = 2_000
