import { CommanderError, type Command } from 'commander'
import { expect, test } from 'vitest'
import { buildProgram } from '../../cli/program.ts'
import { blocks, inHelp, inHints, inTyped, inText, SPECS, type DocumentedCommand } from './documented-commands.ts'

/** Splits words like a shell. */
function wordsOf(command: string): string[] {
  const plain = command.replace(/\s\d?[<>]+\s*\S+/g, '')
  return [...plain.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((found) => found[1] ?? found[2] ?? found[3]!)
}

/** `svc` and `agent` commands in a line with pipes and substitutions. */
const oursIn = (line: string): string[] =>
  line
    .split(/\s\|\s|<\(|\)|&&/)
    .map((part) => part.trim().replace(/^(?:[A-Z_]+=\S+ |\.\/bin\/)+/, ''))
    .filter((part) => /^(svc|agent) /.test(part))

/** Returns null if the command parses, otherwise the error. */
async function fault(command: string): Promise<string | null> {
  const [program, ...words] = wordsOf(command)
  const tree = await buildProgram(SPECS[program!]!, words)
  const quiet = (each: Command): void => {
    each.configureOutput({ writeOut: () => undefined, writeErr: () => undefined, outputError: () => undefined })
    if (each.commands.length === 0) each.action(() => undefined)
    each.commands.forEach(quiet)
  }
  quiet(tree)
  try {
    await tree.parseAsync(words, { from: 'user' })
    return null
  } catch (error) {
    // A group without a command prints its help.
    return error instanceof CommanderError && error.code.startsWith('commander.help') ? null : (error as Error).message
  }
}

async function faults(commands: readonly DocumentedCommand[]): Promise<string[]> {
  const found: string[] = []
  for (const { line, where } of commands)
    for (const command of oursIn(line)) {
      const says = await fault(command)
      if (says !== null) found.push(`${where}: ${command}: ${says.split('\n')[0]}`)
    }
  return found
}

const shown = (what: string, commands: readonly DocumentedCommand[]) =>
  console.log(`${what}: ${commands.length} commands`)

test('parses the commands in code blocks of README and docs/', async () => {
  const commands = blocks()
  shown('code blocks', commands)
  expect(commands.length).toBeGreaterThan(100)
  expect(await faults(commands)).toEqual([])
})

test('parses the commands in the text of README and docs/', async () => {
  const commands = inText()
  shown('text', commands)
  expect(commands.length).toBeGreaterThan(30)
  // Text may name commands without arguments or with placeholders.
  const needs = /missing required argument|required option|wanted KIND\/NAME/
  expect((await faults(commands)).filter((each) => !needs.test(each))).toEqual([])
})

test('parses the commands in the help of every command', async () => {
  const commands = await inHelp()
  shown('help', commands)
  expect(commands.length).toBeGreaterThan(100)
  expect(await faults(commands)).toEqual([])
})

test('parses the commands in hints of the program', async () => {
  const commands = [...inTyped(), ...inHints()]
  shown('hints', commands)
  expect(commands.length).toBeGreaterThan(40)
  expect(await faults(commands)).toEqual([])
})

test('detects invalid commands', async () => {
  expect(await fault('agent orchestrator set-policy greeter --mode deny_all')).toMatch(/unknown option/)
  expect(await fault('svc reconcil')).toMatch(/unknown command/)
})
