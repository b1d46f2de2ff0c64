// A policy that is tightened in one source: how soon a real daemon holds the agents of another source, and of one that was
// applied by hand, to it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { conclude, timed, within } from './report.ts'

const ROUNDS = 10
const PATIENCE_MS = 30_000
const POLL_MS = 5

const stand = await DaemonStand.create({ env: { SVC_LOG_LEVEL: 'warn' } })
const place = (path: string, text: string) => {
  const file = join(stand.home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
const agent = (name: string) =>
  `name: ${name}\nruntime: scripted\nshell: bash\nworking_dir: ${stand.project}\npolicy: careful\n`
const policy = (mode: string) => stand.write('policies/careful.yml', `name: careful\nmode: ${mode}\n`)
const isHeldTo = async (mode: string) => {
  const agents = await Promise.all(['one', 'guest'].map((name) => stand.agentNamed(name)))
  return agents.every((each) => each?.config.tool_policy.mode === mode)
}

policy('allow_all')
place('.config/svc/config.yaml', `sources:\n  - {name: other, directory: ${join(stand.home, 'other')}}\n`)
place('other/agents/one.yml', agent('one'))
place('sent/agents/guest.yml', agent('guest'))
await stand.start()
await eventually(() => stand.agentNamed('one'), PATIENCE_MS)
const applied = await stand.agent(['apply', join(stand.home, 'sent')])
if (applied.code !== 0) throw new Error(applied.stdout + applied.stderr)
await eventually(() => isHeldTo('allow_all'), PATIENCE_MS)

const times: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  const mode = round % 2 === 0 ? 'deny_all' : 'allow_all'
  policy(mode)
  times.push(await timed(() => eventually(() => isHeldTo(mode), PATIENCE_MS, POLL_MS)))
}
within(
  `a policy that is saved, until the agents of another source and of an applied one are held to it, the slowest of ${ROUNDS}`,
  Math.max(...times),
  1000,
  'ms',
)
await stand.close()
conclude()
