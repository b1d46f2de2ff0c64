// A daemon with 5,000 policies and workflows in its inventory and three scripted agents connected: how soon a change by
// hand is on record, and how much memory it holds.
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { request } from '../../support/http.ts'
import { writeFleet } from './fleet.ts'
import { holds } from './large-fleet.ts'
import { conclude, quantile, within } from '../report.ts'

const COUNT = 5000
const CHANGES = 500

const daemon = await DaemonStand.create({ env: { SVC_LOG_LEVEL: 'warn' } })
writeFleet(daemon.manifests, COUNT)
const { pid } = await daemon.start()
const { controller, orchestrator } = daemon
const PATIENCE_MS = 300_000
// Asked for figures alone: what is asked is part of what is measured.
const ready = `${controller}/resources?status=Ready&limit=1`
await eventually(async () => (await daemon.get(ready)).total === COUNT + 3, PATIENCE_MS, 500)
await eventually(async () => (await daemon.get(`${orchestrator}/health`)).agents_active === 3, PATIENCE_MS, 100)

const workflows: { id: string; name: string }[] = await daemon.get(`${orchestrator}/workflows`)
const delays: number[] = []
for (const workflow of workflows.slice(0, CHANGES)) {
  await request('PATCH', `${orchestrator}/workflows/${workflow.id}`, { poll_interval_secs: 61 })
  const answered = performance.now()
  while ((await daemon.get(`${controller}/drift?kind=workflows&name=${workflow.name}`)).length === 0)
    if (performance.now() - answered > 10_000) throw new Error(`no drift record of ${workflow.name}`)
  delays.push(performance.now() - answered)
}
within(`drift from REST answer to visible record, p50 of ${CHANGES}`, quantile(delays, 0.5), 250, 'ms')
within(`drift from REST answer to visible record, p99 of ${CHANGES}`, quantile(delays, 0.99), 250, 'ms')

await holds({ daemon, pid: pid!, count: COUNT }, 160)
await daemon.close()
conclude()
