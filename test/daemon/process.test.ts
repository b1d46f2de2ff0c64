import { EventEmitter } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listen } from '../../platform/service/listen.ts'
import { stopSignal } from '../../daemon/process.ts'
import { refuseSecondDaemon, removeRuntimeFile, writeRuntimeFile } from '../../platform/service/runtime-file.ts'
import { within } from '../../platform/service/stop-deadline.ts'
import { createHttpServer, type HttpServer } from '../../platform/http/server.ts'
import { noLog, type Log } from '../../platform/core/log/log.ts'

let folder: string
let app: HttpServer
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-daemon-'))
  app = await createHttpServer({
    service: 'svc-controller',
    version: '1',
    log: noLog,
    config: { bind: '127.0.0.1', hosts: [], tokensFile: null },
    health: async () => ({}),
  })
})
afterEach(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('the runtime file', () => {
  const content = (services: Record<string, string>, pid = process.pid) => ({
    pid,
    started_at: '2030-01-01T00:00:00.000Z',
    version: '1',
    services,
  })
  const file = () => join(folder, 'runtime.json')

  test('refuses a second daemon with the address of the first', async () => {
    const { url } = await listen(app, 'controller', { bind: '127.0.0.1', port: 0 })
    writeRuntimeFile(file(), content({ controller: url }))
    await expect(refuseSecondDaemon(file())).rejects.toThrow(`process ${process.pid} at ${url}`)
    expect(existsSync(file())).toBe(true)
  })

  test('is removed if stale or unreadable', async () => {
    for (const text of [
      JSON.stringify(content({ controller: 'http://127.0.0.1:1' }, 2 ** 22 + 1)),
      JSON.stringify(content({ controller: 'http://127.0.0.1:1' })),
      '{"pid":',
      'null',
    ]) {
      writeFileSync(file(), text)
      await refuseSecondDaemon(file())
      expect(existsSync(file())).toBe(false)
    }
  })

  test('ignores another program at the address', async () => {
    const other = createServer((socket) =>
      socket.on('error', () => undefined).end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
    )
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    writeRuntimeFile(file(), content({ controller: `http://127.0.0.1:${(other.address() as AddressInfo).port}` }))
    await refuseSecondDaemon(file())
    other.close()
  })

  test('can be read and removed only by its owner', () => {
    writeRuntimeFile(file(), content({ controller: 'http://127.0.0.1:1' }))
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    const own = content({})
    removeRuntimeFile(file(), { ...own, pid: process.pid + 1 })
    removeRuntimeFile(file(), { ...own, started_at: '2030-01-01T00:00:00.001Z' })
    expect(JSON.parse(readFileSync(file(), 'utf8')).pid).toBe(process.pid)
    removeRuntimeFile(file(), own)
    expect(existsSync(file())).toBe(false)
  })
})

describe('listening', () => {
  let other: Server
  afterEach(() => void other?.close())

  test('returns the actual port for port 0', async () => {
    const { port, url } = await listen(app, 'controller', { bind: '127.0.0.1', port: 0 })
    expect(url).toBe(`http://127.0.0.1:${port}`)
    expect((await fetch(`${url}/health`)).status).toBe(200)
  })

  test('names the port and its variable if it is in use', async () => {
    other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    await expect(listen(app, 'orchestrator', { bind: '127.0.0.1', port })).rejects.toThrow(
      new RegExp(`port ${port} of the orchestrator service is in use.*SVC_ORCHESTRATOR_PORT`),
    )
  })

  test('names SVC_BIND for an address of another machine', async () => {
    await expect(listen(app, 'controller', { bind: '192.0.2.1', port: 0 })).rejects.toThrow('SVC_BIND')
  })
})

describe('stopping', () => {
  test('continues after a failing and a hanging part', async () => {
    const logged: unknown[] = []
    const log = { ...noLog, warn: (facts: { part: string }) => void logged.push(facts.part) } as unknown as Log
    await within(20, log, 'fails', Promise.reject(new Error('no')))
    await within(20, log, 'hangs', new Promise(() => undefined))
    await within(20, log, 'stops', Promise.resolve())
    expect(logged).toEqual(['fails', 'hangs'])
  })
})

describe('the process', () => {
  function told() {
    const signals = new EventEmitter()
    const exits: number[] = []
    const stop = stopSignal({ signals, exit: (code) => void exits.push(code) })
    return { signals, exits, stop }
  }

  test('stops on the first signal and exits on the second', () => {
    const { signals, exits, stop } = told()
    expect(stop.aborted).toBe(false)
    signals.emit('SIGTERM')
    expect([stop.aborted, exits]).toEqual([true, []])
    signals.emit('SIGINT')
    expect([stop.aborted, exits]).toEqual([true, [130]])
  })
})
