// An agent that may edit files in the tree of its own manifest gets no other policy by that.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ToolPolicy } from '../../../schemas/tools/policy.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

let stand: DaemonStand
const editor = (mode: string, more = '') =>
  `name: editor\nworking_dir: .\nshell: bash\nruntime: scripted\nsandbox: off\ntool_policy: { mode: ${mode}, tools: [Read, Write, Edit] }\n${more}`
const FILE = 'agents/editor.yml'

beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.write(FILE, editor('allow_list'))
  stand.write('agents/lead.yml', editor('allow_list', 'may: [source]\n').replace('name: editor', 'name: lead'))
  await stand.startReady()
}, 60_000)
afterAll(() => stand.close())

const policyOf = async (name: string): Promise<ToolPolicy> =>
  stand.get(`${stand.orchestrator}/agents/${(await stand.agentNamed(name)).id}/policy`)
const written = () => readFileSync(join(stand.manifests, FILE), 'utf8')

/** Returns the text that the agent shows after the prompt. */
async function said(name: string, prompt: string, text: RegExp): Promise<string> {
  const { id } = await stand.agentNamed(name)
  const frames = await stand.listen(id)
  await stand.send(id, prompt)
  return eventually(() => text.exec(JSON.stringify(frames))?.[0], 20_000)
}

describe('an agent that edits its own manifest', () => {
  const edit = (path: string) =>
    `TOOLS:${JSON.stringify([{ name: 'Edit', input: { file_path: path, old_string: 'mode: allow_list, tools: [Read, Write, Edit]', new_string: 'mode: allow_all' } }])}`

  test.each([`manifests/${FILE}`, `./manifests/../manifests/${FILE}`])('is refused by the tool: %s', async (path) => {
    const before = written()
    expect(await said('editor', edit(path), /is refused: it may change [^"]*/)).toContain(
      'only agents with may: [source]',
    )
    expect(written()).toBe(before)
    expect(await policyOf('editor')).toEqual({ mode: 'allow_list', tools: ['Edit', 'Read', 'Write'] })
  })

  test('is refused a manifest of its own', async () => {
    const again = `USE_TOOL Write manifests/agents/other.yml name: other`
    expect(await said('editor', again, /is refused: it may change [^"]*/)).toContain('read by source default')
  })

  test('may write other files beside', async () => {
    await said('editor', 'USE_TOOL Write notes.txt hello', /notes\.txt/)
    await eventually(() => readFileSync(join(stand.project, 'notes.txt'), 'utf8') === 'hello')
  })
})

test('an agent with may: [source] may edit manifests', async () => {
  await said('lead', `USE_TOOL Write manifests/notes.yml {kind: Room, name: notes}`, /notes\.yml/)
  await eventually(() => readFileSync(join(stand.manifests, 'notes.yml'), 'utf8') === '{kind: Room, name: notes}')
})

describe('a manifest that an agent could have written', () => {
  /** As a script of the agent could. */
  const behind = (text: string) => writeFileSync(join(stand.manifests, FILE), text)
  const held = async () => (await stand.get(`${stand.controller}/sources/default`)).error as string | null

  test('is held until a person confirms it', async () => {
    behind(editor('allow_list', 'may: [policy, agent]\n').replace('[Read, Write, Edit]', '[Bash, Read, Write, Edit]'))
    const said = await eventually(held)
    expect(said).toMatch(
      /policy "svc\/widening" requires confirmation: update agents\/editor \(it widens may, tool_policy; its manifest could have been written by \S+, \S+\)/,
    )
    expect(await policyOf('editor')).toEqual({ mode: 'allow_list', tools: ['Edit', 'Read', 'Write'] })
    const plan = await stand.plan()
    expect(plan.held).toMatchObject({ unconfirmed: ['agents/editor'] })
    // No request without the hash releases it.
    for (const args of [['reconcile'], ['reconcile', '--confirm', 'abc']])
      expect((await stand.svc([...args, '--exit-codes=extended'])).code).toBe(12)
    expect(await policyOf('editor')).toMatchObject({ mode: 'allow_list', tools: ['Edit', 'Read', 'Write'] })
    const done = await stand.svc(['reconcile', '--confirm', plan.held!.hash!])
    expect(done).toMatchObject({ code: 0 })
    expect((await policyOf('editor')).tools).toContain('Bash')
  })
})
