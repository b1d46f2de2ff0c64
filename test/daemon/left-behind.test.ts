// A daemon that was stopped leaves nothing of itself in its process.
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Of a daemon that has looked at a manifest, told its figures, and stopped. */
async function stopped(): Promise<WeakRef<object>> {
  const stand = await DaemonStand.create()
  stand.write('policies/quiet.yml', 'name: quiet\nmode: deny_all\n')
  const daemon = new WeakRef<object>(await stand.startInside())
  await stand.settled()
  expect(await (await fetch(`${stand.orchestrator}/metrics`)).text()).toContain('nodejs_eventloop_lag_max_seconds')
  await stand.close()
  return daemon
}

test('what a daemon held is free when it has stopped, one after the other', { timeout: 90_000 }, async () => {
  const daemons = [await stopped(), await stopped()]
  await eventually(async () => {
    collectGarbage()
    await sleep(1)
    // The last may still stand somewhere in the engine: what it called is not told where it ended.
    return daemons.filter((daemon) => daemon.deref() !== undefined).length <= 1
  })
})
