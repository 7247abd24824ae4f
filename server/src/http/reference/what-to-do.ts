import { type RefusalName, refusals } from '../../kernel/refusals.ts'

/** The first sentence of a refusal names the problem. The other sentences are the remedy. */
export function meaningOf(reason: RefusalName): { means: string; remedy: string | undefined } {
  const [means = '', ...remedy] = refusals[reason].split(/(?<=\.) /)
  return { means, remedy: remedy.length > 0 ? remedy.join(' ') : undefined }
}
