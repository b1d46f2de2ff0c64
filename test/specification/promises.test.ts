// Clauses of the orchestrator without a test elsewhere.
import type { Command } from 'commander'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { agent } from '../../cli/agent/commands.ts'
import { buildProgram } from '../../cli/program.ts'
import { readConfig } from '../../platform/core/config.ts'
import { orchestratorOperations } from '../../schemas/operations/orchestrator/index.ts'
import { checkTemplate } from '../../schemas/workflow/template.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'

test('listens on 17006, in production on 7006, or on PORT', () => {
  const portIn = (env: Record<string, string>) =>
    readConfig({ HOME: '/h', ...env }).port(orchestratorOperations, ['PORT'])
  expect([portIn({}), portIn({ SVC_ENV: 'production' }), portIn({ PORT: '8080' })]).toEqual([17006, 7006, 8080])
})

test('sets the log level by RUST_LOG, default info', () => {
  const levels = [{}, { RUST_LOG: 'debug' }, { RUST_LOG: 'warn' }, { RUST_LOG: 'error' }].map(
    (env) => readConfig({ HOME: '/h', ...env }).logLevel,
  )
  expect(levels).toEqual(['info', 'debug', 'warn', 'error'])
})

/** Specified options by command. */
const PROMISED: Record<string, string[]> = {
  'create-agent': [],
  'list-agents': ['--status'],
  'get-agent': [],
  'delete-agent': [],
  'send-message': ['--stdin'],
  stream: ['--all', '--json', '--verbose'],
  attach: [],
  health: [],
  'create-workflow': [],
  'get-workflow': [],
  'update-workflow': [],
  'list-workflows': [],
  'workflow-history': [],
  'dispatch-history': [],
  'trigger-workflow': [],
  'get-policy': [],
  'set-policy': [],
  'list-approvals': ['--agent-id', '--json'],
  approve: [],
  deny: [],
  'validate-template': ['--file'],
  'add-dir': [],
  'remove-dir': [],
  'queue-stats': [],
  'queue-peek': [],
  'queue-purge': [],
}

test('provides the specified commands and options of agent orchestrator', async () => {
  const program = await buildProgram(agent, null)
  const group = program.commands.find((command) => command.name() === 'orchestrator')!
  const found = (name: string): Command | undefined =>
    group.commands.find((command) => [command.name(), ...command.aliases()].includes(name))
  const missing = Object.entries(PROMISED).flatMap(([name, options]) => {
    const has = new Set(found(name)?.options.map(({ long }) => long))
    return [...(found(name) ? [] : [name]), ...options.filter((option) => !has.has(option))]
  })
  expect(missing).toEqual([])
  const others = program.commands.map((command) => command.name())
  for (const name of ['apply', 'teardown', 'status']) expect(others).toContain(name)
  const apply = program.commands.find((command) => command.name() === 'apply')!
  expect(apply.options.map(({ long }) => long)).toContain('--dry-run')
})

test('reports unknown variables, unclosed placeholders and empty templates', () => {
  expect(checkTemplate('Do {{title}} for {{ticket}}', 'manual').warnings).toMatchObject([
    { message: expect.stringContaining('unknown variable "ticket"') },
  ])
  expect(checkTemplate('Do {{title', 'manual').errors).toMatchObject([
    { message: expect.stringContaining('is not closed') },
  ])
  expect(checkTemplate('  ', 'manual').errors).toMatchObject([{ message: expect.stringContaining('empty') }])
})

let stand: DaemonStand
beforeAll(async () => {
  stand = await DaemonStand.create()
  await stand.startInside()
})
afterAll(() => stand.close())

test('sends stream frames as JSON lines with agent, type and content', async () => {
  const stream = new WebSocket(`${stand.orchestrator.replace('http', 'ws')}/stream`)
  const texts: string[] = []
  stream.on('message', (data: Buffer) => texts.push(data.toString()))
  await new Promise((open) => stream.once('open', open))
  const body = { name: 'scribe', working_dir: stand.home, shell: 'bash', runtime: 'scripted', prompt: 'hello' }
  const { body: created } = await stand.ask('POST', `${stand.orchestrator}/agents`, body)
  const types = () => new Set(texts.map((text) => JSON.parse(text).type as string))
  await eventually(() => ['system', 'assistant', 'result'].every((type) => types().has(type)))
  stream.terminate()
  for (const text of texts) {
    expect(text).toMatch(/^[^\n]+\n$/)
    expect(JSON.parse(text)).toMatchObject({
      agent_id: created.id,
      type: expect.any(String),
      content: expect.any(String),
    })
  }
})
