import type { OpenApiDocument } from './document.ts'

const lineWidth = 240

/**
 * A document as it is committed: values that fit on one line stand on one, so that a change is short to review. There is no indentation,
 * which would be a fifth of the file.
 */
export const documentText = (document: OpenApiDocument): string => `${laidOut(document)}\n`

function laidOut(value: unknown): string {
  const inOneLine = JSON.stringify(value)
  if (value === null || typeof value !== 'object' || inOneLine.length <= lineWidth) return inOneLine
  const parts = Array.isArray(value)
    ? value.map(laidOut)
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([key, one]) => `${JSON.stringify(key)}: ${laidOut(one)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${parts.join(',\n')}\n${close}`
}
