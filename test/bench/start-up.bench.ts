import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DaemonStand } from '../support/daemon.ts'
import { root } from '../support/root.ts'
import { compare, medians, timed } from './report.ts'

const ROUNDS = 15
/** Node 22 and later cache compiled code between runs. */
const BOUND = Number(process.versions.node.split('.')[0]) < 22 ? 4 : 3

const daemon = await DaemonStand.create({ env: { SVC_LOG_LEVEL: 'warn' } })
await daemon.start()
// Without NODE_EXTRA_CA_CERTS, which Node reads at every start.
const node = (...args: string[]) =>
  timed(() => promisify(execFile)(process.execPath, args, { env: daemon.env, cwd: daemon.home }))
const svc = join(root, 'bin/svc')
const figures = await medians(ROUNDS, {
  node: () => node('-e', '0'),
  help: () => node(svc, '--help'),
  status: () => node(svc, 'status'),
  validate: () => node(svc, 'validate', join(root, 'manifests')),
})
await daemon.close()
const floor = { floor: figures.node, unit: 'ms' }
compare({ ...floor, what: 'svc --help, vs node -e 0', ours: figures.help, bound: BOUND })
compare({ ...floor, what: 'svc status, vs node -e 0', ours: figures.status, bound: BOUND })
compare({ ...floor, what: 'svc validate manifests, vs node -e 0', ours: figures.validate })
