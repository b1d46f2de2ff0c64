import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { InFlight } from '../../../schemas/agent/in-flight.ts'
import type { DispatchRecord, WorkflowRecord } from '../../../schemas/workflow.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

let stage: DaemonStand
beforeEach(async () => {
  stage = await DaemonStand.create()
  stage.write(
    'agents/x.yml',
    'name: x\nruntime: scripted\nworking_dir: .\nshell: bash\ntool_policy: {mode: allow_all}\n',
  )
})
afterEach(() => stage.close())

/** A task that records its start and end, and waits for the file `go`. */
const script = () => {
  const [begun, go, ended] = ['begun', 'go', 'ended'].map((name) => join(stage.project, name))
  return `USE_TOOL Bash echo x >> ${begun}; while [ ! -e ${go} ]; do sleep 0.05; done; echo x >> ${ended}`
}
const count = (name: string) => {
  const file = join(stage.project, name)
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
}
const letGo = () => writeFileSync(join(stage.project, 'go'), '')

async function begin(rule: string | null): Promise<DispatchRecord> {
  stage.write(
    'workflows/w.yml',
    `name: w\nagent: x\ntrigger_config: {type: manual}\nprompt_template: "{{body}}"\n${rule ? `on_restart: ${rule}\n` : ''}`,
  )
  await stage.startReady()
  const { body } = await stage.ask<DispatchRecord>('POST', `${await workflow()}/trigger`, {
    title: 't',
    body: script(),
  })
  await eventually(() => count('begun') === 1)
  return body
}
async function workflow(): Promise<string> {
  const [found] = await stage.get<WorkflowRecord[]>(`${stage.orchestrator}/workflows`)
  return `${stage.orchestrator}/workflows/${found!.id}`
}
const history = async () => stage.get<DispatchRecord[]>(`${await workflow()}/history`)
const ended = (status: string) =>
  eventually(async () => {
    const [dispatch] = await history()
    return dispatch?.status === status && dispatch
  }, 20_000)

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'fails the dispatch after %s by default and ignores its late result',
  { timeout: 60_000 },
  async (signal) => {
    const { id } = await begin(null)
    await stage.stopBy(signal)
    await stage.startReady()
    expect(await ended('failed')).toMatchObject({ id, attempt: 1, error: 'the orchestrator was restarted' })
    letGo()
    await eventually(async () => (await stage.agentNamed('x')).activity === 'idle', 20_000)
    expect(await history()).toMatchObject([{ id, status: 'failed', result: null }])
    expect(count('ended')).toBe(1)
  },
)

test.each([
  ['SIGKILL', 'while no daemon runs'],
  ['SIGKILL', 'when the next daemon runs'],
  ['SIGTERM', 'while no daemon runs'],
  ['SIGTERM', 'when the next daemon runs'],
] as const)('completes an adopted dispatch once after %s by a result %s', { timeout: 60_000 }, async (signal, when) => {
  const { id } = await begin('adopt')
  await stage.stopBy(signal)
  if (when === 'while no daemon runs') {
    letGo()
    await eventually(() => count('ended') === 1)
  }
  await stage.start()
  await stage.connected()
  if (when === 'when the next daemon runs') {
    expect(await history()).toMatchObject([{ id, status: 'dispatched', attempt: 1 }])
    letGo()
  }
  expect(await ended('completed')).toMatchObject({ id, attempt: 1, error: null })
  await stage.stopBy('SIGKILL')
  await stage.startReady()
  expect(await history()).toMatchObject([{ id, status: 'completed' }])
  expect([count('begun'), count('ended')]).toEqual([1, 1])
})

test('fails an adopted dispatch if the session did not survive', { timeout: 60_000 }, async () => {
  const { id } = await begin('adopt')
  await stage.stopBy('SIGKILL')
  await stage.endSessions()
  await stage.startReady()
  const error = "the orchestrator was restarted, and the agent's session did not survive it"
  expect(await ended('failed')).toMatchObject({ id, error })
})

