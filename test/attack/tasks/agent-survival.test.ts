import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { StreamFrame } from '../../../schemas/agent/stream.ts'
import type { Approval } from '../../../schemas/tools/approval.ts'
import type { DispatchRecord, WorkflowRecord } from '../../../schemas/workflow.ts'
import { counted } from '../../support/counts.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const AGENTS = 20
const TOOLS = 5
const ENDS = ['assistant TOOL_OK: ', 'result TOOL_OK: ']

let stage: DaemonStand
beforeEach(async () => void (stage = await DaemonStand.create({ env: { SVC_LOG_LEVEL: 'warn' } })))
afterEach(() => stage.close())

const agentText = (name: string, policy: string) =>
  `name: ${name}\nruntime: scripted\nworking_dir: .\nshell: bash\ntool_policy: {mode: ${policy}}\n`
const linesIn = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0)
const workflows = () => stage.get<WorkflowRecord[]>(`${stage.orchestrator}/workflows`)
const historyOf = ({ id }: WorkflowRecord) =>
  stage.get<DispatchRecord[]>(`${stage.orchestrator}/workflows/${id}/history`)

/** Collects frames as soon as the daemon accepts streams; those since `since` first. */
async function listen(url: string, frames: StreamFrame[], since?: string): Promise<WebSocket> {
  for (;;) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/stream${since === undefined ? '' : `?since=${since}`}`)
    socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as StreamFrame))
    const open = await new Promise<boolean>((settle) => {
      socket.once('open', () => settle(true))
      socket.once('error', () => settle(false))
    })
    if (open) return socket
    await new Promise((later) => setTimeout(later, 5))
  }
}

/** Without repeats: frames that the daemon replays or the agent repeats have the same content. */
function turnOf(frames: readonly StreamFrame[], agentId: string): string[] {
  const ofTurn = frames.filter(({ agent_id, type }) => agent_id === agentId && ['assistant', 'result'].includes(type))
  return [...new Set(ofTurn.map(({ type, content }) => `${type} ${content}`))].toSorted()
}

test(`keeps processes, frames and turns of ${AGENTS} busy agents over kill -9`, async () => {
  const notes = (name: string) => join(stage.project, `${name}.notes`)
  const command = (name: string, nth: number) => `echo x >> ${notes(name)}; sleep 0.4; : ${nth}`
  const numbers = Array.from({ length: TOOLS }, (_, nth) => nth)
  const names = Array.from({ length: AGENTS }, (_, at) => `a${at}`)
  for (const name of names) {
    stage.write(`agents/${name}.yml`, agentText(name, 'allow_all'))
    const rule = 'trigger_config: {type: manual}\non_restart: adopt\nprompt_template: "{{body}}"\n'
    stage.write(`workflows/${name}.yml`, `name: ${name}\nagent: ${name}\n${rule}`)
  }
  await stage.startReady()
  const frames: StreamFrame[] = []
  const first = await listen(stage.orchestrator, frames)
  const flows = await workflows()
  for (const { id, name } of flows) {
    const tools = numbers.map((nth) => ({ name: 'Bash', input: { command: command(name, nth) } }))
    const body = `CHAIN:${JSON.stringify(tools)}`
    const { status } = await stage.ask('POST', `${stage.orchestrator}/workflows/${id}/trigger`, { body })
    expect(status).toBe(200)
  }
  await eventually(() => names.every((name) => linesIn(notes(name)) > 0), 30_000)
  const panes = await stage.panes()
  const atKill = names.filter((name) => linesIn(notes(name)) < TOOLS)
  const killedAt = new Date().toISOString()
  await stage.stopBy('SIGKILL')
  first.terminate()
  const listening = listen(stage.orchestrator, frames, killedAt)
  await stage.start()
  const second = await listening
  for (const flow of flows)
    await eventually(async () => {
      const [dispatch] = await historyOf(flow)
      if (dispatch!.status === 'failed') throw new Error(dispatch!.error!)
      return dispatch!.status === 'completed'
    }, 60_000)
  expect(atKill.length).toBeGreaterThan(0)
  expect(await stage.panes()).toEqual(panes)
  expect(Object.fromEntries(names.map((name) => [name, linesIn(notes(name))]))).toEqual(
    Object.fromEntries(names.map((name) => [name, TOOLS])),
  )
  const whole = (name: string) =>
    ['assistant Calling a tool.', ...numbers.map((nth) => `assistant Bash(${command(name, nth)})`), ...ENDS].toSorted()
  const agents = await stage.agents()
  // The last frames may still be on their way.
  await eventually(
    () => agents.every(({ id, name }) => turnOf(frames, id).length === whole(name).length),
    10_000,
  ).catch(() => undefined)
  second.terminate()
  const turns = agents.map(({ id, name }) => [name, turnOf(frames, id)] as const)
  expect(turns).toEqual(turns.map(([name]) => [name, whole(name)]))
  counted('tasks: agents at work when their daemon was killed', atKill.length)
  counted('tasks: frames received of their turns', turns.flatMap(([, frames]) => frames).length)
})

test('runs a tool approved after a kill once, despite later kills', async () => {
  const notes = join(stage.project, 'approved.notes')
  stage.write('agents/careful.yml', agentText('careful', 'require_approval'))
  await stage.startReady()
  const { id } = await stage.agentNamed('careful')
  await stage.send(id, `USE_TOOL Bash echo x >> ${notes}`)
  const pending = () => stage.get<Approval[]>(`${stage.orchestrator}/approvals?status=pending`)
  const held = await eventually(async () => (await pending())[0], 20_000)
  await stage.stopBy('SIGKILL')
  await stage.start()
  await stage.connected()
  expect((await pending()).map((approval) => approval.id)).toEqual([held.id])
  expect(linesIn(notes)).toBe(0)
  const approve = () => stage.ask('POST', `${stage.orchestrator}/approvals/${held.id}/approve`)
  expect((await approve()).status).toBe(200)
  await eventually(() => linesIn(notes) === 1, 20_000)
  await stage.stopBy('SIGKILL')
  await stage.start()
  await stage.connected()
  await eventually(async () => (await stage.agentNamed('careful')).activity === 'idle', 20_000)
  expect((await approve()).status).toBe(409)
  expect([linesIn(notes), await pending()]).toEqual([1, []])
})
