// Commands that are told to people: in README and docs/, in the help of each command, in hints of the program.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { agent } from '../../cli/agent/commands.ts'
import { buildProgram, type ProgramSpec } from '../../cli/program.ts'
import { svc } from '../../cli/svc/commands.ts'
import { root } from '../support/root.ts'

export interface Told {
  /** As it is written there. */
  line: string
  where: string
}

export const SPECS: Readonly<Record<string, ProgramSpec>> = { svc, agent }

const PROGRAM = /(?:^|[\s|(])(?:\.\/bin\/)?(?:svc|agent) (?=[a-z])/

const pages = (): string[] => [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.startsWith('decisions'))
    .map((path) => join('docs', path)),
]

/** Lines of code blocks, one a command. */
export const blocks = (): Told[] =>
  pages().flatMap((where) =>
    blockLines(readFileSync(join(root, where), 'utf8'))
      .map((line) => line.replace(/\s+# .*$/, '').trim())
      .filter((line) => PROGRAM.test(line))
      .map((line) => ({ line, where })),
  )

/** Of blocks that are for a shell: without a language, or with its own. */
function blockLines(text: string): string[] {
  const lines: string[] = []
  let language: string | null = null
  for (const line of text.split('\n')) {
    const fence = /^```(\w*)/.exec(line)
    if (fence) language = language === null ? fence[1]! : null
    else if (language === '' || language === 'sh') lines.push(line)
  }
  return lines
}

/** Commands in running text. A word in capitals stands for one of the reader's. */
export function inText(): Told[] {
  return pages().flatMap((where) =>
    [...readFileSync(join(root, where), 'utf8').matchAll(/`((?:\.\/bin\/)?(?:svc|agent) [a-z][^`\n]*)`/g)]
      .map(([, line]) => ({ line: line!, where }))
      .filter(({ line }) => !/…|\{| \| |, |= /.test(line)),
  )
}

const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : [command, ...command.commands.flatMap(leaves)]

/** What the help of each command shows as an example, or as most used. */
export async function inHelp(): Promise<Told[]> {
  const programs = await Promise.all(Object.values(SPECS).map((spec) => buildProgram(spec, null)))
  return programs.flatMap(leaves).flatMap((command) => {
    let help = ''
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
    const lines = [...help.matchAll(/^ {2}\$ (.*)$/gm)].map(([, line]) => line!.replace(/\s+# .*$/, ''))
    return lines.map((line) => ({ line, where: `the help of ${command.name()}` }))
  })
}

const SOURCES = ['cli', 'controller', 'platform', 'services', 'daemon', 'bridge', 'schemas', 'reconcilers', 'api']

/** What stands for values: the outermost, where there is one; commands have no more than two. */
const withoutValues = (text: string): string =>
  text.split('${').length === 2 ? text.replace(/\$\{[\s\S]*\}/, 'X') : text.replace(/\$\{[^}]*\}/g, 'X')

/** Hints of the commands: each is a `typed` of its own. A value in it is an X. */
export function inTyped(): Told[] {
  const files = readdirSync(join(root, 'cli'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join('cli', path))
  return files.flatMap((where) =>
    [...readFileSync(join(root, where), 'utf8').matchAll(/\btyped`([^`]*)`/g)].map(([, line]) => ({
      line: withoutValues(line!),
      where,
    })),
  )
}

/** Hints of other texts of the program: a command in double quotes, or after a colon at the end of a line. */
export function inHints(): Told[] {
  const files = SOURCES.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(folder, path)),
  )
  return files.flatMap((where) => {
    const text = readFileSync(join(root, where), 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(\/\/|\*|\/\*)|name="svc /.test(line))
      .join('\n')
      .replace(/\$\{[^}]*\}/g, 'X')
    const quoted = [...text.matchAll(/"((?:svc|agent) [a-z][^"'\n]*)"/g)]
    const after = [...text.matchAll(/(?:with|by|through|in): ((?:svc|agent) [a-z][^'`"\n;]*)[`';]/g)]
    return [...quoted, ...after].map(([, line]) => ({ line: line!, where }))
  })
}
