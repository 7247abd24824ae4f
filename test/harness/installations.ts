import pg from 'pg'
import { afterAll } from 'vitest'

const clients: pg.Client[] = []
afterAll(() => Promise.all(clients.splice(0).map((client) => client.end())))

/** A connection to the database of a process, closed at the end of the test file. */
export async function sqlOn(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  clients.push(client)
  return client
}

export const statusOf = async (url: string, headers: Record<string, string> = {}): Promise<number> =>
  (await fetch(url, { headers })).status

export const registration = (email: string) => ({
  email,
  password: 'correct horse battery',
  firstName: 'Ngozi',
  lastName: 'Eze',
  organizationName: 'Eze Stores',
  country: 'NG',
})
