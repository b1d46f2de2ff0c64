// The example of README, with its commands: what they print shows the effect of the prompt.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { root } from '../../support/root.ts'
import { shownFiles } from '../shown-files.ts'

const MANIFEST = 'manifests/agents/builder.yml'
const example = shownFiles('README.md')[MANIFEST]!
const readme = readFileSync(join(root, 'README.md'), 'utf8')

let stand: DaemonStand
beforeAll(async () => {
  stand = await DaemonStand.create()
  cpSync(join(root, 'manifests', 'policies'), join(stand.manifests, 'policies'), { recursive: true })
  stand.write('agents/builder.yml', example)
  await stand.start()
}, 60_000)
afterAll(() => stand.close())

/** A command of README that contains `part`, and what its comment says that it prints. */
function documented(part: string): { words: string[]; shows: string } {
  const line = readme.split('\n').find((each) => each.startsWith('./bin/agent ') && each.includes(part))!
  const [command, comment = ''] = line.split(/\s+# /)
  return { words: command!.split(' ').slice(1), shows: comment.split(': ').slice(1).join(': ') }
}

const output = async (words: string[]): Promise<string> => (await stand.agent(words)).stdout

test('the request, its approval and the answer show the prompt', async () => {
  const [list, approve, logs] = ['list-approvals', 'approve ID', 'logs builder'].map(documented)
  expect(list!.shows).toBe('echo hello from the builder')
  const asked = await eventually(async () => {
    const text = await output(list!.words)
    return text.includes(list!.shows) && text
  })
  const id = /^\w{8}/.exec(asked)![0]
  expect(await output(approve!.words.map((word) => word.replace('ID', id)))).toContain(list!.shows)
  expect(logs!.shows).toBe('TOOL_OK: hello from the builder')
  await eventually(async () => (await output(logs!.words)).includes(logs!.shows))
})

test('a new prompt is applied, and sent at the next start', async () => {
  stand.write('agents/builder.yml', example.replace('echo hello from the builder', 'echo good night'))
  await eventually(async () => (await stand.agentNamed('builder')).config.prompt?.includes('good night'))
  const { words } = documented('restart-agent builder')
  expect((await stand.agent(words)).code).toBe(0)
  await eventually(async () => (await output(documented('list-approvals').words)).includes('| echo good night\n'))
})
