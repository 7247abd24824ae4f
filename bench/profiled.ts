import { mkdir, writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'

/** Writes a CPU profile of `work` into the folder `BENCH_PROFILE`, if that is set. */
export async function profiled<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const folder = process.env.BENCH_PROFILE
  if (folder === undefined) return await work()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.start')
  const result = await work()
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${name}.cpuprofile`), JSON.stringify(profile))
  return result
}
