import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Plan } from '../../../schemas/plan.ts'
import { counted } from '../../support/counts.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

const CANARY = 'canary-of-another-file'

let stand: DaemonStand
let secret: string
let requests = 0
beforeAll(async () => {
  stand = await DaemonStand.create()
  secret = join(stand.home, 'outside', 'secret.txt')
  mkdirSync(join(stand.home, 'outside', 'agents'), { recursive: true })
  writeFileSync(secret, `${CANARY}\n`)
  writeFileSync(join(stand.home, 'outside', 'agents', 'more.yml'), agent(CANARY))
  stand.write('agents/one.yml', agent('one'))
  stand.write('prompts/task.md', 'Do {{title}}\n')
  stand.write('workflows/by-hand.yml', workflow('../prompts/task.md'))
  stand.write('workflows/signed.yml', signed)
  stand.write('notes.txt', `${CANARY}\n`)
  await stand.startReady()
}, 60_000)
afterAll(async () => {
  await stand.close()
  counted('other files: requests', requests)
})

const agent = (name: string) => `name: ${name}\nruntime: scripted\nshell: bash\nworking_dir: .\n`
const signed = `name: signed\nagent: one\ntrigger_config: {type: webhook, secret: "${CANARY}-signature"}\nprompt_template: "{{title}}"\n`
const workflow = (file: string, name = 'one') =>
  `name: ${name}\nagent: ${name}\ntrigger_config: {type: manual}\nprompt_template_file: ${file}\n`

/** Plans or applies a workflow whose prompt is in `file`. */
async function asked(file: string, more: object, path = '/plan'): Promise<{ text: string; codes: string[] }> {
  requests++
  const manifests = [
    { path: 'agents/other.yml', content: agent('other') },
    { path: 'workflows/w.yml', content: workflow(file, 'other') },
  ]
  const response = await fetch(stand.controller + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ manifests, ...more }),
  })
  const text = await response.text()
  return { text, codes: [...text.matchAll(/"code":"(file-[a-z-]+)"/g)].map((match) => match[1]!) }
}

test.each(['/plan', '/apply'])('reads no file of a folder that a request to %s names', async (path) => {
  const outside = join(stand.home, 'outside')
  for (const [root, file, code] of [
    [outside, '../secret.txt', 'file-not-sent'],
    [outside, secret, 'file-not-sent'],
    [stand.home, '../outside/secret.txt', 'file-not-sent'],
    [`${stand.manifests}/../../outside`, '../secret.txt', 'file-not-sent'],
    ['/', secret, 'file-not-sent'],
    [join(outside, 'agents'), '../../secret.txt', 'file-outside'],
    [stand.manifests, secret, 'file-outside'],
  ] as const) {
    const { text, codes } = await asked(file, { root }, path)
    expect(text).not.toContain(CANARY)
    expect(new Set(codes), text).toEqual(new Set([code]))
  }
})

test('answers alike for existing and missing files', async () => {
  const root = join(stand.home, 'outside')
  const answers = await Promise.all(['../secret.txt', '../nothing.txt'].map((file) => asked(file, { root })))
  expect(answers.map(({ codes }) => codes)).toEqual([['file-not-sent'], ['file-not-sent']])
})

test('accepts sent texts, and reads no file of a source', async () => {
  const sent = await asked('../task.md', { root: stand.home, texts: [{ path: 'task.md', content: 'Of the sender' }] })
  expect([sent.text.includes('Of the sender'), sent.codes]).toEqual([true, []])
  for (const file of ['../prompts/task.md', '../workflows/signed.yml', '../agents/one.yml', '../notes.txt'])
    for (const path of ['/plan', '/apply']) {
      const { text, codes } = await asked(file, { root: stand.manifests }, path)
      expect(text).not.toContain(CANARY)
      expect([text.includes('Do {{title}}'), new Set(codes)], text).toEqual([false, new Set(['file-not-sent'])])
    }
})

test('masks the secrets of manifests in a text that quotes them', async () => {
  const quoting = workflow('../workflows/signed.yml').replace('name: one', 'name: quoting')
  stand.write('workflows/quoting.yml', `${quoting}sync: {mode: manual}\n`)
  const planned = await eventually(async () => {
    const { body } = await stand.ask<Plan>('POST', `${stand.controller}/plan`, { source: 'default' })
    return body.steps.some(({ name }) => name === 'quoting') && JSON.stringify(body)
  })
  expect(planned).toContain('secret: \\"***\\"')
  expect(planned).not.toContain(CANARY)
})

test('sends the files that manifests of an unwatched folder name', async () => {
  const folder = join(stand.home, 'mine')
  for (const each of ['agents', 'workflows', 'prompts']) mkdirSync(join(folder, each), { recursive: true })
  writeFileSync(join(folder, 'agents', 'mine.yml'), agent('mine'))
  writeFileSync(join(folder, 'prompts', 'task.md'), 'Of the folder')
  const mine = workflow('../prompts/task.md', 'mine')
  writeFileSync(join(folder, 'workflows', 'mine.yml'), mine)
  const { code, stdout, stderr } = await stand.svc(['plan', folder, '-o', 'json'])
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('Of the folder')
  const applied = await stand.svc(['apply', folder])
  expect(applied.code, applied.stderr + applied.stdout).toBe(0)
})

test('reports a link that leaves the checkout, without its content', async () => {
  symlinkSync(secret, join(stand.manifests, 'agents', 'file.yml'))
  symlinkSync(join(stand.home, 'outside', 'agents'), join(stand.manifests, 'agents', 'folder'))
  symlinkSync(join(stand.project, '.git', 'config'), join(stand.manifests, 'agents', 'git.yml'))
  symlinkSync('one.yml', join(stand.manifests, 'agents', 'within.yml'))
  const plan = (await stand.ask<Plan>('POST', `${stand.controller}/plan`, { source: 'default' })).body
  const places = plan.diagnostics.map(({ file, code }) => `${file} ${code}`)
  expect(places.filter((each) => each.endsWith('file-outside'))).toEqual(
    ['file.yml', 'folder', 'git.yml'].map((name) => `agents/${name} file-outside`),
  )
  expect(places.filter((each) => each.endsWith('duplicate-name')).length).toBeGreaterThan(0)
  expect(JSON.stringify(plan)).not.toContain(CANARY)
  const validated = await stand.svc(['validate', stand.manifests])
  expect(validated.stdout + validated.stderr).toContain('the link points outside the git working tree')
  expect(validated.stdout + validated.stderr).not.toContain(CANARY)
})

test('reports a closed directory in the plan', async () => {
  const manifests = [
    { path: 'agents/other.yml', content: agent('other').replace('working_dir: .', 'working_dir: ~/.ssh') },
    { path: 'repositories/r.yml', content: `name: r\npath: ${stand.dataDir}\n` },
  ]
  mkdirSync(join(stand.home, '.ssh'), { recursive: true })
  const directories = [join(stand.home, '.ssh')]
  const { body } = await stand.ask<Plan>('POST', `${stand.controller}/plan`, { manifests, directories })
  expect(body.diagnostics.map(({ code, file, message }) => ({ code, file, message }))).toEqual([
    {
      code: 'path-closed',
      file: 'agents/other.yml',
      message: 'directory "~/.ssh" holds credentials or belongs to the daemon, and is not opened',
    },
    {
      code: 'path-closed',
      file: 'repositories/r.yml',
      message: `directory "${stand.dataDir}" holds credentials or belongs to the daemon, and is not opened`,
    },
  ])
})
