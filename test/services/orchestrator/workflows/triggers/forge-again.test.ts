import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TestClock } from '../../../../../platform/core/clock.ts'
import { canonicalTrigger } from '../../../../../schemas/trigger.ts'
import { onEachDatabase } from '../../../../support/databases.ts'
import { eventually } from '../../../../support/eventually.ts'
import { refuseWrite } from '../../../../support/faults/failing-writes.ts'
import { alice, TestMachine, type TestOrchestrator, workflow } from '../../harness.ts'
import { ForgeServer, refusal } from './forge-server.ts'

const MINUTE = 60_000
const SYNC = { id: 1, name: 'sync', color: 'f29513', default: false }

describe('again', () => {
  test('is left out of the canonical form when it is false', () => {
    const trigger = { type: 'github_issues', owner: 'o', repo: 'r' }
    expect(canonicalTrigger({ ...trigger, again: false })).toEqual(canonicalTrigger(trigger))
    expect(canonicalTrigger({ ...trigger, again: true })).toMatchObject({ type: 'forge_issues', again: true })
  })

  onEachDatabase((database) => {
    const clock = new TestClock()
    const flows: string[] = []
    let forge: ForgeServer
    let machine: TestMachine
    let daemon: TestOrchestrator
    let agentId: string
    let repo = 0
    beforeAll(async () => {
      forge = await ForgeServer.start()
      machine = new TestMachine({ clock, url: database.url, env: { SVC_FORGE_API_URL: forge.url } })
      daemon = await machine.open()
    })
    beforeEach(async () => {
      repo++
      // An agent whose daemon was replaced fails after a minute.
      agentId = (await daemon.createConnected({ name: `worker-${repo}` })).id
      forge.requests.length = 0
      forge.onRequest = () => undefined
    })
    afterEach(async () => {
      for (const id of flows.splice(0)) await daemon.orchestrator.workflows.delete(id, alice)
    })
    afterAll(async () => {
      await machine.close()
      forge.stop()
    })

    const name = () => `o/r${repo}`
    const flow = (id: string) => daemon.orchestrator.workflows.get(id)
    const polled = (id: string) => eventually(async () => Date.parse((await flow(id)).next_fire_at ?? '') > clock.now())
    const sources = async (id: string) =>
      (await daemon.orchestrator.workflows.history(id)).items.map(({ source_id }) => source_id).toReversed()
    const make = async (members: Record<string, unknown> = {}) => {
      const trigger_config = { type: 'forge_issues', owner: 'o', repo: `r${repo}`, again: true, ...members }
      const { id } = await daemon.orchestrator.workflows.create(workflow(agentId, { trigger_config }), alice)
      flows.push(id)
      await polled(id)
      return id
    }
    const poll = async (id: string) => {
      clock.tick(MINUTE)
      await polled(id)
    }
    const setLabels = (number: number, labels: (typeof SYNC)[]) => {
      Object.assign(forge.item(name(), number), { labels, updated_at: new Date(clock.now()).toISOString() })
    }

    test('accepts an issue that left the list and returned', async () => {
      forge.addIssue(name(), { labels: [SYNC] })
      forge.addIssue(name(), { labels: [SYNC] })
      const id = await make({ labels: ['sync'] })
      await poll(id)
      expect(await sources(id)).toEqual(['1', '2'])
      setLabels(1, [])
      await poll(id)
      setLabels(1, [SYNC])
      await poll(id)
      await poll(id)
      expect(await sources(id)).toEqual(['1', '2', '1'])
      const { items } = await daemon.orchestrator.workflows.history(id)
      expect(new Set(items.map((dispatch) => dispatch.id)).size).toBe(3)
    })

    test('accepts an issue once while unchanged pages list it', async () => {
      forge.addIssue(name())
      const id = await make()
      for (let at = 0; at < 3; at++) await poll(id)
      expect(forge.requests.map(({ status }) => status)).toEqual([200, 304, 304, 304])
      expect(await sources(id)).toEqual(['1'])
    })

    test('keeps what it knows when the list cannot be read in full', async () => {
      for (let at = 0; at < 60; at++) forge.addIssue(name())
      const id = await make()
      expect(await sources(id)).toHaveLength(60)
      forge.item(name(), 60).state = 'closed'
      for (let at = 0; at < 2; at++) {
        forge.onRequest = (_path, query) => {
          if (query.get('page') === '2') forge.instead.push(refusal(500, 'Oops'))
        }
        await poll(id)
        expect((await flow(id)).last_error).toMatch(/answered 500/)
      }
      forge.onRequest = () => undefined
      forge.item(name(), 60).state = 'open'
      await poll(id)
      await poll(id)
      expect(await flow(id)).toMatchObject({ last_error: null })
      expect(await sources(id)).toHaveLength(60)
    })

    test('does not take an issue that moved to another page for one that left', async () => {
      for (let at = 0; at < 60; at++) forge.addIssue(name())
      const id = await make()
      forge.onRequest = (_path, query) => {
        // Number 51 moves to the page that was just read.
        if (query.get('page') === '2') forge.item(name(), 1).state = 'closed'
      }
      await poll(id)
      forge.onRequest = () => undefined
      await poll(id)
      await poll(id)
      expect(await sources(id)).toHaveLength(60)
    })

    test('accepts an issue again after two polls of a list of several pages', async () => {
      for (let at = 0; at < 60; at++) forge.addIssue(name())
      const id = await make()
      forge.item(name(), 60).state = 'closed'
      await poll(id)
      await poll(id)
      forge.item(name(), 60).state = 'open'
      await poll(id)
      expect((await sources(id)).filter((source) => source === '60')).toHaveLength(2)
    })

    test('continues over a restart and a crash of the daemon', async () => {
      forge.addIssue(name(), { labels: [SYNC] })
      const id = await make({ labels: ['sync'] })
      setLabels(1, [])
      await poll(id)
      await daemon.crash()
      daemon = await machine.open()
      await polled(id)
      setLabels(1, [SYNC])
      await poll(id)
      expect(await sources(id)).toEqual(['1', '1'])
      await daemon.stop()
      daemon = await machine.open()
      await polled(id)
      expect(await sources(id)).toEqual(['1', '1'])
    })

    test('accepts a returned issue once after a failed write', async () => {
      forge.addIssue(name(), { labels: [SYNC] })
      const id = await make({ labels: ['sync'] })
      setLabels(1, [])
      const refusals = refuseWrite(daemon.db, 1, ({ sql }) => /^delete from .orchestrator_seen_tasks/.test(sql))
      clock.tick(MINUTE)
      await eventually(() => refusals.done())
      refusals.stop()
      await eventually(async () => {
        clock.tick(1000)
        return Date.parse((await flow(id)).next_fire_at ?? '') > clock.now() + 30_000
      })
      setLabels(1, [SYNC])
      await poll(id)
      await poll(id)
      expect(await sources(id)).toEqual(['1', '1'])
    })

    test('notices what left while it was switched off', async () => {
      forge.addIssue(name(), { labels: [SYNC] })
      forge.addIssue(name(), { labels: [SYNC] })
      const id = await make({ labels: ['sync'], again: false })
      setLabels(1, [])
      await poll(id)
      setLabels(1, [SYNC])
      await poll(id)
      expect(await sources(id)).toEqual(['1', '2'])
      setLabels(1, [])
      await poll(id)
      await daemon.orchestrator.workflows.patch(id, { trigger_config: { again: true } }, alice)
      await poll(id)
      setLabels(1, [SYNC])
      await poll(id)
      expect(await sources(id)).toEqual(['1', '2', '1'])
    })

    test('remembers the issues of another repository', async () => {
      forge.addIssue(name())
      forge.addIssue(`${name()}-other`)
      const id = await make()
      await daemon.orchestrator.workflows.patch(id, { trigger_config: { repo: `r${repo}-other` } }, alice)
      await eventually(async () => (await sources(id)).length === 2)
      await poll(id)
      await daemon.orchestrator.workflows.patch(id, { trigger_config: { repo: `r${repo}` } }, alice)
      await poll(id)
      expect(await sources(id)).toEqual(['1', '1'])
    })
  })
})
