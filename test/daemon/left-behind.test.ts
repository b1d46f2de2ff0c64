import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** A daemon that has read a manifest, served metrics and stopped. */
async function stopped(): Promise<WeakRef<object>> {
  const stand = await DaemonStand.create()
  stand.write('policies/quiet.yml', 'name: quiet\nmode: deny_all\n')
  const daemon = new WeakRef<object>(await stand.startInside())
  await stand.settled()
  expect(await (await fetch(`${stand.orchestrator}/metrics`)).text()).toContain('nodejs_eventloop_lag_max_seconds')
  await stand.close()
  return daemon
}

test('releases the memory of stopped daemons', { timeout: 90_000 }, async () => {
  const daemons = [await stopped(), await stopped()]
  await eventually(async () => {
    collectGarbage()
    await sleep(1)
    // The engine may still reference the last one.
    return daemons.filter((daemon) => daemon.deref() !== undefined).length <= 1
  })
})
