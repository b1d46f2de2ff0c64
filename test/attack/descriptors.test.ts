import { connect, type Socket } from 'node:net'
import { readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'

const LIMIT = 250

test('survives the end of its file descriptors and serves again', { timeout: 60_000 }, async () => {
  const stand = await DaemonStand.create()
  onTestFinished(() => stand.close())
  const limited = ['sh', '-c', `ulimit -n ${LIMIT}; exec "$0" "$@"`, process.execPath]
  const child = await stand.start([...limited, 'bin/svc', 'serve', '--manifests', stand.manifests])
  const used = () => readdirSync(`/proc/${child.pid}/fd`).length
  const sockets: Socket[] = Array.from({ length: 2 * LIMIT }, () => {
    const socket = connect({ port: Number(new URL(stand.controller).port), host: '127.0.0.1' })
    return socket.on('error', () => undefined)
  })
  await eventually(() => used() >= LIMIT - 1)
  stand.write('policies/a.yml', 'name: a\nmode: deny_all\n')
  for (const socket of sockets) socket.destroy()
  await eventually(async () => (await fetch(`${stand.controller}/health`).catch(() => null))?.status === 200)
  await stand.settled()
  expect([child.exitCode, child.signalCode]).toEqual([null, null])
})
