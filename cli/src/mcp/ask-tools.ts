import { boundedFetch } from '../bounded-fetch.ts'
import { NoAnswer, Refused } from '../sdk.ts'
import type { Bearer } from './bridge.ts'

interface ToolsAt {
  /** address of the service */
  readonly server: string
  readonly bearer: Bearer
  readonly signal: AbortSignal
}

type Fields = Readonly<Record<string, unknown>>

const timeoutMs = 20_000
const version = '2026-07-28'
const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'risiti', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

const undefinedUnlessTooLarge = (error: unknown): undefined => {
  if (error instanceof NoAnswer) throw error
}

/** For commands that ask the tools themselves: a token for the tools works at `/mcp` alone. */
async function resultOf(at: ToolsAt, method: string, params: Fields): Promise<Fields> {
  let response = await send(at, method, params)
  if (response.status === 401 && (await at.bearer.renew?.())) response = await send(at, method, params)
  const body = (await response.json().catch(undefinedUnlessTooLarge)) as { result?: Fields; error?: Fields } | undefined
  if (!response.ok || !body?.result) throw new Refused(response.status, response.headers, body)
  return body.result
}

async function send({ server, bearer, signal }: ToolsAt, method: string, params: Fields): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'user-agent': 'risiti-cli/1.0.0',
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
    authorization: `Bearer ${await bearer.token()}`,
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } })
  const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    return await boundedFetch(`${server}/mcp`, { method: 'POST', headers, body, signal: within })
  } catch (cause) {
    throw new NoAnswer(`${server} did not answer`, { cause })
  }
}

/** Texts that others wrote come marked for a language model. A person needs no mark. */
function unmarked(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(unmarked)
  const fields = Object.entries(value)
  if (fields.length === 1 && typeof (value as Fields).untrusted === 'string') return (value as Fields).untrusted
  return Object.fromEntries(fields.map(([name, one]) => [name, unmarked(one)]))
}

/** Calls a tool that reads. */
export async function askTool(at: ToolsAt, name: string): Promise<unknown> {
  const { structuredContent, isError } = await resultOf(at, 'tools/call', { name, arguments: {} })
  if (isError === true) throw new Refused(400, new Headers(), structuredContent)
  return unmarked(structuredContent)
}

/** The tools that this sign-in may use, and whether one of them changes something. */
export async function listTools(at: ToolsAt): Promise<{ readonly count: number; readonly canChange: boolean }> {
  const { tools } = (await resultOf(at, 'tools/list', {})) as { readonly tools: readonly { readonly name: string }[] }
  return { count: tools.length, canChange: tools.some(({ name }) => name === 'confirm_action') }
}
