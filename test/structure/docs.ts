import { posix } from 'node:path'
import type { SourceFile } from './source-tree.ts'

const isHook = (name: string, all: readonly string[]): boolean => {
  const hooked = /^(?:pre|post)(.+)$/.exec(name)?.[1]
  return hooked !== undefined && all.includes(hooked)
}

/** The page of commands names every command of package.json, and no other. */
export function checkCommands(page: string | undefined, scripts: Readonly<Record<string, string>>): string[] {
  if (page === undefined) return ['docs/commands.md is missing: write it, with every npm script in it']
  const named = new Set(
    [...page.matchAll(/\bnpm (?:run ([\w:-]+)|(test|start)\b)/g)].map((match) => match[1] ?? match[2]),
  )
  const existing = Object.keys(scripts)
  return [
    ...[...named]
      .filter((name) => !existing.includes(name as string))
      .map((name) => `docs/commands.md names npm run ${name}, which package.json lacks`),
    ...existing
      .filter((name) => !isHook(name, existing) && !named.has(name))
      .map((name) => `package.json has the script ${name}, which docs/commands.md does not name`),
  ]
}

/** What is between back-ticks is text about code, not a link. */
const withoutCode = (markdown: string): string =>
  markdown.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '')

function linksIn(markdown: string): string[] {
  const text = withoutCode(markdown)
  const inline = [...text.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)]
  const references = [...text.matchAll(/^\s*\[[^\]]+\]:\s*<?([^\s>]+)/gm)]
  return [...inline, ...references].map((match) => match[1] as string)
}

const isElsewhere = (link: string): boolean => /^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(link)

/** Every relative link leads to a file or folder of the project. */
export function checkLinks(pages: readonly SourceFile[], files: readonly string[]): string[] {
  const known = new Set(
    files.flatMap((path) => path.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'))),
  )
  return pages.flatMap(({ path, text }) =>
    linksIn(text)
      .filter((link) => !isElsewhere(link))
      .filter((link) => !known.has(targetOf(path, link)))
      .map((link) => `${path} links to ${link}, which does not exist`),
  )
}

function targetOf(page: string, link: string): string {
  const path = decodeURI(link.replace(/[#?].*$/, ''))
  return posix.join(path.startsWith('/') ? '.' : posix.dirname(page), path).replace(/\/$/, '')
}

const changelogSections = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']

/** The changelog opens with what is not released yet, or with the version of package.json; its sections stand once, in their order. */
export function checkChangelog(changelog: string | undefined, version: string): string[] {
  const [, newest] = changelog?.split(/^(?=## )/m) ?? []
  const name = /^## \[([^\]]+)\]/.exec(newest ?? '')?.[1]
  if (newest === undefined || (name !== 'Unreleased' && name !== version))
    return [`CHANGELOG.md begins with ${name ?? 'nothing'}, not with [Unreleased] or [${version}]`]
  const sections = [...newest.matchAll(/^### (.+)$/gm)].map((match) => match[1] as string)
  const wanted = changelogSections.filter((section) => sections.includes(section))
  return sections.join() === wanted.join()
    ? []
    : [
        `CHANGELOG.md has the sections ${sections.join(', ')}; wanted once each, in this order: ${changelogSections.join(', ')}`,
      ]
}

/** Every module and every room of the platform says what it owns. */
export function checkRooms(files: readonly string[]): string[] {
  const rooms = new Set(
    files.flatMap((path) => /^server\/src\/(?:modules|platform)\/[^/]+(?=\/)/.exec(path)?.[0] ?? []),
  )
  return [...rooms]
    .filter((room) => !files.includes(`${room}/README.md`))
    .map((room) => `${room} has no README.md that says what it owns`)
}

/** The list of modules names every module, and no other. */
export function checkModuleList(list: string, modules: readonly string[]): string[] {
  const named = [...list.matchAll(/`([a-z-]+)`/g)].map((match) => match[1] as string)
  return [
    ...modules.filter((name) => !named.includes(name)).map((name) => `modules/README.md does not name ${name}`),
    ...named.filter((name) => !modules.includes(name)).map((name) => `modules/README.md names ${name}, which is gone`),
  ]
}

/** A folder that the README of a module names exists: beside the README, or anywhere in the project. */
export function checkNamedFolders(pages: readonly SourceFile[], files: readonly string[]): string[] {
  return pages.flatMap(({ path, text }) =>
    [...text.matchAll(/`([a-z][a-z/-]*)\/`/g)]
      .map((match) => match[1] as string)
      .filter((folder) => !files.some((one) => `/${one}`.includes(`/${folder}/`)))
      .map((folder) => `${path} names the folder ${folder}/, which does not exist`),
  )
}

/** Decisions are numbered one after the other, and each page begins with its number: a number that two pages share names neither. */
export function checkDecisions(pages: readonly SourceFile[]): string[] {
  const sorted = pages.toSorted((one, other) => one.path.localeCompare(other.path))
  return sorted.flatMap(({ path, text }, at) => {
    const number = at + 1
    return path.includes(`/${String(number).padStart(4, '0')}-`) && text.startsWith(`# ${number}. `)
      ? []
      : [`${path} should be number ${number}, in its name and in its heading`]
  })
}

/** Pages that a newcomer opens first lead to the glossary. */
export function checkGlossaryLinks(pages: readonly SourceFile[], glossary: string, from: readonly string[]): string[] {
  return from.flatMap((path) => {
    const text = pages.find((page) => page.path === path)?.text ?? ''
    return linksIn(text).some((link) => !isElsewhere(link) && targetOf(path, link) === glossary)
      ? []
      : [`${path} does not link to ${glossary}`]
  })
}

/** Each term of the glossary has one row: a term that is explained twice has two meanings. */
export function checkGlossary(glossary: string): string[] {
  const terms = [...glossary.matchAll(/^\| ([^|]+) \|/gm)]
    .map((match) => match[1] as string)
    .filter((term) => term !== 'word' && !/^-+$/.test(term))
  const repeated = terms.filter((term, at) => terms.indexOf(term) !== at)
  return [
    ...(terms.length === 0 ? ['the glossary has no terms'] : []),
    ...repeated.map((term) => `the glossary explains "${term}" twice`),
  ]
}

/** A page that says which test holds a promise names a test that exists. */
export function checkNamedTests(pages: readonly SourceFile[], files: readonly string[]): string[] {
  return pages.flatMap(({ path, text }) =>
    [...text.matchAll(/`([\w./-]+\.test\.tsx?)`/g)]
      .map((match) => match[1] as string)
      .filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)))
      .map((name) => `${path} names ${name}, which does not exist`),
  )
}
