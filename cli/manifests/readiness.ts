// Implements `--wait`.
import { setTimeout as sleep } from 'node:timers/promises'
import { typed } from '../command-line.ts'
import type { Resource } from '../../schemas/resource.ts'
import { Failure } from '../failure.ts'
import type { ControllerClient } from '../controller-client.ts'
import { visible } from '../output/print.ts'
import { withProgress } from '../output/progress.ts'

const LOOK_EVERY_MS = 250

/**
 * Throws with exit `timeout` after `timeoutMs`, listing resources that are not Ready. With `targets` (ids), only they
 * are awaited.
 */
export async function waitUntilReady(
  client: ControllerClient,
  source: string,
  timeoutMs: number,
  targets?: readonly string[],
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  await withProgress('waiting for resources to be Ready', async (progress) => {
    for (;;) {
      const resources = await client.listResources({ query: { source } })
      const asked = resources.filter(({ id }) => targets === undefined || targets.includes(id))
      const waiting = asked.filter((resource) => !isReady(resource))
      if (waiting.length === 0) return
      progress.say(`waiting for ${waiting.map((resource) => resource.id).join(', ')}`)
      if (Date.now() >= deadline) throw timedOut(waiting, timeoutMs)
      await sleep(Math.min(LOOK_EVERY_MS, Math.max(1, deadline - Date.now())))
    }
  })
}

export const condition = (resource: Resource, type: string) => resource.conditions.find((each) => each.type === type)

export const isReady = (resource: Resource) => condition(resource, 'Ready')?.status === 'True'

/** Describes a pending change and the work that it would interrupt. */
export function waitingLine(resource: Resource): string {
  const said = condition(resource, 'Reconciling')?.message ?? ''
  const work = resource.waiting?.work
  return `${resource.id}  ${visible(said)}${work ? `; it has ${visible(work)}` : ''}`
}

function timedOut(waiting: readonly Resource[], timeoutMs: number): Failure {
  const lines = waiting.map((resource) => {
    const ready = condition(resource, 'Ready')
    return `\n  ${resource.id}: ${ready ? `${ready.reason}: ${ready.message}` : 'not observed yet'}`
  })
  return new Failure(
    `${waiting.length} ${waiting.length === 1 ? 'resource is' : 'resources are'} not Ready after ${timeoutMs / 1000} s:${lines.join('')}`,
    {
      hint: `inspect one with "${typed`svc get KIND/NAME`}", or wait longer with --timeout (agent apply: --wait-timeout)`,
      exit: 'timeout',
    },
  )
}
