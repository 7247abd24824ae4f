import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { inTurns, type Row } from './measure.ts'
import { ended, printed, type Risiti } from './server-process.ts'

/** Measures authentication, limits, the envelope and logging together. The yardstick is a route that does nothing. */
export async function benchAuthMe({ url, demo }: Risiti): Promise<Row> {
  const login = await fetch(`${url}/a/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: demo.email, password: demo.password }),
  })
  const { data } = (await login.json()) as { data: { accessToken: string } }
  const headers = { authorization: `Bearer ${data.accessToken}` }
  const sample = await (await fetch(`${url}/a/v1/auth/me`, { headers })).text()
  const bare = spawn(process.execPath, [join(import.meta.dirname, 'bare-fastify.ts')], {
    env: { PATH: process.env.PATH, BODY: sample },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const bareUrl = await printed(bare, /listens at (http:\S+)/)
    const [ours, yardstick] = await inTurns({ url: `${url}/a/v1/auth/me`, headers }, { url: bareUrl })
    return {
      name: 'GET /a/v1/auth/me with a session',
      unit: 'requests/s',
      ours,
      yardstick,
      yardstickName: 'bare Fastify, same bytes',
      goal: 0.4,
    }
  } finally {
    await ended(bare)
  }
}
