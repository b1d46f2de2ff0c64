import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { RECEIVE_MS } from '../../platform/http/limits.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'

const LIMIT = 250

test('survives the end of its file descriptors and serves again', async () => {
  const stand = await DaemonStand.create()
  onTestFinished(() => stand.close())
  const limited = ['sh', '-c', `ulimit -n ${LIMIT}; exec "$0" "$@"`, process.execPath]
  const child = await stand.start([...limited, 'bin/svc', 'serve', '--manifests', stand.manifests])
  const sockets: Socket[] = Array.from({ length: 2 * LIMIT }, () => {
    const socket = connect({ port: Number(new URL(stand.controller).port), host: '127.0.0.1' })
    return socket.on('error', () => undefined)
  })
  // It closes a connection that it has no descriptor for, and a silent one after `RECEIVE_MS`.
  await eventually(() => sockets.filter(({ destroyed }) => destroyed).length >= LIMIT, RECEIVE_MS / 2)
  stand.write('policies/a.yml', 'name: a\nmode: deny_all\n')
  for (const socket of sockets) socket.destroy()
  await eventually(async () => (await fetch(`${stand.controller}/health`).catch(() => null))?.status === 200)
  await stand.settled()
  expect([child.exitCode, child.signalCode]).toEqual([null, null])
})
