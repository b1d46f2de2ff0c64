// A whole orchestrator for tests: real tmux on a socket of its own, the real bridge, the agent socket on a free port.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocketServer } from 'ws'
import { systemClock, type Clock } from '../../platform/clock.ts'
import type { Knex } from '../../platform/database.ts'
import { noLog, type Log } from '../../platform/log.ts'
import { createTmux } from '../../platform/tmux.ts'
import { Vault } from '../../platform/vault.ts'
import { createOrchestrator, type Orchestrator } from '../../services/orchestrator/index.ts'
import { bundledBridge } from './bridge.ts'

export interface RunningOrchestrator {
  orchestrator: Orchestrator
  /** A folder that exists, for agents to work in. */
  folder: string
  muxSocket: string
  /** Stops the service and starts another on the same database, sessions and port. */
  reopen(): Promise<Orchestrator>
  close(): Promise<void>
}

export async function openOrchestrator(
  db: Knex,
  options: { clock?: Clock; log?: Log } = {},
): Promise<RunningOrchestrator> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-orch-'))
  const muxSocket = `svc-test-${randomUUID().slice(0, 8)}`
  const vault = new Vault(randomBytes(32))
  const bridge = await bundledBridge()
  const server = createServer()
  const sockets = new WebSocketServer({ noServer: true })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const open = async () => {
    const orchestrator = await createOrchestrator({
      db,
      vault,
      clock: options.clock ?? systemClock,
      log: options.log ?? noLog,
      mux: createTmux({ socket: muxSocket, env: process.env }),
      config: {
        dataDir: join(folder, '.data'),
        agentCommand: 'claude',
        approvalTimeoutSecs: 300,
        home: folder,
        env: process.env,
      },
      bridge,
      socketUrl: () => `ws://${base}`,
      httpUrl: () => `http://${base}`,
    })
    await orchestrator.start()
    return orchestrator
  }
  const running = { orchestrator: await open(), folder, muxSocket } as RunningOrchestrator
  server.on('upgrade', (request, socket, head) => {
    const agentId = request.url!.split('/ws/')[1]!.split('?')[0]!
    void running.orchestrator.sockets
      .admit(agentId, request.headers.authorization?.replace('Bearer ', '') ?? null)
      .then((admitted) => {
        if (!admitted) return socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
        sockets.handleUpgrade(request, socket, head, (client) => running.orchestrator.sockets.attach(agentId, client))
      })
  })
  running.reopen = async () => {
    await running.orchestrator.stop()
    running.orchestrator = await open()
    return running.orchestrator
  }
  running.close = async () => {
    await running.orchestrator.endSessions()
    await running.orchestrator.stop()
    for (const client of sockets.clients) client.terminate()
    await new Promise((resolve) => server.close(resolve))
    rmSync(folder, { recursive: true, force: true })
  }
  return running
}
