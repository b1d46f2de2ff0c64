// A scratch service made of shared parts passes the contract of all services.
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { Command } from 'commander'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { verb } from '../../../cli/verb.ts'
import { asActor } from '../../../platform/core/actor.ts'
import { write } from '../../../platform/database/database.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { defineService, serve } from '../../../platform/service/define.ts'
import { seconds } from '../../../platform/service/settings.ts'
import type { World } from '../../../platform/service/world.ts'
import { RefusedCalls } from '../../../platform/service/refused-calls.ts'
import { callSibling } from '../../../platform/service/siblings.ts'
import { operations } from '../../../schemas/operations/operation.ts'
import { openServiceToken } from '../../../platform/http/service-callers.ts'
import { serviceContract } from '../../services/contract.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { startServices, type ServiceStand } from '../../support/services.ts'
import { notes, notesOperations } from './scratch-service.ts'

vi.setConfig({ testTimeout: 30_000 })

describe('a scratch service of one record, one list and one stream', () => serviceContract([notes], 'notes'))

const stands: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of stands.splice(0)) await close()
})

async function started(services = [notes], env: Record<string, string> = {}): Promise<ServiceStand> {
  const { url, remove } = await sqliteDatabase()
  const stand = await startServices(services, { url, env }).catch(async (error: unknown) => {
    await remove()
    throw error
  })
  stands.push(async () => {
    await stand.close()
    await remove()
  })
  return stand
}

const tokenOf = ({ host }: ServiceStand) => openServiceToken(host.config.serviceTokenFile)

const clientOf = (stand: ServiceStand, addressOf = () => stand.host.urls.notes!) =>
  callSibling(notesOperations, {
    self: 'svc-test',
    addressOf,
    serviceToken: tokenOf(stand),
    token: null,
    refused: new RefusedCalls('svc-test'),
  })

test('the address of a service is 503 until its port is bound', async () => {
  const open = (world: World) => {
    world.address()
    return {}
  }
  const early = serve({ ...notes.definition, open }, () => undefined)
  await expect(started([early])).rejects.toMatchObject({ status: 503 })
})

describe('the operations of the scratch service', () => {
  test('provide a typed client that forwards the actor and throws problems', async () => {
    const stand = await started()
    const client = clientOf(stand)
    const by = { actor: 'mira', requestId: 'req-1', endpoint: 'test' }
    const made = await asActor(by, () => client.make({ body: { text: 'hello' } }))
    expect(await client.get({ params: { id: made.id } })).toEqual(made)
    expect(await client.all()).toEqual([made])
    expect(await client.all({ query: { limit: 1 } })).toEqual({ items: [made], total: 1, limit: 1, offset: 0 })
    expect(await stand.db('notes_audit').first()).toMatchObject({ actor: 'mira', request_id: 'req-1' })
    const missing = client.get({ params: { id: '5f0c1c1e-8f0d-4b8e-9d5c-0f2b6f3f9a11' } })
    await expect(missing).rejects.toMatchObject({ name: 'Problem', status: 404 })
  })

  test('provide a command with arguments and options from the schemas', async () => {
    const stand = await started()
    const done = vi.fn((made: { text: string }) => `wrote ${made.text}`)
    const entry = verb('make', notesOperations, notesOperations.operations.make, {
      args: [{ member: 'text', shown: '<text>', help: 'what to write' }],
      examples: ['agent notes make hello'],
      done,
    })
    expect(entry).toMatchObject({ name: 'make', summary: 'Write a note' })
    const command = new Command('make')
    ;(await entry.load!()).define(command)
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    await command.parseAsync(['hello', '--url', stand.host.urls.notes!], { from: 'user' })
    out.mockRestore()
    expect(done).toHaveReturnedWith('wrote hello')
  })

  test('provide a stream', async () => {
    const stand = await started()
    const socket = new WebSocket(`${stand.host.urls.notes!.replace('http', 'ws')}${clientOf(stand).stream()}`)
    await once(socket, 'open')
    const frame = once(socket, 'message')
    await clientOf(stand).make({ body: { text: 'news' } })
    expect(JSON.parse(String((await frame)[0]))).toMatchObject({ text: 'news' })
    socket.close()
  })
})

describe('a sibling', () => {
  test('is reported as 503 if down, after retries of safe requests', async () => {
    const stand = await started()
    const client = clientOf(stand, () => 'http://127.0.0.1:9')
    await expect(client.all()).rejects.toMatchObject({ status: 503 })
  })

  test('is never called inside a write transaction', async () => {
    const stand = await started()
    const asked = write(stand.db, () => clientOf(stand).all())
    await expect(asked).rejects.toThrow('inside a write transaction')
  })
})

const broken = (port: number) =>
  serve(
    defineService({
      operations: operations({ service: 'broken', port }, {}),
      settings: { waitSecs: seconds({ default: 5, least: 1 }) },
      migrations: { prefix: 'broken', steps: [] },
      open: () => Promise.reject(new Problem(503, 'its disk is gone')),
    }),
    () => undefined,
  )

describe('the start', () => {
  test('names a service that fails to open, and stops the others', async () => {
    await expect(started([notes, broken(17098)])).rejects.toThrow(
      'the broken service could not be opened: its disk is gone',
    )
  })

  test('names the service and variable of a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const taken = started([notes], { SVC_NOTES_PORT: String(port) })
    await expect(taken).rejects.toThrow(/port \d+ of the notes service is in use .* SVC_NOTES_PORT/)
    other.close()
  })

  test('reports all invalid settings and ports at once', async () => {
    const start = started([notes, broken(17098)], { SVC_NOTES_PORT: 'x', SVC_BROKEN_WAIT_SECS: '0' })
    await expect(start).rejects.toThrow(/SVC_NOTES_PORT should be .*; SVC_BROKEN_WAIT_SECS should be/)
  })

  test('refuses a service without the services it needs', async () => {
    const needy = { ...notes, needs: ['orchestrator'] }
    await expect(started([needy])).rejects.toThrow('svc serve orchestrator notes')
  })

  test('uses PORT for a single service', async () => {
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const { port } = free.address() as { port: number }
    free.close()
    await once(free, 'close')
    const stand = await started([notes], { PORT: String(port) })
    expect(stand.host.urls.notes).toBe(`http://127.0.0.1:${port}`)
  })
})

/** Services that never stop. */
const stuck = Array.from({ length: 12 }, (_each, index) =>
  serve(
    defineService({
      operations: operations({ service: `stuck${index}`, port: 17100 + index }, {}),
      settings: {},
      migrations: { prefix: `stuck${index}`, steps: [] },
      open: () => ({ stop: () => new Promise<void>(() => undefined) }),
    }),
    () => undefined,
  ),
)

test('stops hanging services concurrently and removes the runtime file', async () => {
  const stand = await started(stuck)
  const file = stand.host.config.runtimeFile
  expect(existsSync(file)).toBe(true)
  await stand.host.stop()
  expect(existsSync(file)).toBe(false)
}, 10_000)
