// Each part of the argument list left out once: a part without an escape that it alone prevents has no reason.
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { processesWith, sendSignal } from '../../../bridge/sandbox/processes.ts'
import { eventually } from '../../support/eventually.ts'
import { CONTROLS, without } from './control-cases.ts'
import { users } from './enclosure.ts'
import { visibleFolder } from './visible-folder.ts'
import { World } from './world.ts'

const STARTED = 'the script runs'

describe.each(users)('as $user', ({ uid }) => {
  const folder = visibleFolder()
  const world = new World(folder.path, uid)
  const { home, work, data } = world
  const isRoot = process.getuid?.() === 0 && uid === undefined
  const place = {
    home,
    work,
    data,
    socket: join(home, 'outside', 's'),
    temporary: `/tmp/svc-sandbox-control-${process.pid}-${uid}`,
    port: 0,
  }
  let servers: Server[]
  beforeAll(async () => {
    servers = [createServer(), createServer()]
    const [local, web] = servers as [Server, Server]
    const options = { path: place.socket, readableAll: true, writableAll: true }
    await new Promise<void>((resolve) => local.listen(options, resolve))
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    place.port = (web.address() as AddressInfo).port
    writeFileSync(place.temporary, 'the-secret of the temporary folder')
  })
  afterAll(() => {
    for (const server of servers) server.close()
    rmSync(place.temporary)
    folder.remove()
  })

  const controls = Object.entries(CONTROLS).filter(([, controlOf]) => isRoot || !controlOf(place).onlyRoot)
  describe.each(controls)('%s', (_, controlOf) => {
    test('prevents an escape that succeeds without it', () => {
      const { script, escaped, leaveOut, members } = controlOf(place)
      const run = (more = {}) => world.run(`echo ${STARTED}; ${script}`, members, more).output
      const [held, open] = [run(), run(leaveOut)]
      // A sandbox that does not start prevents everything.
      expect([held, open]).toEqual([expect.stringContaining(STARTED), expect.stringContaining(STARTED)])
      expect(held).not.toMatch(escaped)
      expect(open).toMatch(escaped)
    })
  })

  test('an inherited folder leads out, and needs to be closed before the start', () => {
    const inherited = openSync(join(home, '.ssh'), 'r')
    try {
      expect(world.run('cat /proc/self/fd/4/id', {}, { inherited }).output).toContain('the-secret')
      expect(world.run('cat /proc/self/fd/4/id').output).not.toContain('the-secret')
    } finally {
      closeSync(inherited)
    }
  })

  test.each([
    ['leaves no process when the parent is killed', 'none'],
    ['leaves its processes when left out', '--die-with-parent'],
  ])('the end with the parent %s', async (_title, leftOut) => {
    const seconds = String(randomInt(1e9, 2e9))
    const change = (argv: string[]) => without(argv, leftOut)
    const [program, ...args] = world.command(`sleep ${seconds}; true`, { change, withoutFilter: true })
    const parent = spawn('sh', ['-c', '"$@" & wait', 'sh', program, ...args], { stdio: 'ignore' })
    const ended = once(parent, 'exit')
    const inside = () => processesWith(seconds).filter((pid) => pid !== parent.pid)
    await eventually(() => processesWith(`sleep\x00${seconds}`).length > 0)
    parent.kill('SIGKILL')
    await ended
    if (leftOut === 'none') return void (await eventually(() => inside().length === 0))
    expect(inside()).not.toEqual([])
    for (const pid of inside()) sendSignal(pid, 'SIGKILL')
    await eventually(() => inside().length === 0)
  })
})
