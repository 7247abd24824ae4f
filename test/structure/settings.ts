import { ConfigProblems, type readConfig } from '../../server/src/platform/config.ts'

/** The row of a setting. One row may describe several related settings. */
export interface SettingRow {
  readonly names: readonly string[]
  readonly standard: string | undefined
  readonly text: string
}

type ReadConfig = typeof readConfig
type Env = Readonly<Record<string, string>>

/** The rows of the table whose first column is headed "setting". */
export function settingRows(page: string): SettingRow[] {
  const table = /^\| setting \|.*\n\|[- |]+\n((?:\|.*\n)*)/m.exec(page)?.[1] ?? ''
  return table
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [names = '', standard = '', ...rest] = line.split('|').slice(1, -1)
      return {
        names: [...names.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name as string),
        standard: /`([^`]+)`/.exec(standard)?.[1],
        text: rest.join(' ').replaceAll('`', ''),
      }
    })
}

/** Every setting that the code reads, found by a proxy. */
export function settingsRead(read: ReadConfig): string[] {
  const names = new Set<string>()
  read(
    new Proxy(
      {},
      {
        get: (_, name) => {
          names.add(String(name))
          return undefined
        },
      },
    ),
    [],
  )
  return [...names]
}

function problemsWith(read: ReadConfig, env: Env): readonly string[] {
  try {
    read(env, [])
    return []
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems
    throw error
  }
}

/** Each setting with a rule rejects at least one of these values. */
const nonsense = ['x', '-1', '99999999999999999999', 'http://example.test', 'postgres://example.test/x', '::']
const circumstances: Env[] = [{}, { NODE_ENV: 'production' }]

/** The rules of the settings: the messages for invalid values, alone or in production. */
export function rulesOf(read: ReadConfig): { name: string; rule: string }[] {
  const names = settingsRead(read)
  const said = new Set(
    circumstances.flatMap((env) =>
      names.flatMap((name) => nonsense.flatMap((value) => problemsWith(read, { ...env, [name]: value }))),
    ),
  )
  const rules = [...said].flatMap((problem) => {
    const [, subjects = '', rest = ''] = /^([A-Z_]+(?:(?:, | and )[A-Z_]+)*) (.*)$/s.exec(problem) ?? []
    // The given value and the reason are not part of the rule.
    const rule = rest.replace(/[,;] not ".*$|: .*$/s, '').replace(/^must (be )?/, '')
    return (subjects.match(/[A-Z_]+/g) ?? []).map((name) => ({ name, rule }))
  })
  return [...new Map(rules.map((rule) => [`${rule.name} ${rule.rule}`, rule])).values()]
}

/** The table must name every setting and no other, each with its rules and default. */
export function checkSettings(page: string, read: ReadConfig): string[] {
  const rows = settingRows(page)
  const rowOf = (name: string) => rows.find(({ names }) => names.includes(name))
  const names = settingsRead(read)
  const nothingSet = JSON.stringify(read({}, []))
  return [
    ...names.filter((name) => !rowOf(name)).map((name) => `the table of docs/settings.md lacks ${name}`),
    ...rows
      .flatMap((row) => row.names)
      .filter((name) => !names.includes(name))
      .map((name) => `the table of docs/settings.md names ${name}, which is not read`),
    ...rulesOf(read)
      .filter(({ name, rule }) => rowOf(name) && !rowOf(name)?.text.includes(rule))
      .map(({ name, rule }) => `docs/settings.md does not say of ${name}: ${rule}`),
    ...rows
      .filter(({ names: [name, ...others], standard }) => name && standard !== undefined && others.length === 0)
      .filter(({ names: [name], standard }) => JSON.stringify(read({ [name as string]: standard }, [])) !== nothingSet)
      .map(
        ({ names: [name], standard }) =>
          `docs/settings.md says that ${name} is ${standard} when it is not set, and it is not`,
      ),
  ]
}
