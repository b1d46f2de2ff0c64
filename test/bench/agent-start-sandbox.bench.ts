// Starts programs without a sandbox, in one with the network of the host, and in one with a list of hosts. Floor:
// `node -e 0`.
import { execFileSync } from 'node:child_process'
import { existsSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { Sandbox } from '../../schemas/sandbox/sandbox.ts'
import { visibleFolder } from '../platform/sandbox/visible-folder.ts'
import { DaemonStand } from '../support/daemon.ts'
import { request } from '../support/http.ts'
import { compare, medians, notMeasured, print, timed } from './report.ts'

const ROUNDS = 21
/** What a sandbox may add, in starts of `node -e 0`: 50 and 300 ms where that takes 24 ms. */
const MOST = { all: 2, hosts: 12 }
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

const { node, off, all, hosts } = await medians(ROUNDS, {
  node: () => timed(() => execFileSync(process.execPath, ['-e', '0'])),
  off: () => start('off'),
  all: () => start('on'),
  hosts: () => start({ network: { hosts: ['example.org'] } }),
})
print('POST /agents until its program runs, without a sandbox', off, 'ms')
print('the same in a sandbox', all, 'ms')
print('the same in a sandbox with a list of hosts', hosts, 'ms')
compare({ what: 'a sandbox adds', ours: all - off, floor: node, unit: 'ms', bound: MOST.all })
compare({ what: 'a sandbox with a list of hosts adds', ours: hosts - off, floor: node, unit: 'ms', bound: MOST.hosts })
await daemon.close()
remove()
