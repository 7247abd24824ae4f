import type { SourceFile } from './source-tree.ts'

/**
 * Folders whose operations must use the real time, also in a sandbox that was moved forward (ADR 47): security, rows that both modes share,
 * and parties outside.
 */
export const onRealTime = [
  'people',
  'identity',
  'organisations',
  'api-keys',
  'foundings',
  'departures',
  'sellers',
  'webhooks',
  'confirmations',
  'programs',
  'billing/payments',
  'billing/settling',
  'billing/subscriptions',
  'collection/settlement-accounts',
  'collection/payouts',
].map((folder) => `server/src/modules/${folder}/`)

/** Every operation names the capabilities that it needs. */
const needs = /\bneeds: /g

/** Every operation of these folders says `time: 'real'`. */
export function checkRealTime(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => onRealTime.some((folder) => path.startsWith(folder)) && !path.endsWith('.test.ts'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(needs)]
        .filter(({ index }) => !/time: 'real',\s*$/.test(text.slice(0, index)))
        .map(({ index }) => {
          const line = text.slice(0, index).split('\n').length
          return `${path}:${line}: this operation must say time: 'real', or a moved sandbox changes its time`
        }),
    )
}
