// Every command that is told to people is one: the program knows its words and its options, as they are written there.
import { CommanderError, type Command } from 'commander'
import { expect, test } from 'vitest'
import { buildProgram } from '../../cli/program.ts'
import { blocks, inHelp, inHints, inTyped, inText, SPECS, type Told } from './told.ts'

/** Words as a shell splits them. */
function wordsOf(command: string): string[] {
  const plain = command.replace(/\s\d?[<>]+\s*\S+/g, '')
  return [...plain.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((found) => found[1] ?? found[2] ?? found[3]!)
}

/** The commands of ours in a line with pipes and substitutions. */
const oursIn = (line: string): string[] =>
  line
    .split(/\s\|\s|<\(|\)|&&/)
    .map((part) => part.trim().replace(/^(?:[A-Z_]+=\S+ |\.\/bin\/)+/, ''))
    .filter((part) => /^(svc|agent) /.test(part))

/** Null when the program takes it; else what it says. */
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
    // A group is named alone: its help is the answer.
    return error instanceof CommanderError && error.code.startsWith('commander.help') ? null : (error as Error).message
  }
}

async function faults(told: readonly Told[]): Promise<string[]> {
  const found: string[] = []
  for (const { line, where } of told)
    for (const command of oursIn(line)) {
      const says = await fault(command)
      if (says !== null) found.push(`${where}: ${command}: ${says.split('\n')[0]}`)
    }
  return found
}

const shown = (what: string, told: readonly Told[]) => console.log(`${what}: ${told.length} commands`)

test('in the code blocks of README and docs/', async () => {
  const told = blocks()
  shown('code blocks', told)
  expect(told.length).toBeGreaterThan(100)
  expect(await faults(told)).toEqual([])
})

test('in the text of README and docs/', async () => {
  const told = inText()
  shown('text', told)
  expect(told.length).toBeGreaterThan(30)
  // Words that stand for the reader's own, and names of commands without what they need, are no whole commands.
  const needs = /missing required argument|required option|wanted KIND\/NAME/
  expect((await faults(told)).filter((each) => !needs.test(each))).toEqual([])
})

test('in the help of every command', async () => {
  const told = await inHelp()
  shown('help', told)
  expect(told.length).toBeGreaterThan(100)
  expect(await faults(told)).toEqual([])
})

test('in the hints of the program', async () => {
  const told = [...inTyped(), ...inHints()]
  shown('hints', told)
  expect(told.length).toBeGreaterThan(40)
  expect(await faults(told)).toEqual([])
})

test('what is no command is found out', async () => {
  expect(await fault('agent orchestrator set-policy greeter --mode deny_all')).toMatch(/unknown option/)
  expect(await fault('svc reconcil')).toMatch(/unknown command/)
})
