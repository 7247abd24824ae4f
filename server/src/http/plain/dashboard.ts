import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { KeptText } from '../reply/kept-text.ts'

/** The first path segments of the dashboard. Each page is the same file, and its script reads the page from the address. */
export const dashboardPaths = [
  'sign-in',
  'register',
  'verify-email',
  'forgot-password',
  'accept-invitation',
  'confirm-change',
  'connect',
  'overview',
  'invoices',
  'quotes',
  'recurring',
  'reminders',
  'buyers',
  'sellers',
  'items',
  'received',
  'tax-returns',
  'collection',
  'billing',
  'developers',
  'team',
  'settings',
  'import',
] as const

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

/** Nothing inline, nothing from other hosts. Images and PDFs that were fetched with a session are shown from memory. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self' blob:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

function readAll(folder: string): ReadonlyMap<string, KeptText> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.flatMap(({ parentPath, name }) => {
      const type = mediaTypes[extname(name)]
      if (type === undefined) return []
      const bytes = readFileSync(join(parentPath, name))
      return [[join(parentPath, name).slice(folder.length), new KeptText(type, () => bytes)]]
    }),
  )
}

/** The built dashboard, read once and kept in memory. Its files are static and do not count. */
export function serveDashboard(server: FastifyInstance, folder: string): void {
  const files = readAll(folder)
  const page = files.get('/index.html')
  if (!page) throw new Error(`there is no index.html in ${folder}`)
  const showPage = (request: FastifyRequest, reply: FastifyReply) =>
    page.send(request, reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' }))
  server.get('/', showPage)
  for (const path of dashboardPaths) {
    server.get(`/${path}`, showPage)
    server.get(`/${path}/*`, showPage)
  }
  for (const [path, file] of files) {
    if (file === page) continue
    // File names in `assets` contain a hash of the content.
    const lasts = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    server.get(path, (request, reply) => file.send(request, reply.header('cache-control', lasts)))
  }
}
