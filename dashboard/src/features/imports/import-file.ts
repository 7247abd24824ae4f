import type { NewImport } from '@risiti/sdk'
import type { Kind } from './kinds.ts'

type FileToImport = Pick<NewImport, 'fileName' | 'format' | 'content'>

/** Limits of the service: 3 MiB for a workbook, 4 MiB for text. */
const mostBytes = { csv: 4 * 1024 * 1024, xlsx: 3 * 1024 * 1024 }

export class UnfitFile extends Error {}

/** Works in chunks, because an argument list has a limited length. */
function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}

/** Older spreadsheets write text that is not UTF-8. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

export async function readImportFile(file: File): Promise<FileToImport> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  // Detects the format by content, not by name: a workbook is a ZIP file.
  const format = bytes[0] === 0x50 && bytes[1] === 0x4b ? 'xlsx' : 'csv'
  if (/\.xls$/i.test(file.name) && format === 'csv')
    throw new UnfitFile('This workbook has an old format. Save it as .xlsx or as CSV, and choose the new file.')
  if (bytes.length > mostBytes[format])
    throw new UnfitFile('This file is too large. Split the file, or save it as CSV.')
  return { fileName: file.name.slice(0, 255), format, content: format === 'xlsx' ? base64Of(bytes) : textOf(bytes) }
}

/** Recently checked files, for another check with other columns. A reload of the page drops them. */
const kept = new Map<string, FileToImport & { readonly kind: Kind }>()
const mostKept = 5

export function keepFile(id: string, file: FileToImport & { readonly kind: Kind }): void {
  kept.set(id, file)
  for (const oldest of kept.keys()) {
    if (kept.size <= mostKept) break
    kept.delete(oldest)
  }
}

export const keptFile = (id: string) => kept.get(id)