test.each(['survives', 'ends'] as const)(
  'retries the dispatch unless the first attempt completes: session %s',
  { timeout: 90_000 },
  async (session) => {
    const { id } = await begin('retry')
    await stage.stopBy('SIGKILL')
    if (session === 'ends') await stage.endSessions()
    await stage.startReady()
    expect(await history()).toMatchObject([
      { id, status: session === 'survives' ? 'pending' : expect.any(String), attempt: 2 },
    ])
    letGo()
    const attempts = session === 'survives' ? 1 : 2
    expect(await ended('completed')).toMatchObject({ id, attempt: attempts })
    await eventually(async () => (await stage.agentNamed('x')).activity === 'idle', 20_000)
    expect(count('begun')).toBe(attempts)
    expect((await history()).length).toBe(1)
  },
)

test('applies SVC_ON_RESTART as default rule and rejects other values', { timeout: 60_000 }, async () => {
  stage.env.SVC_ON_RESTART = 'adopt'
  const { id } = await begin(null)
  await stage.stopBy('SIGKILL')
  await stage.start()
  await stage.connected()
  letGo()
  expect(await ended('completed')).toMatchObject({ id })
  await stage.stopBy('SIGTERM')
  stage.env.SVC_ON_RESTART = 'maybe'
  await expect(stage.start()).rejects.toThrow('SVC_ON_RESTART should be one of adopt, retry, fail')
  stage.env.SVC_ON_RESTART = 'adopt'
})

test('names the dispatches that svc down fails, and stops', { timeout: 60_000 }, async () => {
  const { id } = await begin(null)
  const work = await stage.get<InFlight[]>(`${stage.orchestrator}/in-flight`)
  expect(work).toMatchObject([{ kind: 'dispatch', agent: 'x', workflow: 'w', dispatch_id: id, on_restart: 'fail' }])
  const { code, stdout, stderr } = await stage.svc(['down', '--json'])
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { stopped: true, failed: [{ dispatch_id: id }] }])
  expect(stderr).toContain(`dispatch ${id.slice(0, 8)} of workflow w with agent x`)
  expect(stderr).toContain('svc down --when-idle')
})

test('names adopted work in svc down only if agents end', { timeout: 60_000 }, async () => {
  const { id } = await begin('adopt')
  expect((await stage.svc(['down'])).stderr).toBe('')
  await stage.startReady()
  const { stderr } = await stage.svc(['down', '--agents'])
  expect(stderr).toContain(`dispatch ${id.slice(0, 8)}`)
})

test('waits for running work with svc down --when-idle, and accepts none', { timeout: 60_000 }, async () => {
  const { id } = await begin(null)
  const down = stage.svc(['down', '--when-idle'])
  const refused = await eventually(async () => {
    const { status, body } = await stage.ask('POST', `${await workflow()}/trigger`, {})
    return status === 503 && body
  })
  expect(refused.code).toBe('draining')
  expect((await stage.send((await stage.agentNamed('x')).id, 'hello')).body.status).toBe('queued')
  letGo()
  const { code, stdout, stderr } = await down
  expect([code, stderr]).toEqual([0, `waiting for dispatch ${id.slice(0, 8)} of workflow w with agent x\n`])
  expect(stdout).toContain('The daemon has stopped')
  await stage.startReady()
  expect(await history()).toMatchObject([{ id, status: 'completed' }])
})

test('accepts work again after Ctrl-C during --when-idle', { timeout: 60_000 }, async () => {
  await begin(null)
  const { id } = await stage.agentNamed('x')
  const { spawn } = await import('node:child_process')
  const { root } = await import('../../support/root.ts')
  const child = spawn('bin/svc', ['down', '--when-idle'], { cwd: root, env: stage.env })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += String(chunk)))
  await eventually(() => said.includes('waiting for dispatch'))
  child.kill('SIGINT')
  const code = await new Promise((resolve) => child.once('exit', resolve))
  expect([code, said]).toEqual([1, expect.stringContaining('the daemon keeps running and accepts work again')])
  await stage.send(id, 'echo again')
  letGo()
  await eventually(async () => (await stage.get<InFlight[]>(`${stage.orchestrator}/in-flight`)).length === 0, 20_000)
})
