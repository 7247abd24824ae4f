import { join } from 'node:path'
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
  type Transport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect } from 'vitest'

export interface McpCaller {
  readonly client: Client
  /** calls a tool: its JSON, whether that is an error or not */
  ask(tool: string, input?: Record<string, unknown>): Promise<any>
  /** the same for a tool that must succeed */
  call(tool: string, input?: Record<string, unknown>): Promise<any>
  names(): Promise<string[]>
  close(): Promise<void>
}

const usual: ClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } }

/** The official client of the Model Context Protocol, over real HTTP. */
export function mcpClient(url: string, token: string, options: ClientOptions = {}): Promise<McpCaller> {
  return mcpClientOf(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } }, options)
}

/** The same client with a transport of the test's choice, such as one that signs in by itself. */
export function mcpClientOf(
  url: string,
  transport: StreamableHTTPClientTransportOptions,
  options: ClientOptions = {},
): Promise<McpCaller> {
  return callerOver(new StreamableHTTPClientTransport(new URL('/mcp', url), transport), options)
}

/** The same client over stdin and stdout of `risiti mcp`, as a process. */
export function mcpClientOverStdio(
  env: Readonly<Record<string, string>>,
  options: ClientOptions = {},
): Promise<McpCaller> {
  const args = [join(import.meta.dirname, '../../cli/src/main.ts'), 'mcp']
  return callerOver(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }), options)
}

async function callerOver(transport: Transport, options: ClientOptions): Promise<McpCaller> {
  const client = new Client({ name: 'test', version: '1' }, { ...usual, ...options })
  await client.connect(transport)
  const ask: McpCaller['ask'] = async (name, input = {}) => {
    const { content, structuredContent } = await client.callTool({ name, arguments: input })
    const [text] = content as { text: string }[]
    // Programs and models read the same.
    expect(JSON.parse(text?.text ?? '')).toEqual(structuredContent)
    return structuredContent
  }
  return {
    client,
    ask,
    call: async (name, input) => {
      const data = await ask(name, input)
      expect(data.error, JSON.stringify(data)).toBeUndefined()
      return data
    },
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    close: () => client.close(),
  }
}
