import { expect, test } from 'vitest'
import {
  checkChangelog,
  checkCommands,
  checkDecisions,
  checkGlossary,
  checkGlossaryLinks,
  checkLinks,
  checkModuleList,
  checkNamedFolders,
  checkNamedTests,
  checkRooms,
} from './docs.ts'
import { file, readCommitted, readTree } from './source-tree.ts'

const scripts = { prestart: 'x', start: 'x', test: 'x', bench: 'x' }
const commands = 'Run `npm start`, `npm test` and `npm run bench`.'

test('the checks find planted violations', () => {
  expect(checkCommands(commands, scripts)).toEqual([])
  expect(checkCommands(undefined, scripts)).toEqual([expect.stringContaining('docs/commands.md is missing')])
  expect(checkCommands(`${commands} Then \`npm run deploy:all\`.`, scripts)).toEqual([
    'docs/commands.md names npm run deploy:all, which package.json lacks',
  ])
  expect(checkCommands('`npm start`, `npm run test`', scripts)).toEqual([
    'package.json has the script bench, which docs/commands.md does not name',
  ])

  const known = ['README.md', 'docs/adr/0001-a.md', 'server/src/modules/items/README.md']
  const linksOf = (path: string, text: string) => checkLinks([file(path, text)], known)
  expect(linksOf('README.md', '[a](docs/adr) [b](docs/adr/0001-a.md#why) [c](https://x.test/y) [d](#here)')).toEqual([])
  expect(linksOf('docs/adr/0001-a.md', '[up](../../README.md) [root](/README.md)\n```\n[code](gone.md)\n```')).toEqual(
    [],
  )
  expect(linksOf('README.md', '[a](docs/gone.md)')).toEqual(['README.md links to docs/gone.md, which does not exist'])
  expect(linksOf('README.md', '![a](<docs/gone.png> "A picture")')).toHaveLength(1)
  expect(linksOf('README.md', 'See [a].\n\n[a]: docs/gone.md')).toHaveLength(1)
  expect(linksOf('server/src/modules/items/README.md', '[a](../sellers/README.md)')).toHaveLength(1)

  expect(checkChangelog('# Changelog\n\n## [Unreleased]\n\n## [0.1.0]', '0.2.0')).toEqual([])
  expect(checkChangelog('# Changelog\n\n## [0.2.0]', '0.2.0')).toEqual([])
  expect(checkChangelog('# Changelog\n\n## [0.1.0]', '0.2.0')).toHaveLength(1)
  expect(checkChangelog(undefined, '0.2.0')).toHaveLength(1)
  const sections = (...names: string[]) => ['## [Unreleased]', ...names.map((name) => `### ${name}`)].join('\n\n')
  expect(checkChangelog(`# Changelog\n\n${sections('Added', 'Fixed', 'Security')}`, '0.2.0')).toEqual([])
  expect(checkChangelog(`# Changelog\n\n${sections('Fixed', 'Added')}`, '0.2.0')).toHaveLength(1)
  expect(checkChangelog(`# Changelog\n\n${sections('Added', 'Fixed', 'Added')}`, '0.2.0')).toHaveLength(1)
  expect(checkChangelog(`# Changelog\n\n${sections('Added', 'Mended')}`, '0.2.0')).toHaveLength(1)

  const rooms = [
    'server/src/modules/items/README.md',
    'server/src/modules/items/item.ts',
    'server/src/platform/clock.ts',
  ]
  expect(checkRooms(rooms)).toEqual([])
  expect(checkRooms([...rooms, 'server/src/platform/background/queues.ts'])).toEqual([
    'server/src/platform/background has no README.md that says what it owns',
  ])

  expect(checkModuleList('| goods | `items`, `buyers` |', ['items', 'buyers'])).toEqual([])
  expect(checkModuleList('| goods | `items`, `wares` |', ['items', 'buyers'])).toEqual([
    'modules/README.md does not name buyers',
    'modules/README.md names wares, which is gone',
  ])
  expect(checkNamedFolders([file('a/README.md', 'In `items/`.')], rooms)).toEqual([])
  expect(checkNamedFolders([file('a/README.md', 'In `tems/` and `hearing/`.')], rooms)).toEqual([
    'a/README.md names the folder tems/, which does not exist',
    'a/README.md names the folder hearing/, which does not exist',
  ])

  const decisions = [file('docs/adr/0001-a.md', '# 1. A'), file('docs/adr/0002-b.md', '# 2. B')]
  expect(checkDecisions(decisions)).toEqual([])
  expect(checkDecisions([...decisions, file('docs/adr/0002-c.md', '# 2. C')])).toEqual([
    'docs/adr/0002-c.md should be number 3, in its name and in its heading',
  ])
  expect(checkDecisions([file('docs/adr/0001-a.md', '# 2. A')])).toHaveLength(1)

  const tests = ['server/src/platform/clock.test.ts']
  expect(checkNamedTests([file('a.md', 'Held by `platform/clock.test.ts` and `*.test.ts`.')], tests)).toEqual([])
  expect(checkNamedTests([file('a.md', 'Held by `lock.test.ts`.')], tests)).toEqual([
    'a.md names lock.test.ts, which does not exist',
  ])

  const linked = [file('README.md', 'See the [glossary](docs/glossary.md).'), file('OTHER.md', 'No link.')]
  expect(checkGlossaryLinks(linked, 'docs/glossary.md', ['README.md'])).toEqual([])
  expect(checkGlossaryLinks(linked, 'docs/glossary.md', ['README.md', 'OTHER.md', 'GONE.md'])).toEqual([
    'OTHER.md does not link to docs/glossary.md',
    'GONE.md does not link to docs/glossary.md',
  ])
  const rows = '| word | meaning |\n| --- | --- |\n| job | Background work. |\n'
  expect(checkGlossary(rows)).toEqual([])
  expect(checkGlossary(`${rows}| job | A task. |\n`)).toEqual(['the glossary explains "job" twice'])
  expect(checkGlossary('# Glossary')).toHaveLength(1)
})

