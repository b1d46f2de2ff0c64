// Idle connections use up the file descriptors of a daemon.
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

const MOST = 400
const AT_ONCE = 20

let stand: DaemonStand
const sockets: Socket[] = []
/** Keeps one connection, because new ones are refused later. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
beforeAll(async () => {
  stand = await DaemonStand.create()
  await stand.start(['sh', '-c', `ulimit -n ${MOST}; exec bin/svc serve --manifests "${stand.manifests}"`])
}, 60_000)
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  agent.destroy()
  await eventually(async () => (await stand.ask('GET', `${stand.orchestrator}/health`)).status === 200)
  await stand.close()
})

function health(): Promise<{ status: string; reason?: string }> {
  return new Promise((resolve, reject) => {
    request(`${stand.orchestrator}/health`, { agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece) => (text += piece))
      response.on('end', () => resolve(JSON.parse(text)))
    })
      .on('error', reject)
      .end()
  })
}

test('reports a daemon that runs out of file descriptors as degraded, with the next step, until they are free', async () => {
  const { port } = new URL(stand.orchestrator)
  await health()
  const degraded = await eventually(async () => {
    for (let count = 0; count < AT_ONCE; count++)
      sockets.push(connect(Number(port), '127.0.0.1').on('error', () => undefined))
    const found = await health()
    return found.status === 'degraded' && found
  })
  expect(degraded.reason).toMatch(
    new RegExp(
      `^(\\d+ of ${MOST}|all) file descriptors are open: raise the limit of open files \\(ulimit -n, or Limit`,
    ),
  )
  for (const socket of sockets.splice(0)) socket.destroy()
  expect(await eventually(async () => (await health()).status === 'ok', 40_000)).toBe(true)
}, 90_000)
