// Starts programs without a sandbox, in one with the network of the host, and in one with a list of hosts.
import { existsSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { Sandbox } from '../../schemas/sandbox.ts'
import { visibleFolder } from '../platform/sandbox/visible-folder.ts'
import { DaemonStand } from '../support/daemon.ts'
import { request } from '../support/http.ts'
import { medians, notMeasured, print, within } from './report.ts'

const ROUNDS = 21
/** Milliseconds that a sandbox may add. */
const MOST = { all: 50, hosts: 300 }
// Node reads this file at every start, and the daemon runs without it.
delete process.env.NODE_EXTRA_CA_CERTS

const { path: folder, remove } = visibleFolder()
const daemon = await DaemonStand.create({ env: { SVC_LOG_LEVEL: 'warn' } })
await daemon.start()

let round = 0

/** Milliseconds from the request until the program runs. */
async function start(sandbox: Sandbox): Promise<number> {
  const name = `started-${round++}`
  const begin = performance.now()
  const running = created(name)
  const agent = await request('POST', `${daemon.orchestrator}/agents`, {
    name,
    working_dir: folder,
    shell: 'bash',
    runtime: 'command',
    restart: 'never',
    command: ['/bin/sh', '-c', `: > ${name}; exec cat`],
    sandbox,
  })
  if (agent.status !== 'running') notMeasured(agent.last_error)
  const took = (await running) - begin
  await request('DELETE', `${daemon.orchestrator}/agents/${agent.id}?purge=true`)
  return took
}

/** Resolves with the time at which the file appears. */
async function created(name: string): Promise<number> {
  const watcher = watch(folder)
  try {
    return await new Promise((resolve) => {
      watcher.on('change', () => existsSync(join(folder, name)) && resolve(performance.now()))
    })
  } finally {
    watcher.close()
  }
}

const { off, all, hosts } = await medians(ROUNDS, {
  off: () => start('off'),
  all: () => start('on'),
  hosts: () => start({ network: { hosts: ['example.org'] } }),
})
print('POST /agents until its program runs, without a sandbox', off, 'ms')
print('the same in a sandbox', all, 'ms')
print('the same in a sandbox with a list of hosts', hosts, 'ms')
within('a sandbox adds', all - off, MOST.all, 'ms')
within('a sandbox with a list of hosts adds', hosts - off, MOST.hosts, 'ms')
await daemon.close()
remove()
