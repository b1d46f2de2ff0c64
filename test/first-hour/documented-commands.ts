// Finds the commands in README, docs/, help and hints.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { agent } from '../../cli/agent/commands.ts'
import { buildProgram, type ProgramSpec } from '../../cli/program.ts'
import { svc } from '../../cli/svc/commands.ts'
import { root } from '../support/root.ts'

export interface DocumentedCommand {
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

export const blocks = (): DocumentedCommand[] =>
  pages().flatMap((where) =>
    blockLines(readFileSync(join(root, where), 'utf8'))
      .map((line) => line.replace(/\s+# .*$/, '').trim())
      .filter((line) => PROGRAM.test(line))
      .map((line) => ({ line, where })),
  )

/** Lines of blocks without a language or in `sh`. */
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

export function inText(): DocumentedCommand[] {
  return pages().flatMap((where) =>
    [...readFileSync(join(root, where), 'utf8').matchAll(/`((?:\.\/bin\/)?(?:svc|agent) [a-z][^`\n]*)`/g)]
      .map(([, line]) => ({ line: line!, where }))
      .filter(({ line }) => !/…|\{| \| |, |= /.test(line)),
  )
}

const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : [command, ...command.commands.flatMap(leaves)]

export async function inHelp(): Promise<DocumentedCommand[]> {
  const programs = await Promise.all(Object.values(SPECS).map((spec) => buildProgram(spec, null)))
  return programs.flatMap(leaves).flatMap((command) => {
    let help = ''
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
    const lines = [...help.matchAll(/^ {2}\$ (.*)$/gm)].map(([, line]) => line!.replace(/\s+# .*$/, ''))
    return lines.map((line) => ({ line, where: `the help of ${command.name()}` }))
  })
}

const SOURCES = ['cli', 'controller', 'platform', 'services', 'daemon', 'bridge', 'schemas', 'reconcilers', 'api']

/** Replaces values with X; a single value may contain nested ones. */
const withoutValues = (text: string): string =>
  text.split('${').length === 2 ? text.replace(/\$\{[\s\S]*\}/, 'X') : text.replace(/\$\{[^}]*\}/g, 'X')

/** Hints in `typed` templates, with X for values. */
export function inTyped(): DocumentedCommand[] {
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

/** Hints in other texts: a command in double quotes, or after a colon at the end of a line. */
export function inHints(): DocumentedCommand[] {
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
