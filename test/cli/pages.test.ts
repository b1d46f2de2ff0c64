// docs/commands.md matches the commands and their options.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { agent } from '../../cli/agent/commands.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { buildProgram } from '../../cli/program.ts'
import { svc } from '../../cli/svc/commands.ts'
import { root } from '../support/root.ts'

const page = readFileSync(join(root, 'docs', 'commands.md'), 'utf8')
const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((text) => [text.split('\n')[0]!, text.split(/^## /m)[0]!]),
)

/** Text of a section; a short form includes that of the full command. */
const textOf = (path: string): string => {
  const text = sections.get(path)!
  const other = /^Short for `(.*)`\.$/m.exec(text)?.[1]
  return other === undefined ? text : text + sections.get(other)!
}

const leaves = (command: Command, path: string[]): { path: string; command: Command }[] =>
  command.commands.length === 0
    ? [{ path: path.join(' '), command }]
    : command.commands.flatMap((child) => leaves(child, [...path, child.name()]))

const commands = (
  await Promise.all([svc, agent].map(async (spec) => leaves(await buildProgram(spec, null), [spec.name])))
).flat()

test('has one section per command', () => {
  expect([...sections.keys()].sort()).toEqual(commands.map(({ path }) => path).sort())
})

test('shows an example of its command in every section', () => {
  const without = commands.filter(
    ({ path }) =>
      !new RegExp(`\`\`\`\n(.*\n)*?.*${path.replace(/ (list)$/, '( $1)?')}|validate-template`).test(
        sections.get(path)!,
      ),
  )
  expect(without.map(({ path }) => path)).toEqual([])
})

test('names every option and argument of a command in its section', () => {
  const missing = commands.flatMap(({ path, command }) => [
    ...command.options
      .filter((option) => !textOf(path).includes(option.long!))
      .map((option) => `${path} ${option.long}`),
    ...command.registeredArguments
      .filter((argument) => !textOf(path).includes(argument.name()))
      .map((argument) => `${path} <${argument.name()}>`),
  ])
  expect(missing).toEqual([])
})

test('lists no unknown option', () => {
  const invented = commands.flatMap(({ path, command }) =>
    [...sections.get(path)!.matchAll(/^- `(?:-\w, )?(--[a-z-]+)/gm)]
      .map((match) => match[1]!)
      .filter((flag) => !command.options.some((option) => option.long === flag))
      .map((flag) => `${path} ${flag}`),
  )
  expect(invented).toEqual([])
})

test('lists every exit code in the tables', () => {
  expect(Object.values(EXIT).filter((code) => !page.includes(`| ${code} |`))).toEqual([])
})
