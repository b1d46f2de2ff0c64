// Unhealthy agents must not delay a new policy. Floor: an empty team.
import type { Condition } from '../../../schemas/resource.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { compare, medians } from '../report.ts'
import { eventsOf, quiet } from './large-fleet.ts'

const SICK = 100
const ROUNDS = 11

/** Runs but never connects. */
const silent = (name: string) =>
  `name: ${name}\nworking_dir: .\nshell: bash\nruntime: socket\ncommand: [sleep, "3600"]\nrestart: never\n`

/** `commit` returns the milliseconds until a saved policy is Ready. */
async function team(sick: number): Promise<{ commit(): Promise<number>; close(): Promise<void> }> {
  const daemon = await DaemonStand.create({ env: { SVC_LOG_LEVEL: 'warn' } })
  for (let at = 0; at < sick; at++) daemon.write(`agents/sick-${at}.yml`, silent(`sick-${at}`))
  await daemon.start()
  const isRunning = async () => (await daemon.agents()).filter(({ status }) => status === 'running').length === sick
  await eventually(isRunning, 300_000, 500)
  const events = await eventsOf<{ name: string; condition: Condition }>(daemon, 'condition')
  let policies = 0
  return {
    commit: async () => {
      await quiet(daemon)
      const name = `good-${policies++}`
      const ready = events.next((event) => {
        const { type, status } = event.condition
        return event.name === name && type === 'Ready' && status === 'True'
      })
      const saved = performance.now()
      daemon.write(`policies/${name}.yml`, `name: ${name}\nmode: deny_all\n`)
      await ready
      return performance.now() - saved
    },
    close: async () => {
      events.close()
      await daemon.close()
    },
  }
}

const [empty, sick] = [await team(0), await team(SICK)]
const figures = await medians(ROUNDS, { ours: sick.commit, floor: empty.commit })
compare({
  what: `new policy until Ready, ${SICK} unhealthy agents vs none`,
  ...figures,
  unit: 'ms',
  bound: 3,
})
await sick.close()
await empty.close()