const textOf = (path: string) => readTree().find((source) => source.path === path)?.text
const manifest = JSON.parse(readCommitted('package.json')) as { version: string; scripts: Record<string, string> }

test('docs/commands.md names the commands that exist', () => {
  expect(checkCommands(textOf('docs/commands.md'), manifest.scripts)).toEqual([])
})

test('every relative link leads somewhere', () => {
  const pages = readTree().filter(({ path }) => path.endsWith('.md'))
  const files = readTree().map(({ path }) => path)
  expect(checkLinks(pages, files)).toEqual([])
})

test('decisions are numbered without gaps or doubles', () => {
  expect(checkDecisions(readTree().filter(({ path }) => /^docs\/adr\/\d/.test(path)))).toEqual([])
})

test('every room says what it owns', () => {
  expect(checkRooms(readTree().map(({ path }) => path))).toEqual([])
})

test('modules/README.md lists the modules, and READMEs name only folders that exist', () => {
  const files = readTree().map(({ path }) => path)
  const modules = [...new Set(files.flatMap((path) => /^server\/src\/modules\/([^/]+)\//.exec(path)?.[1] ?? []))]
  expect(checkModuleList(textOf('server/src/modules/README.md') ?? '', modules)).toEqual([])
  const pages = readTree().filter(({ path }) => /^server\/src\/.*README\.md$/.test(path))
  expect(checkNamedFolders(pages, files)).toEqual([])
})

test('the changelog is kept', () => {
  expect(checkChangelog(textOf('CHANGELOG.md'), manifest.version)).toEqual([])
})

test('README, ARCHITECTURE and CONTRIBUTING link to the glossary, which explains each term once', () => {
  expect(
    checkGlossaryLinks(readTree(), 'docs/glossary.md', ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']),
  ).toEqual([])
  expect(checkGlossary(readCommitted('docs/glossary.md'))).toEqual([])
})

test('every test that a page names exists', () => {
  const pages = readTree().filter(({ path }) => path.endsWith('.md'))
  const files = readTree().map(({ path }) => path)
  expect(checkNamedTests(pages, files)).toEqual([])
})
