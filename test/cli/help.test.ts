// Checks that all help texts have one style.
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { agent } from '../../cli/agent/commands.ts'
import { docProgram } from '../../cli/agent/doc/program.ts'
import { buildProgram } from '../../cli/program.ts'
import { svc } from '../../cli/svc/commands.ts'
import { everyService } from '../../schemas/operations/services.ts'

const LONGEST = 60

const VERBS = new Set(
  `Add Answer Apply Approve Attach Change Check Collect Connect Count Create Create, Delete Deny Describe Dismiss End
  Export Follow Get Index Interrupt Launch List Manage Mark Move Open Pause Plan Post Print Push Read Rebuild Receive
  Register Release Remove Replace Restart Resume Retract Retry Revert Revoke Roll Run Search Send Serve Set Share Show
  Start Stop Store Stream Suspend Test Update Validate Withdraw Write`.split(/\s+/),
)

const UNUSUAL =
  /\b(?:anew|shall|heed|mend|nobody|somebody|everybody|whoever|no more|any more|all that|told|tells?|stands?|stood|looks? at|as it is|by itself|of its own|for good|whose|who (?:is|has|asks))\b/i

const commandsBelow = (command: Command, path: string): [string, Command][] =>
  command.commands.flatMap((child) => {
    const name = `${path} ${child.name()}`
    return [[name, child] as [string, Command], ...commandsBelow(child, name)]
  })

const programs = await Promise.all([svc, agent, docProgram].map((spec) => buildProgram(spec, null)))
const commands = programs.flatMap((program) => commandsBelow(program, program.name()))
const operations = everyService.flatMap((group) => Object.values(group.operations))

const summaries: [string, string][] = [
  ...commands.map(([name, command]): [string, string] => [name, command.description()]),
  ...operations.map(({ id, summary }): [string, string] => [id, summary]),
]

describe('every summary of a command or operation', () => {
  const failing = (fails: (text: string) => boolean) => summaries.filter(([, text]) => fails(text))

  test(`has at most ${LONGEST} characters`, () => {
    expect(failing((text) => text.length > LONGEST)).toEqual([])
  })

  test('starts with a verb in the imperative', () => {
    expect(failing((text) => !VERBS.has(text.split(' ')[0]!))).toEqual([])
  })

  test('ends without a full stop', () => {
    expect(failing((text) => text.endsWith('.'))).toEqual([])
  })

  test('uses the words of the field', () => {
    expect(failing((text) => UNUSUAL.test(text))).toEqual([])
  })
})

describe('every option and argument', () => {
  const described = commands.flatMap(([name, command]) => [
    ...command.options.map(({ long, description }) => ({ place: `${name} ${long}`, description })),
    ...command.registeredArguments.map((argument) => ({
      place: `${name} <${argument.name()}>`,
      description: argument.description,
    })),
  ])

  test('is described, with a capital first letter and no full stop', () => {
    const wrong = described.filter(
      ({ description }) => description === '' || /^[a-z]/.test(description) || description.endsWith('.'),
    )
    expect(wrong).toEqual([])
  })

  test('is described in the words of the field', () => {
    expect(described.filter(({ description }) => UNUSUAL.test(description))).toEqual([])
  })

  test.each([
    ['--output', /^Output format/],
    ['--json', /^(?:Same as -o json|Print one JSON object per line|Print JSON)/],
    ['--url', /^Address of the daemon/],
    ['--dry-run', /^Show the plan and change nothing$/],
    ['--detailed-exitcode', /xit with 2 if anything would change$/],
    ['--timeout', /^Maximum time to wait, such as 60s or 2m$/],
    ['--yes', /^Skip the confirmation prompt$/],
  ])('has one description for %s everywhere', (long, wanted) => {
    const found = described.filter(({ place }) => place.endsWith(` ${long}`))
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter(({ description }) => !wanted.test(description))).toEqual([])
  })
})

test('groups the commands of each program', async () => {
  const headings = (text: string) => [...text.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading)
  const help = (program: Command) => {
    let text = ''
    program.configureOutput({ writeOut: (part) => (text += part) }).outputHelp()
    return text
  }
  expect(headings(help(programs[0]!))).toEqual(['Options', 'Work', 'Inspect', 'Change', 'Set up', 'Most used'])
  expect(headings(help(programs[1]!))).toEqual([
    'Options',
    'Work',
    'Orchestrator',
    'Document store',
    'Other services',
    'Set up',
    'Most used',
  ])
})
