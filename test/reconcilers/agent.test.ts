import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import type { Reconciler } from '../../controller/reconciler.ts'
import { agentReconciler } from '../../reconcilers/agent.ts'
import { canonicalAgent, type AgentSpec } from '../../schemas/agent.ts'
import { onEachDatabase } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { openOrchestrator, type RunningOrchestrator } from '../support/orchestrator.ts'
import { reconcilerContract, stepOf } from './contract.ts'

const mira = { actor: 'mira', requestId: 'r-9', endpoint: 'PUT /agents/{id}/policy' }
const lookup = { liveId: () => null, nameOf: () => null }
const { signal } = new AbortController()

/** Reports that it runs tools without approval. */
const CARELESS = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { type, request_id } = JSON.parse(line)
  if (type === 'control_request') console.log(JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id, response: { current_permission_mode: 'bypassPermissions' } } }))
})`

onEachDatabase((database) => {
  let running: RunningOrchestrator
  let reconciler: Reconciler
  const specOf = (name: string): AgentSpec =>
    canonicalAgent(
      { name, runtime: 'scripted', working_dir: running.folder, shell: 'bash', env: { TOKEN: 'secret' } },
      { restart: 'always' },
    )
  afterAll(() => running.close())

  reconcilerContract(async () => {
    running = await openOrchestrator({ url: database.url })
    reconciler = agentReconciler(running.orchestrator)
    const { agents } = running.orchestrator
    return {
      reconciler,
      lookup,
      spec: specOf,
      changed: (spec) => ({ spec: { ...spec, max_cost_usd: 7 }, path: 'max_cost_usd' }),
      byHand: async (liveId) => {
        await agents.setPolicy(liveId, { mode: 'require_approval' }, mira)
        return { path: 'tool_policy.mode', actor: 'mira' }
      },
      foreign: async (name) => void (await agents.create(specOf(name), mira)),
    }
  })

  const apply = (action: 'create' | 'update' | 'restart', liveId: string, spec: AgentSpec) =>
    reconciler.apply(stepOf(action, liveId, spec), lookup, signal)
  const pidOf = async (liveId: string) =>
    Number(
      (await import('node:child_process')).execFileSync('tmux', [
        '-L',
        running.muxSocket,
        'list-panes',
        '-t',
        `=svc-orch-${liveId}:`,
        '-F',
        '#{pane_pid}',
      ]),
    )

  test('restarts the process for a new system prompt, not policy', async () => {
    const { liveId } = await apply('create', randomUUID(), specOf('living'))
    const before = await pidOf(liveId)
    await apply('update', liveId, { ...specOf('living'), tool_policy: { mode: 'deny_all' } })
    expect(await pidOf(liveId)).toBe(before)
    await apply('restart', liveId, { ...specOf('living'), system_prompt: 'Be brief.' })
    expect(await pidOf(liveId)).not.toBe(before)
  })

  test('rejects an ambiguous name', async () => {
    await running.orchestrator.agents.create(specOf('twin'), mira)
    await running.orchestrator.agents.create(specOf('twin'), mira)
    await expect(reconciler.observe({ name: 'twin', liveId: null }, lookup, signal)).rejects.toThrow(
      '2 agents are named "twin"',
    )
  })

  test('reports the work that a restart would interrupt', async () => {
    const { liveId } = await apply('create', randomUUID(), specOf('busy'))
    await eventually(async () => (await running.orchestrator.agents.get(liveId)).connected)
    await running.orchestrator.agents.message(liveId, 'SLOW 60000', mira)
    const busy = await eventually(async () => {
      const observed = await reconciler.observe({ name: 'busy', liveId }, lookup, signal)
      return observed && reconciler.interrupts(observed.live)
    })
    expect(busy).toMatch(/message/)
  })

  test('is not Ready if the program could run a forbidden tool', async () => {
    const spec = canonicalAgent(
      {
        name: 'careless',
        runtime: 'command',
        command: [process.execPath, '-e', CARELESS],
        working_dir: running.folder,
        shell: 'bash',
        tool_policy: { mode: 'deny_all' },
      },
      { restart: 'always' },
    )
    const { liveId } = await apply('create', randomUUID(), spec)
    const health = async () =>
      reconciler.health((await reconciler.observe({ name: 'careless', liveId }, lookup, signal))!.live)
    const seen = new Set<string>()
    const degraded = await eventually(async () => {
      const found = await health()
      seen.add(found.status)
      return found.status === 'Degraded' && found
    })
    expect(seen).not.toContain('Ready')
    expect(degraded.message).toMatch(
      /^policy not enforced: .*permission mode: expected "default", got "bypassPermissions"/,
    )
    await apply('update', liveId, { ...spec, tool_policy: { mode: 'allow_all' } })
    expect(await health()).toEqual({ status: 'Ready', message: 'running' })
  })

  test('reports a manually stopped agent with the actor', async () => {
    const { liveId } = await apply('create', randomUUID(), specOf('stopped'))
    await running.orchestrator.agents.terminate(liveId, mira)
    const observed = await reconciler.observe({ name: 'stopped', liveId }, lookup, signal)
    expect(observed!.deviations).toEqual([{ path: 'status', desired: 'running', live: 'stopped' }])
    expect(await reconciler.writer(liveId, 'status')).toMatchObject({ actor: 'mira' })
  })
})
